import EventStoreCore
import Refold

/// The log of the session called `name`, a line an event: seq, kind, cause, payload.
func log(of name: String, in store: any EventStore) throws -> [String] {
  guard let info = try store.session(named: SessionName(name)) else { return [] }
  var lines: [String] = []
  try store.forEachEvent(of: info.id) { header, payload in
    let text = payload.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    let shown = header.kind == .pending ? "" : " \(text)"
    lines.append("\(header.seq) \(header.kind.name) \(header.cause)\(shown)")
  }
  return lines
}

/// A gate that a test opens by hand: what effects of tests wait for instead of sleeping.
actor Gate {
  private var isOpen = false
  private var waiters: [CheckedContinuation<Void, Never>] = []

  func open() {
    isOpen = true
    for waiter in waiters { waiter.resume() }
    waiters = []
  }

  /// Returns when the gate is open, whatever becomes of the calling task.
  func wait() async {
    if isOpen { return }
    await withCheckedContinuation { waiters.append($0) }
  }
}
