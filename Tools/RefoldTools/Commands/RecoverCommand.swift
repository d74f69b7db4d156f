import EventStoreCore
import EventStoreSQLite
import Foundation
import Refold

/// `refold recover FILE`: brings every intact event of a damaged store out into a new one, and says what
/// is missing. The damaged one is only read.
struct RecoverCommand: Command {
  static let name = "recover"
  static let summary =
    "copies everything intact in a damaged store into a new one; exit 1 if not all"
  static let operands = [
    Operand(name: "FILE", summary: "the damaged store (default that of --store)", isOptional: true)
  ]
  static let options: [Option] = [
    .value(
      "--output", "NEW", "the new store (default FILE without .sqlite, then -recovered.sqlite)",
      short: "-o")
  ]
  static let discussion = """
    FILE is only read. Stop what writes to it first. Its pages are read one by one: a damaged page
    does not make others unreadable. A session of NEW has the events that its digests prove, from the
    first one on. Events after a gap are put aside, in NEW-lost.ndjson (NEW without .sqlite), which is
    made if there are any: a line each, with how sure they are: whole, suspect (their commit was
    altered or is incomplete), or unchecked (no commit of theirs was found). FILE-key, the key of the
    store's secrets, is copied to NEW-key: do not send it on.

    Exit code 0: every event that is known of was brought out, even if FILE is damaged. 1: something
    is missing, or may be. 65: NEW is there already. 78: nothing of a store was found in FILE.
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
      let recovery = try recovery(of: damaged, context)
      return try bringOut(recovery, of: damaged, to: target, aside, context)
    } catch EventStoreError.fileExists(let path) {
      throw Failure(
        .badInput,
        "there is a file \(Printable.line(path)) already. Name another store with -o NEW.")
    }
  }

  private func recovery(of damaged: String, _ context: Context) throws -> StoreRecovery {
    do {
      return try StoreRecovery(
        of: damaged, reactors: context.tool.reactors.map(\.name), patience: context.patience,
        bodyDigest: { try? Delivery(id: "-", action: $0).bodyDigest })
    } catch EventStoreError.notAStore(let path, let reason) {
      // Its own words send people here.
      throw Failure(
        .foreignStore,
        "\(Printable.line(path)) is not a Refold store: \(reason). It was left as it is.")
    }
  }

  private func bringOut(
    _ recovery: StoreRecovery, of damaged: String, to target: String, _ aside: String,
    _ context: Context
  ) throws -> ExitCode {
    let trap = try SignalTrap()
    let new = try RecoveryTarget(named: target, besides: damaged, patience: context.patience)
    let lost = LostEventsFile(aside, context.console)
    var report = RecoverReport(store: target, aside: aside, notes: recovery.notes, context)
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
    report.writeEnd()
    return report.isWhole ? .done : .no
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
