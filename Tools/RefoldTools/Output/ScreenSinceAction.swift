import EventStoreCore
import Refold
import Sections

// A screen shows what the last action has brought up; what came before that is old news.

extension ScreenPresenting {
  /// The screen in this state, with what has been news since `earlier`, a state of the same type.
  ///
  /// - Throws: as `screen(since:)`.
  func screen(sinceAny earlier: Any) throws -> Screen {
    guard let earlier = earlier as? Self else { return try screen() }
    return try screen(since: earlier)
  }
}

extension EventStore {
  /// The seq of the last action of `session` up to `last`, nil where there is none.
  /// - Complexity: O(log n + k) for the k events behind it, rounded up to what is read at once.
  func lastAction(of session: SessionID, through last: Seq) throws -> Seq? {
    var (end, step) = (last.rawValue, UInt32(64))
    while end > 0 {
      let start = end > step ? end - step : 0
      var found: Seq?
      try forEachEvent(of: session, after: Seq(start), through: Seq(end)) { header, _ in
        if header.kind == .action { found = header.seq }
      }
      if let found { return found }
      (end, step) = (start, min(step, .max / 2) * 2)
    }
    return nil
  }
}

extension Reactor {
  /// The initial state, to be asked what it conforms to.
  var anyInitialState: any Sendable { initialState }
}
