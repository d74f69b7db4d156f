import Foundation
import Synchronization
import Testing

/// A headless Chromium, spoken to over its DevTools protocol: JSON messages that end in a NUL, on
/// two pipes (chromedevtools.github.io/devtools-protocol).
final class Browser: Sendable {
  /// Where Debian's package `chromium` puts it; `REFOLD_CHROMIUM` names another.
  static let path = ProcessInfo.processInfo.environment["REFOLD_CHROMIUM"] ?? "/usr/bin/chromium"

  static let isThere = FileManager.default.isExecutableFile(atPath: path)

  /// What a test says that is skipped without one.
  static let absence: Comment =
    "there is no chromium: apt-get install chromium, or name one with REFOLD_CHROMIUM"

  /// `@unchecked Sendable`: the process is started and ended by its owner alone, and the input
  /// written under the lock of `state`.
  private struct Handles: @unchecked Sendable {
    let process: Process
    let input: FileHandle
    let output: FileHandle
  }

  private struct State {
    var unread = Data()
    var lastID = 0
    var session: String?
    var answers: [Int: CheckedContinuation<Data, any Error>] = [:]
    /// How many pages were loaded, and who waits for how many.
    var loads = 0
    var waiters: [(loads: Int, continuation: CheckedContinuation<Void, any Error>)] = []
    var complaints: [String] = []
    var isOver = false
  }

  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  private let handles: Handles
  private let state = Mutex(State())

  /// Starts a browser of its own for a test, with its profile in `folder`.
  init(in folder: URL) async throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/bash")
    let flags = [
      "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
      "--no-first-run", "--disable-extensions", "--disable-background-networking",
      "--remote-debugging-pipe", "--window-size=1400,900",
      "--user-data-dir=\(folder.appendingPathComponent("profile").path)",
    ]
    // The protocol is spoken on the descriptors 3 and 4.
    let script = "exec \"$@\" 3<&0 4>&1 0</dev/null 1>/dev/null 2>/dev/null"
    process.arguments = ["-c", script, "bash", Self.path] + flags + ["about:blank"]
    let (input, output) = (Pipe(), Pipe())
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    handles = Handles(
      process: process, input: input.fileHandleForWriting, output: output.fileHandleForReading)
    handles.output.readabilityHandler = { [weak self] handle in
      let data = handle.availableData
      if data.isEmpty { handle.readabilityHandler = nil }
      self?.take(data)
    }
    try await attach()
  }

  deinit {
    handles.output.readabilityHandler = nil
    handles.process.terminate()
    handles.process.waitUntilExit()
  }

  private func attach() async throws {
    let target = try await send("Target.createTarget", ["url": "about:blank"])
    let attached = try await send(
      "Target.attachToTarget", ["targetId": target["targetId"] ?? "", "flatten": true])
    state.withLock { $0.session = attached["sessionId"] as? String }
    for domain in ["Page", "Runtime", "Log"] { try await send("\(domain).enable", [:]) }
  }

  /// Opens a file, at a fragment of it, and returns when it is loaded.
  func open(_ path: String, fragment: String = "") async throws {
    // By way of a blank page: a fragment alone would not load the file anew.
    try await navigate("about:blank")
    try await navigate(URL(fileURLWithPath: path).absoluteString + fragment)
  }

  /// Loads the page anew.
  func reload() async throws { try await load("Page.reload", [:]) }

  private func navigate(_ address: String) async throws {
    try await load("Page.navigate", ["url": address])
  }

  private func load(_ method: String, _ parameters: [String: String]) async throws {
    let loads = state.withLock { $0.loads }
    try await send(method, parameters)
    try await withCheckedThrowingContinuation { continuation in
      let isLoaded = state.withLock { state in
        if state.loads > loads || state.isOver { return true }
        state.waiters.append((loads + 1, continuation))
        return false
      }
      if isLoaded { continuation.resume() }
    }
  }

  /// Presses a key.
  func press(_ key: String) async throws {
    var down: [String: Any] = ["type": "keyDown", "key": key]
    if key.count == 1 { down["text"] = key }
    try await send("Input.dispatchKeyEvent", down)
    try await send("Input.dispatchKeyEvent", ["type": "keyUp", "key": key])
    try await settle()
  }

  /// Makes the page so wide and high.
  func resize(width: Int, height: Int) async throws {
    try await send(
      "Emulation.setDeviceMetricsOverride",
      ["width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 700])
    try await settle()
  }

  /// Sets the reader's colour scheme, `light` or `dark`.
  func prefer(_ scheme: String) async throws {
    try await send(
      "Emulation.setEmulatedMedia",
      ["features": [["name": "prefers-color-scheme", "value": scheme]]])
    try await settle()
  }

  /// Waits until the page has drawn what it was asked for.
  func settle() async throws {
    _ = try await value("new Promise(r => requestAnimationFrame(() => requestAnimationFrame(r)))")
  }

  /// What exceptions, errors and refusals by its policy the page has had so far.
  var complaints: [String] { state.withLock { $0.complaints } }

  /// The text that a script evaluates to.
  @discardableResult
  func text(_ script: String) async throws -> String {
    try await value("(async () => String(\(script)))()") as? String ?? ""
  }

  /// The whole number that a script evaluates to.
  func number(_ script: String) async throws -> Int {
    Int(try await text(script)) ?? Int.min
  }

  /// Waits until a script gives true; the suite's time limit ends a wait for what never comes.
  func wait(until script: String) async throws {
    _ = try await value(
      "new Promise(r => { const ask = () => (\(script)) ? r() : requestAnimationFrame(ask); ask() })"
    )
  }

  private func value(_ script: String) async throws -> Any? {
    let answer = try await send(
      "Runtime.evaluate",
      ["expression": script, "awaitPromise": true, "returnByValue": true])
    if let exception = answer["exceptionDetails"] { throw Failure(description: "\(exception)") }
    return (answer["result"] as? [String: Any])?["value"]
  }

  @discardableResult
  private func send(_ method: String, _ parameters: [String: Any]) async throws -> [String: Any] {
    let (id, session) = state.withLock { state in
      state.lastID += 1
      return (state.lastID, state.session)
    }
    var message: [String: Any] = ["id": id, "method": method, "params": parameters]
    if let session { message["sessionId"] = session }
    let bytes = try JSONSerialization.data(withJSONObject: message) + [0]
    let data = try await withCheckedThrowingContinuation {
      (answer: CheckedContinuation<Data, any Error>) in
      let isOver = state.withLock { state in
        if state.isOver { return true }
        state.answers[id] = answer
        // Under the lock, so that no two messages mix.
        try? handles.input.write(contentsOf: bytes)
        return false
      }
      if isOver { answer.resume(throwing: Failure(description: "the browser has ended")) }
    }
    let answer = try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:]
    if let error = answer["error"] { throw Failure(description: "\(method): \(error)") }
    return answer["result"] as? [String: Any] ?? [:]
  }

  private func take(_ data: Data) {
    let messages = state.withLock { state -> [Data] in
      state.unread.append(data)
      var messages = state.unread.split(separator: 0, omittingEmptySubsequences: false)
      state.unread = Data(messages.removeLast())
      return messages.map { Data($0) }
    }
    for message in messages { handle(message) }
    if data.isEmpty { end() }
  }

  private func handle(_ message: Data) {
    guard let object = try? JSONSerialization.jsonObject(with: message) as? [String: Any] else {
      return
    }
    if let id = object["id"] as? Int {
      state.withLock { $0.answers.removeValue(forKey: id) }?.resume(returning: message)
      return
    }
    let method = object["method"] as? String ?? ""
    if ["Runtime.exceptionThrown", "Log.entryAdded", "Runtime.consoleAPICalled"].contains(method) {
      state.withLock { $0.complaints.append("\(object["params"] ?? "")") }
    }
    guard method == "Page.loadEventFired" else { return }
    let ready = state.withLock { state in
      state.loads += 1
      let (all, loads) = (state.waiters, state.loads)
      state.waiters = all.filter { $0.loads > loads }
      return all.filter { $0.loads <= loads }
    }
    for waiter in ready { waiter.continuation.resume() }
  }

  private func end() {
    let (answers, waiters) = state.withLock { state in
      state.isOver = true
      defer { (state.answers, state.waiters) = ([:], []) }
      return (Array(state.answers.values), state.waiters.map(\.continuation))
    }
    let failure = Failure(description: "the browser has ended")
    for answer in answers { answer.resume(throwing: failure) }
    for waiter in waiters { waiter.resume(throwing: failure) }
  }
}
