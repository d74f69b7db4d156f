import Foundation
import Synchronization

/// A `refold run`, or another command, whose standard input stays open.
final class LiveRun: Sendable {
  /// `@unchecked Sendable`: `Process` and the handles are used by the test that owns this, one call
  /// after the other; the reading handler touches only `lines`, under its lock.
  private struct Handles: @unchecked Sendable {
    let process: Process
    let input: FileHandle
    let output: FileHandle
    let error: FileHandle
  }

  private let handles: Handles
  private let lines = Mutex(Lines())

  private struct Lines {
    var bytes: [UInt8] = []
    var waiters: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    /// How many line feeds are in `bytes`.
    var count = 0
  }

  init(_ shell: Shell, _ arguments: [String], of executable: String = Shell.refold) throws {
    let process = shell.start(executable, arguments)
    let (input, output, error) = (Pipe(), Pipe(), Pipe())
    process.standardInput = input
    process.standardOutput = output
    process.standardError = error
    try process.run()
    handles = Handles(
      process: process, input: input.fileHandleForWriting, output: output.fileHandleForReading,
      error: error.fileHandleForReading)
    handles.output.readabilityHandler = { [weak self] handle in
      let data = handle.availableData
      if data.isEmpty { handle.readabilityHandler = nil }
      self?.take(data)
    }
  }

  /// Writes `text` to the run's standard input.
  func send(_ text: String) throws { try handles.input.write(contentsOf: Data(text.utf8)) }

  /// Closes the run's standard input.
  func endInput() throws { try handles.input.close() }

  /// Returns once `count` lines of output have come, or the output has ended.
  func waitForLines(_ count: Int) async {
    await withCheckedContinuation { continuation in
      let isThere = lines.withLock { lines in
        if lines.count >= count { return true }
        lines.waiters.append((count, continuation))
        return false
      }
      if isThere { continuation.resume() }
    }
  }

  /// The lines so far.
  var output: [String] {
    lines.withLock { String(decoding: $0.bytes, as: UTF8.self) }
      .split(separator: "\n").map(String.init)
  }

  func signal(_ number: Int32) { kill(processID, number) }

  /// The number of its process.
  var processID: Int32 { handles.process.processIdentifier }

  /// Waits for the end, and gives the exit code.
  func wait() async -> Int32 {
    await withCheckedContinuation { continuation in
      DispatchQueue(label: "wait").async { [handles] in
        handles.process.waitUntilExit()
        continuation.resume()
      }
    }
    return handles.process.exitCode
  }

  /// What standard error holds, once the run has ended.
  func errorText() -> String {
    String(decoding: handles.error.readDataToEndOfFile(), as: UTF8.self)
  }

  private func take(_ data: Data) {
    let ready = lines.withLock { lines in
      lines.bytes.append(contentsOf: data)
      lines.count += data.count { $0 == UInt8(ascii: "\n") }
      let isOver = data.isEmpty
      let (all, count) = (lines.waiters, lines.count)
      lines.waiters = all.filter { !isOver && count < $0.count }
      return all.filter { isOver || count >= $0.count }
    }
    for waiter in ready { waiter.continuation.resume() }
  }
}
