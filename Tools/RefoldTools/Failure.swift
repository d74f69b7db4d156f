import EventStoreCore
import Foundation
import JSONTree
import Refold

/// Why a command ends without having done its work: a message and an exit code.
struct Failure: Error {
  let code: ExitCode
  let message: String

  init(_ code: ExitCode, _ message: String) {
    self.code = code
    self.message = message
  }
}

extension Failure {
  /// The failure that `error` means for the command line.
  init(_ error: any Error) {
    switch error {
    case let failure as Failure: self = failure
    case let error as SessionError: self.init(Self.code(of: error), "\(error)")
    case let error as EventStoreError: self.init(Self.code(of: error), "\(error)")
    case let error as LogFileError: self.init(error)
    case let error as WhatIf.Failure: self.init(.badInput, "\(error)")
    case let error as SettingsError: self.init(.usage, "\(error)")
    case let error as JSONError: self.init(.badInput, "\(error)")
    default: self.init(.inputOutput, "\(error)")
    }
  }

  /// A failed call of the system, for `path`.
  static func system(_ operation: String, _ path: String, _ code: Int32 = errno) -> Failure {
    let reason = String(cString: strerror(code))
    let missing = code == ENOENT || code == ENOTDIR
    return Failure(missing ? .notFound : .inputOutput, "cannot \(operation) \(path): \(reason)")
  }

  private static func code(of error: SessionError) -> ExitCode {
    switch error {
    case .otherReactor: .usage
    case .undecodable, .unencodable, .otherActionUnderSameID, .invalidDeliveryID, .beyondEnd:
      .badInput
    case .noSuchSession: .notFound
    case .closed: .inputOutput
    case .stopped(_, let reason): Failure(reason).code
    }
  }

  private static func code(of error: EventStoreError) -> ExitCode {
    switch error {
    case .noSuchSession, .noSuchStore: .notFound
    case .noSuchEvent, .sessionExists, .versionConflict, .invalidAppend, .forkTooDeep: .badInput
    case .invalidSessionName: .usage
    case .locked, .networkFileSystem, .cannotOpen: .unavailable
    case .notAStore, .newerFormat: .foreignStore
    case .sessionFull, .storeFull, .readOnly, .diskFull, .removed, .closed, .damaged, .system,
      .sqlite:
      .inputOutput
    }
  }
}
