import EventStoreCore
import EventStoreSQLite
import Foundation
import Refold

/// `refold recover FILE`: brings every intact event of a damaged store out into a new one, and says what
/// is missing. The damaged one is only read.
struct RecoverCommand: Command {
  static let name = "recover"
  static let summary =
    "what is whole of a damaged store, brought out into a new one; exit 1 if not all"
  static let operands = [
    Operand(name: "FILE", summary: "the damaged store (default that of --store)", isOptional: true)
  ]
  static let options: [Option] = [
    .value("--output", "NEW", "the new store (default FILE-recovered.sqlite)", short: "-o")
  ]
  static let discussion = """
    FILE stays as it is. Its pages are read one by one, so that one which is damaged takes no other
    with it. A session of the new store has the events that its digests prove, from the first one on.
    Events behind a gap go to NEW-lost.ndjson, a line each, with how sure they are: whole, suspect
    (their commit was altered or is not complete), or unchecked (no commit of theirs was found).
    """
  static let examples = ["refold recover app.sqlite", "refold recover app.sqlite -o whole.sqlite"]

  private let file: String?
  private let output: String?

  init(_ arguments: Arguments) throws {
    file = arguments.operand(0)
    output = arguments.value("--output")
    for (path, name) in [(file, "FILE"), (output, "--output")] where path == "-" {
      throw Failure(.usage, "a store is a file: - cannot be one. Name \(name)")
    }
  }

  func run(_ context: Context) throws -> ExitCode {
    let damaged = file ?? context.storePath
    let target = output ?? Self.stem(of: damaged) + "-recovered.sqlite"
    let aside = Self.stem(of: target) + "-lost.ndjson"
    do {
      try refuse(target, aside, besides: damaged)
      let recovery = try StoreRecovery(
        of: damaged, reactors: context.tool.reactors.map(\.name), patience: context.patience,
        bodyDigest: { try? Delivery(id: "-", action: $0).bodyDigest })
      return try bringOut(recovery, of: damaged, to: target, aside, context)
    } catch EventStoreError.fileExists(let path) {
      throw Failure(
        .badInput,
        "there is a file \(Printable.line(path)) already. Name another store with -o NEW.")
    }
  }

  private func bringOut(
    _ recovery: StoreRecovery, of damaged: String, to target: String, _ aside: String,
    _ context: Context
  ) throws -> ExitCode {
    let trap = try SignalTrap()
    let new = try RecoveryTarget(named: target, besides: damaged, patience: context.patience)
    let lost = LostEventsFile(aside, context.console)
    var report = RecoverReport(store: target, aside: aside, context)
    do {
      try recovery.run(
        into: new.store, isCancelled: { trap.signal != nil },
        bringAside: { try lost.write($0) },
        report: { session in
          report.write(session)
          if context.console.output.hasFailed { try context.console.output.flush() }
        })
      try lost.finish()
      let hasKey = try SecretKeyFile.copy(beside: damaged, to: target)
      do { try new.finish() } catch {
        if hasKey { unlink(target + "-key") }
        throw error
      }
    } catch {
      lost.abandon()
      new.abandon()
      if error is CancellationError {
        return trap.signal == SIGTERM ? .terminated : .interrupted
      }
      throw error
    }
    report.writeEnd(notes: recovery.notes)
    return report.isWhole && recovery.notes.isEmpty ? .done : .no
  }

  /// Refuses to write over anything.
  private func refuse(_ target: String, _ aside: String, besides damaged: String) throws {
    try StoreFiles(damaged).refuse(target, as: "--output")
    try RecoveryTarget.requireFree(target)
    for path in [target + "-key", aside] {
      var found = stat()
      if lstat(path, &found) == 0 { throw EventStoreError.fileExists(path: path) }
    }
  }

  private static func stem(of path: String) -> String {
    path.hasSuffix(".sqlite") ? String(path.dropLast(".sqlite".count)) : path
  }
}
