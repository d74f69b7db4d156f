import Foundation

/// Tells on standard error how far long work is: only on a terminal, and only after a second.
struct Progress {
  private let console: Console
  private let verb: String
  private let isShown: Bool
  private let start = Date()
  private var next: Date
  private var count = 0

  /// Progress of work that `verb` names: "exported events: 12,000 (60,000/s)".
  init(_ verb: String, on console: Console) {
    self.console = console
    self.verb = verb
    isShown = console.errorIsTerminal
    next = start.addingTimeInterval(1)
  }

  /// Notes `amount` more; cheap enough for every event.
  mutating func advance(by amount: Int = 1) {
    count += amount
    guard isShown, count & 0xFF < amount else { return }
    let now = Date()
    guard now >= next else { return }
    next = now.addingTimeInterval(0.2)
    let perSecond = Int(Double(count) / now.timeIntervalSince(start))
    console.showProgress("\(verb) \(Printable.grouped(count)) (\(Printable.grouped(perSecond))/s)")
  }

  /// Notes that `total` are behind.
  mutating func reach(_ total: Int) {
    if total > count { advance(by: total - count) }
  }

  /// Removes the line.
  func end() {
    if isShown, Date().timeIntervalSince(start) >= 1 { console.showProgress("") }
  }
}
