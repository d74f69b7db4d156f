import EventStoreCore

/// Events as lines for people: seq, time, kind, cause and payload.
///
/// On a terminal the day stands on a line of its own where it changes, and a line is cut to the
/// terminal's width; elsewhere each line has everything.
struct EventText {
  private let console: Console
  private let width: Int?
  /// Whether a line is made in one piece: nothing is cut, coloured or left out of it.
  let isPlain: Bool
  private let seqWidth: Int
  private let showsDays: Bool
  private var day = ""

  /// - Parameters:
  ///   - last: the last seq that will be shown.
  ///   - showsDays: whether a day may stand on a line of its own; else it stands on each.
  init(_ console: Console, last: Seq, showsDays: Bool = true) {
    self.console = console
    self.showsDays = showsDays
    width = console.width
    isPlain = width == nil && !console.isColored
    seqWidth = width == nil ? 8 : "\(last)".count
  }

  /// Appends the line of an event to `text`, as it is where `isPlain`.
  func append(_ header: EventHeader, _ payload: RawSpan, to text: inout [UInt8]) {
    text.append(column: seqWidth, right: true) { $0.append(decimal: Int(header.seq.rawValue)) }
    header.recordedAt.append(to: &text)
    text.append(literal: "  ")
    text.append(column: 9) { $0.append(contentsOf: header.kind.name.utf8) }
    text.append(column: 10) {
      guard header.cause != .zero else { return }
      $0.append(literal: "<- ")
      $0.append(decimal: Int(header.cause.rawValue))
    }
    payload.withUnsafeBytes { payload in
      if payload.allSatisfy({ (0x20..<0x7F).contains($0) }) {
        text.append(contentsOf: payload)
      } else {
        text.append(contentsOf: Printable.line(payload).utf8)
      }
    }
    text.append(UInt8(ascii: "\n"))
  }

  /// The line of an event, behind one for its day where that begins.
  mutating func lines(_ header: EventHeader, _ payload: RawSpan) -> String {
    if isPlain {
      var text: [UInt8] = []
      append(header, payload, to: &text)
      return String(decoding: text, as: UTF8.self)
    }
    let time = header.recordedAt.description
    let newDay = width != nil && !time.hasPrefix(day) || day.isEmpty
    day = String(time.prefix(10))
    let heading = width != nil && showsDays && newDay ? console.styled(day, .dim) + "\n" : ""
    return heading + line(header, payload, time) + "\n"
  }

  private func line(_ header: EventHeader, _ payload: RawSpan, _ time: String) -> String {
    let seq = Printable.padded("\(header.seq)", to: seqWidth, right: true)
    let clock = width == nil || !showsDays ? time : String(time.dropFirst(11).prefix(12))
    let kind = Printable.padded(header.kind.name, to: 9)
    let cause = Printable.padded(
      header.cause == .zero ? "" : "<- \(header.cause)", to: width == nil ? 10 : seqWidth + 3)
    let columns = [seq, clock, kind, cause].reduce(0) { $0 + $1.count + 2 }
    let text = payload.withUnsafeBytes { bytes in
      // A cut line needs no more than its own width of a payload that may have megabytes; a
      // character may have some dozens of bytes.
      let shown = width.map { bytes.prefix($0 * 64) } ?? bytes[...]
      return Printable.cut(Printable.line(shown), to: width.map { max(8, $0 - columns) })
    }
    return [
      seq, console.styled(clock, .dim), console.styled(kind, Self.style(of: header.kind)),
      console.styled(cause, .dim), text,
    ].joined(separator: "  ")
  }

  private static func style(of kind: EventKind) -> Console.Style {
    switch kind {
    case .action: .blue
    case .mutation: .green
    case .pending, .cancelled: .yellow
    case .completed: .dim
    case .failed: .red
    }
  }
}

extension [UInt8] {
  /// Appends what `body` does, in ASCII, filled with spaces to `width` bytes, and two spaces.
  fileprivate mutating func append(
    column width: Int, right: Bool = false, _ body: (inout [UInt8]) -> Void
  ) {
    let start = count
    body(&self)
    let spaces = repeatElement(UInt8(ascii: " "), count: Swift.max(0, width - (count - start)))
    insert(contentsOf: spaces, at: right ? start : count)
    append(literal: "  ")
  }
}
