import EventStoreCore
import JSONTree

/// The event at the position as it was recorded.
final class EventTab: TextTab {
  /// A payload with more bytes is not laid out, only its begin is shown.
  static let layoutLimit = 256 << 10
  static let beginLimit = 16 << 10

  let title = "event"
  var pane = TextPane()
  private var shown: Seq?

  func draw(_ moment: Moment, on screen: inout ScreenBuffer, in area: Area, isFocused: Bool) {
    if shown != moment.seq || moment.event == nil { pane.show(Self.lines(moment)) }
    shown = moment.seq
    pane.draw(on: &screen, in: area)
  }

  private static func lines(_ moment: Moment) -> [StyledText] {
    guard let event = moment.event else {
      return [StyledText("Before the first event: the initial state.", .dim)]
    }
    let header = event.header
    let cause = header.cause == .zero ? "from outside any action" : "\(header.cause)"
    var lines = [
      StyledText("seq    \(header.seq)", .bold),
      StyledText("kind   \(header.kind.name)", CellStyle(header.kind)),
      StyledText("cause  \(cause)"), StyledText("at     \(header.recordedAt)"),
    ]
    if let delivery = event.delivery {
      lines.append(StyledText("id     \(Printable.line(delivery.id))"))
    }
    let size = Printable.bytes(Int64(event.payload.count))
    lines += [StyledText(""), StyledText("payload, \(size)", .bold)]
    return lines + payload(event.payload)
  }

  private static func payload(_ bytes: [UInt8]) -> [StyledText] {
    guard bytes.count <= layoutLimit, let value = try? JSONValue(parsing: bytes) else {
      let begin = StyledText(Printable.line(bytes.prefix(beginLimit)))
      return bytes.count <= beginLimit ? [begin] : [begin, StyledText("… and more", .dim)]
    }
    return value.prettyPrinted.split(separator: "\n").map {
      StyledText(Printable.line(String($0)))
    }
  }
}

extension CellStyle {
  /// How events of a kind are shown.
  init(_ kind: EventKind) {
    switch kind {
    case .action: self = .colored(.blue, bold: true)
    case .mutation: self = .colored(.green)
    case .pending, .cancelled: self = .colored(.magenta)
    case .completed: self = .dim
    case .failed: self = .colored(.red, bold: true)
    }
  }
}
