import EventStoreCore
import EventStoreSQLite

/// What `recover` says: a line a session, and one of the whole store.
struct RecoverReport {
  private let store: String
  private let aside: String
  private let context: Context
  private var sessions = 0
  private var events = 0
  private var broughtAside = 0
  /// Whether all sessions so far are whole.
  private(set) var isWhole = true

  /// A report of a recovery into `store`, whose lost events go to `aside`.
  init(store: String, aside: String, _ context: Context) {
    (self.store, self.aside, self.context) = (store, aside, context)
  }

  private var output: Output { context.console.output }

  mutating func write(_ session: RecoveredSession) {
    sessions += session.isInStore ? 1 : 0
    events += session.events
    broughtAside += session.aside.values.reduce(0, +)
    isWhole = isWhole && session.isWhole
    if context.isJSON { return output.write(json(session)) }
    let name = Printable.line(session.name)
    guard session.isWhole else {
      let text = "session \(name): \(Printable.line(damage(of: session).joined(separator: "; ")))"
      return output.write(context.console.styled(text, .red) + "\n")
    }
    let digest = session.digest.map { ", digest \($0)" } ?? ""
    output.write(
      "session \(name): \(context.console.styled("whole", .green)), "
        + "\(Printable.counted(session.events, "event"))\(digest)\n")
  }

  func writeEnd(notes: [String]) {
    if context.isJSON { return output.write(json(notes)) }
    for note in notes {
      output.write(context.console.styled(Printable.line(note), .red) + "\n")
    }
    let lost =
      broughtAside > 0
      ? "; \(Printable.counted(broughtAside, "event")) behind damage in \(Printable.line(aside))"
      : ""
    output.write(
      "recovered \(Printable.counted(sessions, "session")), "
        + "\(Printable.counted(events, "event")) to \(Printable.line(store))\(lost)\n")
  }

  private func damage(of session: RecoveredSession) -> [String] {
    var parts: [String] = []
    if session.isInStore {
      let all = Printable.counted(Int(session.last.rawValue), "event")
      parts.append("\(Printable.grouped(session.events)) of \(all) are whole")
    } else {
      parts.append("not in the new store")
    }
    if session.missingCount > 0 {
      let runs = session.missing.prefix(5).map(Self.text)
      let more =
        session.missing.count > runs.count
        || session.missingCount > session.missing.reduce(0) { $0 + $1.count }
      parts.append("missing: \(runs.joined(separator: ", "))\(more ? " and more" : "")")
    }
    if let range = session.asideRange {
      let kinds = LostEvent.Standing.allCases.compactMap { standing in
        session.aside[standing].map { "\(Printable.grouped($0)) \(standing.rawValue)" }
      }
      parts.append("brought aside: \(Self.text(range)) (\(kinds.joined(separator: ", ")))")
      if session.isInStore { parts.append("no state can be told behind \(session.events)") }
    }
    return parts + session.notes
  }

  private static func text(_ run: ClosedRange<UInt32>) -> String {
    run.count == 1 ? "\(run.lowerBound)" : "\(run.lowerBound) to \(run.upperBound)"
  }

  private func json(_ session: RecoveredSession) -> [UInt8] {
    var line = JSONLine()
    line.member("session", session.name)
    line.member("number", Int(session.number))
    if let reactor = session.reactor { line.member("reactor", reactor) }
    line.member("whole", json: "\(session.isWhole)".utf8)
    line.member("inStore", json: "\(session.isInStore)".utf8)
    line.member("events", session.events)
    line.member("last", session.last)
    if let digest = session.digest { line.member("digest", digest.description) }
    line.member("missing", session.missingCount)
    let runs = session.missing.map { "[\($0.lowerBound),\($0.upperBound)]" }
    line.member("missingRuns", json: "[\(runs.joined(separator: ","))]".utf8)
    let aside = LostEvent.Standing.allCases.map {
      "\"\($0.rawValue)\":\(session.aside[$0] ?? 0)"
    }
    line.member("aside", json: "{\(aside.joined(separator: ","))}".utf8)
    line.member("notes", json: JSONLine.list(of: session.notes))
    return line.finished()
  }

  private func json(_ notes: [String]) -> [UInt8] {
    var line = JSONLine()
    line.member("store", store)
    if broughtAside > 0 { line.member("lost", aside) }
    line.member("whole", json: "\(isWhole && notes.isEmpty)".utf8)
    line.member("sessions", sessions)
    line.member("events", events)
    line.member("aside", broughtAside)
    line.member("notes", json: JSONLine.list(of: notes))
    return line.finished()
  }
}
