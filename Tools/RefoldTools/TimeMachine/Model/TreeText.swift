import JSONTree

/// The text of a tree's lines.
struct TreeText {
  let document: JSONDocument
  /// What the step changed, nil where that is not known.
  let changes: ChangedPlaces?

  /// A line, fit for a terminal and for `width` columns at most.
  func pieces(_ line: TreeLine, width: Int) -> [StyledText] {
    let indent = String(repeating: "  ", count: min(line.depth, max(0, width / 4)))
    let mark = line.canOpen ? (line.isOpen ? "▾ " : "▸ ") : "  "
    let change = changes?.change(at: line.pointer, isRange: line.content != .value) ?? .none
    var pieces = [change.sign, StyledText(indent), StyledText(mark, .dim)]
    switch line.content {
    case .range(let range):
      pieces.append(StyledText("[\(range.lowerBound)…\(range.upperBound - 1)]", .dim))
    case .value:
      if let key = line.key {
        let name = Printable.line(document.string(at: key))
        pieces.append(
          StyledText(Printable.cut(name, to: max(8, width / 2)), .colored(.blue, bold: false)))
        pieces.append(StyledText(": ", .dim))
      } else if line.depth > 0 {
        pieces.append(StyledText("\(line.place)", .dim))
        pieces.append(StyledText(": ", .dim))
      }
      pieces += value(line.node, isOpen: line.isOpen, width: width)
    }
    if case .here = change {
      for index in pieces.indices.dropFirst(2) { pieces[index].style.isBold = true }
    }
    return pieces
  }

  private func value(_ node: Int, isOpen: Bool, width: Int) -> [StyledText] {
    let value = document.nodes[node]
    switch value.kind {
    case .object:
      let count = document.index.count(of: node)
      return isOpen && node > 0 ? [] : [StyledText(Self.counted(count, "{", "}"), .dim)]
    case .array: return [StyledText(Self.counted(document.index.count(of: node), "[", "]"), .dim)]
    case .string:
      // A character has some bytes; a line shows `width` columns.
      return [StyledText(document.begin(of: node, limit: width * 8), .colored(.green))]
    case .number: return [StyledText(document.begin(of: node, limit: width), .colored(.magenta))]
    case .null, .false, .true:
      return [StyledText(document.begin(of: node, limit: 8), .colored(.cyan))]
    }
  }

  private static func counted(_ count: Int, _ open: String, _ close: String) -> String {
    count == 0 ? open + close : "\(open)\(Printable.grouped(count))\(close)"
  }
}

/// The places of a state that a step changed.
struct ChangedPlaces: Hashable, Sendable {
  /// What is known of a line.
  enum Change {
    case none
    /// Something inside of what is on the line.
    case inside
    /// The value itself.
    case here

    var sign: StyledText {
      switch self {
      case .none: StyledText("  ")
      case .inside: StyledText("· ", .colored(.magenta))
      case .here: StyledText("~ ", .colored(.magenta, bold: true))
      }
    }
  }

  private var here: Set<String> = []
  private var around: Set<String> = []

  /// The places that `pointers` name.
  init(_ pointers: [JSONPointer]) {
    for pointer in pointers {
      here.insert("\(pointer)")
      var next = pointer.parent?.pointer
      while let parent = next, around.insert("\(parent)").inserted { next = parent.parent?.pointer }
    }
  }

  func change(at pointer: String, isRange: Bool) -> Change {
    if !isRange, here.contains(pointer) { return .here }
    return !isRange && around.contains(pointer) ? .inside : .none
  }
}
