import EventStoreTesting
import Foundation

/// The built tool, started by a test that means to end it: its output is read line by line, its input
/// is a file, or stays open until the test says otherwise.
///
/// Used by one thread. Every wait has an end: what takes longer than `patience` is reported.
final class Child {
  /// Where a child's standard input comes from.
  enum Input {
    case file(String)
    case open
  }

  /// How a child ended.
  enum Ending: Equatable {
    case code(Int32)
    case signal(Int32)
  }

  /// What a busy machine may need for anything that is waited for, in seconds.
  private static let patience = 180.0

  let pid: pid_t
  private var input: Int32?
  private var output: Int32?
  private var ending: Ending?
  private var bytes: [UInt8] = []
  private var lineCount = 0
  private let errors: String

  /// Starts `refold` with `arguments`.
  ///
  /// - Parameter errors: the file that its standard error is added to.
  init(_ arguments: [String], input: Input = .file("/dev/null"), errors: String) throws {
    self.errors = errors
    let out = try Self.pair()
    let inputs = try Self.inputs(input)
    defer {
      close(out.child)
      inputs.child.map { _ = close($0) }
    }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    switch (input, inputs.child) {
    case (.file(let path), _): posix_spawn_file_actions_addopen(&actions, 0, path, O_RDONLY, 0)
    case (.open, let child?): posix_spawn_file_actions_adddup2(&actions, child, 0)
    case (.open, nil): break
    }
    posix_spawn_file_actions_adddup2(&actions, out.child, 1)
    posix_spawn_file_actions_addopen(&actions, 2, errors, O_WRONLY | O_CREAT | O_APPEND, 0o600)
    pid = try Self.spawn([Shell.refold] + arguments, &actions)
    output = out.own
    self.input = inputs.own
  }

  deinit {
    if ending == nil {
      kill(pid, SIGKILL)
      _ = try? reap()
    }
    for descriptor in [input, output].compactMap(\.self) { close(descriptor) }
  }

  /// The whole lines that have come.
  var lines: [String] {
    let end = bytes.lastIndex(of: UInt8(ascii: "\n")) ?? bytes.startIndex
    return bytes[..<end].split(separator: UInt8(ascii: "\n")).map {
      String(decoding: $0, as: UTF8.self)
    }
  }

  /// What its standard error holds, that of earlier children in the same file included.
  var errorText: String { (try? String(contentsOfFile: errors, encoding: .utf8)) ?? "" }

  /// Writes `text` to its standard input; a child that is gone does not hear it.
  func send(_ text: String) {
    guard let input else { return }
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Foundation.send(input, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  /// Ends its standard input.
  func endInput() {
    input.map { _ = close($0) }
    input = nil
  }

  /// Reads until `count` lines have come in all, or the output has ended.
  /// - Returns: whether they have come.
  @discardableResult
  func read(lines count: Int) throws -> Bool {
    let deadline = Self.now + Self.patience
    while lineCount < count, output != nil {
      try require(Self.now < deadline, "line \(count) of the output did not come")
      readOnce(until: deadline)
    }
    return lineCount >= count
  }

  /// Reads whatever comes during `microseconds`, or until the output ends.
  func read(microseconds: Int) {
    let deadline = Self.now + Double(microseconds) / 1e6
    while Self.now < deadline, output != nil { readOnce(until: deadline) }
  }

  func signal(_ number: Int32) { if ending == nil { kill(pid, number) } }

  /// Reads the rest, and waits for the end.
  func wait() throws -> Ending {
    let deadline = Self.now + Self.patience
    while output != nil {
      try require(Self.now < deadline, "process \(pid) does not end")
      readOnce(until: deadline)
    }
    return try reap()
  }

  /// Kills it at once, and reads what it wrote before that.
  func kill9() throws -> Ending {
    signal(SIGKILL)
    return try wait()
  }
}

extension Child {
  private static var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  private func readOnce(until deadline: Double) {
    guard let output else { return }
    var ready = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
    let left = max(0, deadline - Self.now)
    // poll counts in milliseconds; the moment of a kill should be finer.
    if left < 0.001 { usleep(UInt32(left * 1e6)) }
    guard poll(&ready, 1, Int32(min(left, 60) * 1000)) > 0 else { return }
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    let count = Foundation.read(output, &buffer, buffer.count)
    if count > 0 {
      bytes.append(contentsOf: buffer[..<count])
      lineCount += buffer[..<count].count { $0 == UInt8(ascii: "\n") }
    } else if count == 0 {
      close(output)
      self.output = nil
    }
  }

  private func reap() throws -> Ending {
    if let ending { return ending }
    var status: Int32 = 0
    while waitpid(pid, &status, 0) < 0 {
      try require(errno == EINTR, "process \(pid) cannot be waited for: errno \(errno)")
    }
    let ending: Ending =
      status & 0x7f == 0 ? .code((status >> 8) & 0xff) : .signal(status & 0x7f)
    self.ending = ending
    return ending
  }

  /// Two ends of a connection that other children do not inherit. Sockets, because a pipe cannot be
  /// made that way from here, and writing to one without a reader would end the test.
  private static func pair() throws -> (own: Int32, child: Int32) {
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    try require(socketpair(AF_UNIX, kind, 0, &ends) == 0, "no socket: errno \(errno)")
    return (ends[0], ends[1])
  }

  private static func inputs(_ input: Input) throws -> (own: Int32?, child: Int32?) {
    guard case .open = input else { return (nil, nil) }
    let (own, child) = try pair()
    return (own, child)
  }

  private static func spawn(
    _ words: [String], _ actions: inout posix_spawn_file_actions_t
  ) throws -> pid_t {
    let environment = ProcessInfo.processInfo.environment.map { "\($0.key)=\($0.value)" }
    var arguments = words.map { strdup($0) } + [nil]
    var variables = environment.map { strdup($0) } + [nil]
    defer { for text in arguments + variables { free(text) } }
    var pid: pid_t = 0
    let code = posix_spawn(&pid, words[0], &actions, nil, &arguments, &variables)
    try require(code == 0, "\(words[0]) does not start: errno \(code)")
    return pid
  }
}
