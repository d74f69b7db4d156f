import Foundation
import Refold

/// The file beside a store, `app.sqlite-key`, with the key that its secrets are digested with: so that
/// the same token gives the same digest in every run, and whoever is sent the store without this file
/// cannot try tokens out. Made when the first secret is written, readable by its owner alone.
///
/// Losing it loses nothing but that comparison: the next secret makes another.
struct SecretKeyFile: Sendable {
  private let path: String

  init(beside store: String) { path = store + "-key" }

  /// The key, read or made when it is first needed.
  var key: SecretKey { SecretKey { try load() } }

  /// Gives the store `new` the key of `store`, where that has one.
  /// - Returns: whether a file was made.
  /// - Throws: `Failure`.
  static func copy(beside store: String, to new: String) throws -> Bool {
    guard let bytes = try SecretKeyFile(beside: store).read() else { return false }
    return try SecretKeyFile(beside: new).make(bytes)
  }

  private static let byteCount = 32

  private func load() throws -> [UInt8] {
    if let bytes = try read() { return bytes }
    try make()
    guard let bytes = try read() else { throw Failure.system("read", Printable.line(path)) }
    return bytes
  }

  /// The key's bytes; nil where there is no file.
  private func read() throws -> [UInt8]? {
    // Without waiting, should somebody have put a pipe in its place.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      throw Failure.system("read", Printable.line(path))
    }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: Self.byteCount + 1)
    let count = Foundation.read(descriptor, &bytes, bytes.count)
    guard count == Self.byteCount else {
      throw Failure(
        .inputOutput,
        "\(Printable.line(path)) is not a key of \(Self.byteCount) bytes. Remove it to have "
          + "another made; secrets then get other digests.")
    }
    return Array(bytes.prefix(Self.byteCount))
  }

  /// Makes the file whole or not at all: of two processes that do so, one wins, and both read its.
  /// - Returns: whether this one made it.
  @discardableResult
  private func make(_ bytes: [UInt8] = SecretKey.randomBytes()) throws -> Bool {
    guard let draft = DraftFile(of: path, mode: 0o600) else {
      throw Failure.system("write", Printable.line(path))
    }
    if write(draft.descriptor, bytes, bytes.count) == bytes.count, draft.publish(isNew: true) {
      return true
    }
    defer { draft.abandon() }
    guard errno == EEXIST else { throw Failure.system("write", Printable.line(path)) }
    return false
  }
}
