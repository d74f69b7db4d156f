import EventStoreCore

/// An event as a line for people.
enum EventText {
  /// Seq, time, kind, cause and payload; cut to the terminal's width where there is one.
  static func line(_ header: EventHeader, _ payload: RawSpan, _ console: Console) -> String {
    let seq = String(header.seq.rawValue)
    let left = String(repeating: " ", count: max(0, 8 - seq.count)) + seq
    let kind = header.kind.name + String(repeating: " ", count: 9 - header.kind.name.count)
    let cause = header.cause == .zero ? "" : "<- \(header.cause)"
    let causeColumn = cause + String(repeating: " ", count: max(0, 10 - cause.count))
    let plain = "\(left)  \(header.recordedAt)  \(kind)  \(causeColumn)  "
    let text = payload.withUnsafeBytes { bytes in
      // A cut line needs no more than its own width of a payload that may have megabytes.
      let shown = console.width.map { bytes.prefix($0 * 4) } ?? bytes[...]
      return Printable.cut(Printable.line(shown), to: console.width.map { $0 - plain.count })
    }
    guard console.isColored else { return plain + text }
    return left + "  " + console.styled(header.recordedAt.description, .dim) + "  "
      + console.styled(kind, style(of: header.kind)) + "  " + console.styled(causeColumn, .dim)
      + "  " + text
  }

  private static func style(of kind: EventKind) -> Console.Style {
    switch kind {
    case .action: .blue
    case .mutation: .green
    case .pending: .yellow
    case .completed: .dim
    case .cancelled: .yellow
    case .failed: .red
    }
  }
}
