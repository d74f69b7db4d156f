import BenchReport
import Foundation

/// A run of another program, from its start to its end.
enum ChildProcess {
  /// Runs `program`, and says what it took.
  ///
  /// - Parameters:
  ///   - output: the file that its output goes to; by default it is discarded.
  ///   - errors: the file that its messages go to; by default they are ours.
  /// - Throws: `BenchError` where it does not start, or ends with another status than 0.
  @discardableResult
  static func run(
    _ program: String, _ arguments: [String], output: String = "/dev/null", errors: String? = nil
  ) throws -> Sample {
    let words = [program] + arguments
    let pointers: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    defer { for pointer in pointers { free(pointer) } }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    let flags = O_WRONLY | O_CREAT | O_TRUNC
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output, flags, 0o600)
    if let errors {
      posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, errors, flags, 0o600)
    }

    var attributes = signalsAsUsual()
    defer { posix_spawnattr_destroy(&attributes) }

    let watch = Stopwatch()
    var process = pid_t()
    let code = posix_spawn(&process, program, &actions, &attributes, pointers, environ)
    guard code == 0 else {
      throw BenchError.system(
        operation: "start", path: program, reason: String(cString: strerror(code)))
    }
    let memory = PeakMemory(of: process)
    defer { _ = memory.stop() }
    var usage = rusage()
    var status: Int32 = 0
    while wait4(process, &status, 0, &usage) < 0 {
      guard errno == EINTR else {
        throw BenchError.system(
          operation: "wait for", path: program, reason: String(cString: strerror(errno)))
      }
    }
    var sample = watch.stop()
    guard status == 0 else {
      throw BenchError.failedProcess(words.joined(separator: " "), status: status)
    }
    sample.processorSeconds = usage.ru_utime.seconds + usage.ru_stime.seconds
    sample.allocations = nil
    sample.residentBytes = memory.stop()
    return sample
  }

  /// Runs it `count` times, and takes the median of their times for the time of each.
  static func median(of count: Int, _ program: String, _ arguments: [String]) throws -> Sample {
    let samples = try (0..<count).map { _ in try run(program, arguments) }
    return Sample(
      seconds: (Spread(samples.map(\.seconds))?.median ?? 0) * Double(count),
      processorSeconds: samples.compactMap(\.processorSeconds).reduce(0, +),
      residentBytes: samples.compactMap(\.residentBytes).max())
  }

  /// The signals that this process ignores would be ignored by its children too.
  private static func signalsAsUsual() -> posix_spawnattr_t {
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGINT)
    sigaddset(&signals, SIGTERM)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
    return attributes
  }

  /// The program that this is.
  static var own: String {
    URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().path
  }

  /// The program `name` that lies beside this one.
  ///
  /// - Throws: `BenchError.missing` where there is none.
  static func neighbour(_ name: String) throws -> String {
    let path = URL(fileURLWithPath: own).deletingLastPathComponent()
      .appendingPathComponent(name).path
    guard FileManager.default.isExecutableFile(atPath: path) else {
      throw BenchError.missing(
        path: path, remedy: "Build it first: swift build -c release --product \(name)")
    }
    return path
  }

  /// Where on the PATH the program `name` is; nil where it is not.
  static func onPath(_ name: String) -> String? {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    return path.split(separator: ":").map { "\($0)/\(name)" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }
}

extension timeval {
  fileprivate var seconds: Double { Double(tv_sec) + Double(tv_usec) / 1e6 }
}
