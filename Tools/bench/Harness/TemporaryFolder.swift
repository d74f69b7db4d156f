import Dispatch
import Foundation

/// A folder below $TMPDIR, which goes with all that is in it when the benchmarks end, also by ^C.
@MainActor
final class TemporaryFolder {
  private let url: URL
  private let removal: [any DispatchSourceSignal]

  /// Makes one.
  init() throws {
    let url = FileManager.default.temporaryDirectory
      .appendingPathComponent("refold-bench-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
    self.url = url
    removal = [SIGINT, SIGTERM].map { Self.remove(url, on: $0) }
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
