import EventStoreCore

/// `refold sessions`: every session of the store.
struct SessionsCommand: Command {
  static let name = "sessions"
  static let summary =
    "every session: reactor, events, first and last time, size, interrupted effects"
  static let examples = ["refold sessions", "refold sessions --json | head -1"]

  static let discussion = """
    SIZE is the bytes of all payloads. An interrupted effect is one whose process is gone without
    having logged its end: run lists the options for it.
    """

  init(_ arguments: Arguments) throws {}

  func run(_ context: Context) throws -> ExitCode {
    let store = try context.storeForReading()
    let sessions = try store.sessions()
    let names = Dictionary(uniqueKeysWithValues: sessions.map { ($0.id, $0.name.rawValue) })
    let summaries = try sessions.map { try SessionSummary($0, in: store, names: names) }
    if context.isJSON {
      for summary in summaries { context.console.output.write(summary.json) }
    } else if summaries.isEmpty {
      context.console.complain("no session in \(context.storePath) yet")
    } else {
      context.console.output.write(table(summaries, context.console))
    }
    return .done
  }

  private func table(_ summaries: [SessionSummary], _ console: Console) -> String {
    let effects = summaries.map(Self.effects)
    let hasEffects = effects.contains { !$0.isEmpty }
    let header = ["SESSION", "REACTOR", "EVENTS", "SIZE", "FIRST", "LAST"]
    let rows = zip(summaries, effects).map { summary, effects in
      [
        Printable.line(summary.info.name.rawValue), Printable.line(summary.info.reactor),
        Printable.grouped(Int(summary.tail.version.rawValue)),
        Printable.bytes(summary.tail.payloadBytes),
        summary.first.map(Self.short) ?? "-",
        summary.tail.version > .zero ? Self.short(summary.tail.recordedAt) : "-",
      ] + (hasEffects ? [effects] : [])
    }
    return TextTable(
      header: header + (hasEffects ? ["EFFECTS"] : []), rows: rows, rightAligned: [2, 3]
    ).text(for: console)
  }

  private static func effects(_ summary: SessionSummary) -> String {
    var parts: [String] = []
    if !summary.running.isEmpty { parts.append("\(summary.running.count) running") }
    if !summary.interrupted.isEmpty {
      let seqs = summary.interrupted.prefix(5).map(\.description).joined(separator: ", ")
      let more = summary.interrupted.count > 5 ? ", …" : ""
      let noun = summary.interrupted.count == 1 ? "action" : "actions"
      parts.append("\(summary.interrupted.count) interrupted (\(noun) \(seqs)\(more))")
    }
    if let parent = summary.parent, let seq = summary.info.parent?.seq {
      parts.append("forked from \(Printable.line(parent)) at \(seq)")
    }
    return parts.joined(separator: ", ")
  }

  /// A time to the second.
  private static func short(_ time: Timestamp) -> String { time.description.prefix(19) + "Z" }
}
