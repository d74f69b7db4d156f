import Dispatch
import Foundation

/// A folder below $TMPDIR, which goes with all that is in it when the benchmarks end, also by ^C.
@MainActor
final class TemporaryFolder {
  private let url: URL
  private let removal: [any DispatchSourceSignal]

  private init(_ url: URL) {
    self.url = url
    removal = []
  }

  /// Makes one.
  init() throws {
    let url = FileManager.default.temporaryDirectory
      .appendingPathComponent("refold-bench-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
    self.url = url
    removal = [SIGINT, SIGTERM].map { Self.remove(url, on: $0) }
  }

  /// One in it, for what goes earlier than the rest.
  func subfolder(_ name: String) throws -> TemporaryFolder {
    let inner = url.appendingPathComponent(name)
    try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: false)
    return TemporaryFolder(inner)
  }

  /// Removes it.
  func remove() { try? FileManager.default.removeItem(at: url) }

  /// The path of the file `name` in it.
  func path(_ name: String) -> String { url.appendingPathComponent(name).path }

  /// Removes the store at `path` with what lies beside it.
  func removeStore(_ path: String) {
    for suffix in ["", "-wal", "-shm", "-lock"] {
      try? FileManager.default.removeItem(atPath: path + suffix)
    }
  }

  /// Makes a copy at `path` of the store at `original`, which nobody has open.
  func copyStore(_ original: String, to path: String) throws {
    removeStore(path)
    try FileManager.default.copyItem(atPath: original, toPath: path)
  }

  /// How long the file at `path` is, with the log of a store that is still beside it.
  nonisolated static func bytes(of path: String) -> Int {
    ["", "-wal"].reduce(0) { sum, suffix in
      let attributes = try? FileManager.default.attributesOfItem(atPath: path + suffix)
      return sum + (attributes?[.size] as? Int ?? 0)
    }
  }

  /// Sees to it that `number` ends this process, and the folder at `url` with it.
  private nonisolated static func remove(
    _ url: URL, on number: Int32
  ) -> any DispatchSourceSignal {
    signal(number, SIG_IGN)
    let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
    source.setEventHandler {
      try? FileManager.default.removeItem(at: url)
      exit(128 + number)
    }
    source.resume()
    return source
  }
}
