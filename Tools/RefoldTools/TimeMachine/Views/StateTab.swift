import EventStoreCore
import JSONTree

/// The state as a tree that can be opened and closed.
final class StateTab: TimeMachineTab {
  /// The longest text of one value that is shown on a screen of its own, in bytes.
  static let textLimit = 256 << 10

  let title = "state"
  private var folding = TreeFolding()
  private var layout: TreeLayout?
  private var document: JSONDocument?
  private var shown: Seq?
  private var laidOut = TreeFolding()
  private var top = 0
  private var selected = ""
  private var height = 1
  private var notes = TextPane()
  private var pattern: SearchPattern?

  private var lines: [TreeLine] { layout?.lines ?? [] }

  /// The line of the cursor: that of the same place as before, or what is nearest to it now.
  private var cursor: Int {
    var id = selected[...]
    while true {
      if let place = lines.firstIndex(where: { $0.id == id }) { return place }
      guard let end = id.lastIndex(where: { $0 == "/" || $0 == "#" }) else { return 0 }
      id = id[..<end]
    }
  }

  var selectedPointer: String? {
    let (lines, cursor) = (lines, cursor)
    return lines.indices.contains(cursor) ? lines[cursor].pointer : nil
  }

  func draw(_ moment: Moment, on screen: inout ScreenBuffer, in area: Area, isFocused: Bool) {
    guard area.width > 0, area.height > 0 else { return }
    height = area.height
    guard let state = moment.state, moment.note == nil || state.seq == moment.seq else {
      notes.show([StyledText(moment.note ?? "…", .dim)])
      return notes.draw(on: &screen, in: area)
    }
    layOut(state)
    let changes = moment.changes.flatMap { $0.to == state.seq ? $0.places : nil }
    let text = TreeText(document: state.document, changes: changes)
    let (lines, cursor) = (lines, cursor)
    top = min(max(top, cursor - area.height + 1), cursor)
    top = max(0, min(top, lines.count - area.height))
    for (row, line) in lines[top...].prefix(area.height).enumerated() {
      let pieces = text.pieces(line, width: area.width).highlighting(pattern)
      let end = screen.draw(pieces, in: area, row: row)
      if end >= area.width, DisplayWidth.of(pieces.map(\.text).joined()) > area.width {
        screen.draw("…", in: area, at: area.width - 1, row: row, .dim)
      }
      if top + row == cursor { mark(row, on: &screen, area, isFocused) }
    }
  }

  private func mark(_ row: Int, on screen: inout ScreenBuffer, _ area: Area, _ isFocused: Bool) {
    if isFocused { return screen.select(area, row: row) }
    screen.restyle(area.column..<area.column + area.width, row: area.row + row) {
      var style = $0
      style.isUnderlined = true
      return style
    }
  }

  private func layOut(_ state: ShownState) {
    if shown == state.seq, laidOut == folding, layout != nil { return }
    layout = TreeLayout(state.document, folding)
    (document, shown, laidOut) = (state.document, state.seq, folding)
  }

  /// Lays out anew after a fold was opened or closed.
  private func layOutAgain() {
    guard let document else { return }
    layout = TreeLayout(document, folding)
    laidOut = folding
  }

  func forgetSearch() { pattern = nil }
}

extension StateTab {
  func press(_ key: Key) -> TabAnswer {
    let (lines, cursor) = (lines, cursor)
    guard lines.indices.contains(cursor) else { return .unknown }
    let line = lines[cursor]
    switch key {
    case .down, .character("j"): move(to: cursor + 1)
    case .up, .character("k"): move(to: cursor - 1)
    case .pageDown, .control("d"), .control("f"): move(to: cursor + max(1, height - 1))
    case .pageUp, .control("u"), .control("b"): move(to: cursor - max(1, height - 1))
    case .home, .character("g"): move(to: 0)
    case .end, .character("G"): move(to: lines.count - 1)
    case .right, .character("l"):
      if line.canOpen, !line.isOpen { set(line, open: true) } else { move(to: cursor + 1) }
    case .left, .character("h"):
      if line.isOpen { set(line, open: false) } else { move(to: parent(of: cursor)) }
    case .enter:
      if line.canOpen { set(line, open: !line.isOpen) } else { return whole(line) }
    case .character("O"): setAll(.large)
    case .character("c"): setAll(.closed)
    case .character("o"): setAll(.small)
    case .character, .control, .tab, .backTab, .backspace, .delete, .escape, .paste, .other:
      return .unknown
    }
    return .done
  }

  func find(_ pattern: SearchPattern, forward: Bool) -> Bool {
    self.pattern = pattern
    guard let document else { return false }
    let (lines, cursor) = (lines, cursor)
    let line = lines.indices.contains(cursor) ? lines[cursor] : nil
    let start = line.map { $0.key ?? $0.node } ?? 0
    let nodes = document.nodes.indices
    let order = forward ? Array(nodes[(start + 1)...]) : Array(nodes[..<start].reversed())
    // A key and its value are one line: do not stop twice there.
    let own = line?.content == .value ? line?.node : nil
    guard let node = order.first(where: { $0 != own && document.matches(pattern, at: $0) })
    else { return false }
    let way = TreeLayout.way(to: node, in: document)
    for id in way.open { folding.set(id, open: true) }
    layOutAgain()
    selected = way.pointer
    return true
  }

  private func move(to line: Int) {
    let lines = lines
    selected = lines[min(max(0, line), lines.count - 1)].id
  }

  private func parent(of line: Int) -> Int {
    let lines = lines
    return lines[..<line].lastIndex { $0.depth < lines[line].depth } ?? line
  }

  private func set(_ line: TreeLine, open: Bool) {
    folding.set(line.id, open: open)
    selected = line.id
    layOutAgain()
  }

  private func setAll(_ extent: TreeFolding.Extent) {
    folding.setAll(extent)
    layOutAgain()
  }

  /// A value whose line is too short for it, on a screen of its own.
  private func whole(_ line: TreeLine) -> TabAnswer {
    guard let document, case .value = line.content else { return .done }
    let place = line.pointer.isEmpty ? "(all)" : Printable.line(line.pointer)
    let isString = document.nodes[line.node].kind == .string
    let text =
      isString
      ? document.string(at: line.node)
      : String(decoding: document.bytes[document.nodes[line.node].range], as: UTF8.self)
    let shown = text.utf8.count > Self.textLimit ? String(text.prefix(Self.textLimit)) : text
    var lines = shown.split(separator: "\n", omittingEmptySubsequences: false).map {
      StyledText(Printable.line(String($0)))
    }
    if shown.utf8.count < text.utf8.count { lines.append(StyledText("… and more", .dim)) }
    return .show(title: place, lines: lines)
  }
}
