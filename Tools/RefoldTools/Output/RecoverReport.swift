import EventStoreCore
import EventStoreSQLite

/// What `recover` says: a line a session, and one of the whole store.
struct RecoverReport {
  private let store: String
  private let aside: String
  private let context: Context
  private var sessions = 0
  private var events = 0
  private var empty = 0
  private var putAside = 0
  /// What is to be said of the whole store.
  private let notes: [String]
  /// Whether nothing is known to be missing so far.
  private(set) var isWhole: Bool

  /// A report of a recovery into `store`, whose lost events go to `aside`.
  init(store: String, aside: String, notes: [String], _ context: Context) {
    (self.store, self.aside, self.notes, self.context) = (store, aside, notes, context)
    isWhole = notes.isEmpty
  }

  private var output: Output { context.console.output }

  mutating func write(_ session: RecoveredSession) {
    sessions += session.isInStore ? 1 : 0
    empty += session.isInStore && session.events == 0 ? 1 : 0
    events += session.events
    putAside += session.aside.values.reduce(0, +)
    isWhole = isWhole && session.isWhole
    if context.isJSON { return output.write(json(session)) }
    let name = Printable.line(session.name)
    guard session.isWhole else {
      let text = "session \(name): \(Printable.line(damage(of: session).joined(separator: "; ")))"
      return output.write(context.console.styled(text, .red) + "\n")
    }
    let digest = session.digest.map { ", digest \($0)" } ?? ""
    let events = Printable.counted(session.events, "event")
    // Where something of the store is missing, it may be the end of this one.
    let what =
      notes.isEmpty
      ? "\(context.console.styled("whole", .green)), \(events)"
      : "\(events), none known to be missing"
    output.write("session \(name): \(what)\(digest)\n")
  }

  func writeEnd() {
    if context.isJSON { return output.write(jsonEnd()) }
    for note in notes {
      output.write(context.console.styled(Printable.line(note), .red) + "\n")
    }
    let lost =
      putAside > 0
      ? "; \(Printable.counted(putAside, "event")) put aside in \(Printable.line(aside))" : ""
    let ofThem = empty > 0 ? " (\(Printable.grouped(empty)) without events)" : ""
    output.write(
      "recovered \(Printable.counted(sessions, "session"))\(ofThem), "
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
      parts.append("put aside: \(Self.text(range)) (\(kinds.joined(separator: ", ")))")
      if session.isInStore { parts.append("the state after \(session.events) is unknown") }
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

  private func jsonEnd() -> [UInt8] {
    var line = JSONLine()
    line.member("store", store)
    if putAside > 0 { line.member("lost", aside) }
    line.member("whole", json: "\(isWhole)".utf8)
    line.member("sessions", sessions)
    line.member("events", events)
    line.member("aside", putAside)
    line.member("notes", json: JSONLine.list(of: notes))
    return line.finished()
  }
}
