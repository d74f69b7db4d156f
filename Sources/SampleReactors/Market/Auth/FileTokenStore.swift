import Foundation
import Refold

/// A token store in a file, standing in for the keychain where the system has none.
///
/// The token is in the clear there, and nowhere else: logs, exports and messages have digests at
/// most. So the file has mode 0600, and one that others may read, write or execute is refused with
/// what to do about it: a token that somebody else may have read is not to be trusted because the
/// mode was mended afterwards. `save` replaces the file as a whole, with the right mode, whatever
/// was there; a reader sees the old token or the new one.
///
/// A folder that is not there counts as a keychain that is not there: `AppError.keychainNotFound`.
/// Everything else that goes wrong is an `AppError.unknown` that names the path.
public struct FileTokenStore: TokenStore {
  private let path: String

  /// The token in the file at `path`, which need not be there.
  public init(path: String) { self.path = path }

  /// What the file holds.
  private struct Kept: Codable {
    var access: String
    var refresh: String
    var isAnonymous: Bool
    var expiresAt: Date
  }

  /// More than a token can have, so that a wrong path does not fill the memory.
  private static let byteLimit = 1 << 16

  /// The token, or nil where there is no file.
  ///
  /// - Throws: `AppError.keychainNotFound` where there is no folder; `.unknown` for a file that
  ///   cannot be read, that others may read too, or that holds something else.
  public func token() throws -> AuthToken? {
    guard let bytes = try read() else { return nil }
    guard let kept = try? EventCodec().decode(Kept.self, from: bytes) else {
      throw error("holds no token. Remove it, and sign in again.")
    }
    return AuthToken(
      access: Secret(kept.access), refresh: Secret(kept.refresh), isAnonymous: kept.isAnonymous,
      expiresAt: kept.expiresAt)
  }

  /// Replaces the file by one with `token`.
  ///
  /// - Throws: `AppError.keychainNotFound` where there is no folder; `.unknown` for a file that
  ///   cannot be written, and for a token that was read back from a log.
  public func save(_ token: AuthToken) throws {
    guard let access = token.access.value, let refresh = token.refresh.value else {
      throw error("cannot keep a token that was read back from a log")
    }
    let kept = Kept(
      access: access, refresh: refresh, isAnonymous: token.isAnonymous, expiresAt: token.expiresAt)
    try replace(with: try EventCodec().encode(kept))
  }

  /// Removes the file, if there is one.
  ///
  /// - Throws: as `save(_:)`.
  public func clear() throws {
    guard unlink(path) != 0 else { return }
    if errno != ENOENT { throw systemError("removed") }
    try requireFolder()
  }
}

extension FileTokenStore {
  /// The file's bytes; nil where there is none.
  private func read() throws -> [UInt8]? {
    // O_NONBLOCK: a named pipe in the file's place would keep us waiting for its other end.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else {
      guard errno == ENOENT else { throw systemError("read") }
      try requireFolder()
      return nil
    }
    defer { close(descriptor) }
    try requirePrivacy(of: descriptor)
    var bytes = [UInt8](repeating: 0, count: Self.byteLimit)
    let count = Foundation.read(descriptor, &bytes, bytes.count)
    guard count >= 0 else { throw systemError("read") }
    return Array(bytes.prefix(count))
  }

  private func requirePrivacy(of descriptor: Int32) throws {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw systemError("read") }
    guard status.st_mode & S_IFMT == S_IFREG else { throw error("is no file") }
    let mode = status.st_mode & 0o777
    guard mode & 0o077 == 0 else {
      throw error(
        "may be used by others (mode \(String(mode, radix: 8))). Remove it and sign in again; or, "
          + "if nobody else has read it, chmod 600 it.")
    }
  }

  /// A file under another name first, so that nobody ever sees half a token.
  private func replace(with bytes: [UInt8]) throws {
    let draft = "\(path).\(UUID().uuidString)"
    let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      if errno == ENOENT { throw AppError.keychainNotFound }
      throw systemError("written")
    }
    defer {
      close(descriptor)
      unlink(draft)
    }
    guard write(descriptor, bytes, bytes.count) == bytes.count, fsync(descriptor) == 0,
      rename(draft, path) == 0
    else { throw systemError("written") }
  }

  /// That there is no file is one thing, that there is no place for it another.
  private func requireFolder() throws {
    let folder = (path as NSString).deletingLastPathComponent
    guard access(folder.isEmpty ? "." : folder, F_OK) == 0 else { throw AppError.keychainNotFound }
  }

  private func systemError(_ verb: String) -> AppError {
    error("cannot be \(verb): \(String(cString: strerror(errno)))")
  }

  private func error(_ what: String) -> AppError {
    .unknown(reason: "the token file \(path) \(what)")
  }
}
