import EventStoreCore
import EventStoreSQLite
import Foundation
import Refold

/// `refold backup FILE`: the whole store in another file, while it is in use.
struct BackupCommand: Command {
  static let name = "backup"
  static let summary = "a checked copy of the whole store, while others write to it"
  static let operands = [Operand(name: "FILE", summary: "the copy, a file that is not there yet")]
  static let options: [Option] = [
    .flag("--force", "replace FILE where it is there and not in use")
  ]
  static let discussion = """
    The copy is the store as it was at one moment: every commit up to it, and none after it. It is
    verified before it gets its name, so FILE is whole or not there. It is a store like any other: name
    it with --store. Effects that are running go on here, and are interrupted in the copy. The key of
    the store's secrets, STORE-key, is not copied. To restore it, stop what uses the store, move
    STORE, STORE-wal and STORE-shm away, and copy it back: refold backup STORE --store FILE.

    Exit code 65: FILE is there already. 69: FILE is in use, or has a -wal or -shm file beside it.
    74: the store is damaged, or the disk is full.
    """
  static let examples = [
    "refold backup monday.sqlite", "refold backup --force /backups/app.sqlite --store app.sqlite",
  ]

  private let file: String
  private let replaces: Bool

  init(_ arguments: Arguments) throws {
    file = arguments.operands[0]
    replaces = arguments.has("--force")
    if file == "-" { throw Failure(.usage, "a store is a file: - cannot be one. Name a FILE") }
  }

  func run(_ context: Context) throws -> ExitCode {
    try StoreFiles(context.storePath).refuse(file, as: "FILE")
    let store = try context.storeForReading()
    let trap = try SignalTrap()
    do {
      report(try backUp(store, trap, context), context)
    } catch is CancellationError {
      return trap.signal == SIGTERM ? .terminated : .interrupted
    } catch EventStoreError.fileExists(let path) where path == file {
      throw Failure(
        .badInput,
        "there is a file \(Printable.line(path)) already. Choose another name, or replace it with "
          + "--force.")
    }
    return .done
  }

  private func backUp(
    _ store: SQLiteEventStore, _ trap: SignalTrap, _ context: Context
  ) throws -> SQLiteEventStore.Backup {
    var progress = Progress("copied pages:", on: context.console)
    defer { progress.end() }
    return try store.backup(
      to: file, replacing: replaces, isCancelled: { trap.signal != nil },
      progress: { done, _ in progress.reach(done) })
  }

  private func report(_ backup: SQLiteEventStore.Backup, _ context: Context) {
    let key = context.storePath + "-key"
    if access(key, F_OK) == 0 {
      context.console.complain(
        "\(key), the key of the store's secrets, was not copied: put it beside the copy where you "
          + "restore it yourself, and do not send it on")
    }
    let output = context.console.output
    if context.isJSON {
      var line = JSONLine()
      line.member("file", file)
      line.member("sessions", backup.sessions)
      line.member("events", backup.events)
      line.member("position", backup.position?.rawValue ?? 0)
      line.member("bytes", backup.bytes)
      return output.write(line.finished())
    }
    output.write(
      "\(Printable.line(file)): \(Printable.counted(backup.sessions, "session")), "
        + "\(Printable.counted(backup.events, "event")), \(Printable.bytes(Int64(backup.bytes))), "
        + "checked\n")
  }
}
