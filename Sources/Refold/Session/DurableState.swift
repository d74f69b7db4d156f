import EventStoreCore
import Synchronization

/// The state that is durable, and who watches it.
///
/// It is a fold of its own behind the store: the mutations of a commit are reduced once more when
/// that is durable. A reference to the state that the loop had at that moment would be cheaper for
/// small states, but then the next `reduce` would copy whatever it touches. For the same reason the
/// fold is done in place, under the lock: who reads the state meanwhile waits for it.
final class DurableState<R: Reactor>: Sendable {
  typealias Observer = @Sendable (R.State) -> Void

  private let reactor: R
  private let content: Mutex<Content>
  /// How many observers there are, for `isWatched`, which every commit asks.
  private let count = Atomic(0)
  /// Whether the fold is done on a copy, because `reduce` may read `latest`.
  private let foldsCopy = Atomic(false)

  private struct Content {
    var version: Version
    var next = 0
    /// The last observer that came before `state`, and was not handed that to start with.
    var lastBefore = 0
    var isFinished = false
    var observers: [Int: (observer: Observer, end: @Sendable () -> Void)] = [:]
    /// What `transform(state:)` last made of a state, where there is such a transform.
    var transformed: R.State?
    var state: R.State
  }

  init(_ reactor: R, _ state: R.State, at version: Version) {
    self.reactor = reactor
    content = Mutex(Content(version: version, state: state))
  }

  /// The latest state that observers were given, or would have been.
  var latest: R.State { content.withLock { $0.transformed ?? $0.state } }

  /// The state that the log folds to up to `version`.
  var value: (state: R.State, version: Version) { content.withLock { ($0.state, $0.version) } }

  /// Whether somebody watches.
  var isWatched: Bool { count.load(ordering: .acquiring) > 0 }

  /// Takes note that what the reactor does reads `latest`, so that its `reduce` may do so too.
  /// Every `reduce` that is to come is given the state before it from now on, at the cost of a copy.
  func mayBeReadByReactor() { foldsCopy.store(true, ordering: .relaxed) }

  /// Folds in `mutations`, which are durable up to `version`.
  func fold(_ mutations: [R.Mutation], through version: Version) {
    fold(mutations, 0..<mutations.count, through: version)
  }

  /// Folds in one of `mutations`, which is the event `seq`.
  /// - Returns: the state after it.
  func fold(_ index: Int, of mutations: [R.Mutation], seq: Seq) -> R.State {
    fold(mutations, index..<index + 1, through: seq)
    return value.state
  }

  private func fold(_ mutations: [R.Mutation], _ range: Range<Int>, through version: Version) {
    if foldsCopy.load(ordering: .relaxed) {
      var copy = value.state
      reactor._fold(mutations, range, state: &copy)
      return replace(by: copy, at: version)
    }
    content.withLock { content in
      reactor._fold(mutations, range, state: &content.state)
      (content.version, content.lastBefore) = (version, content.next)
    }
  }

  /// Takes the state that another fold of the log has reached.
  func replace(by state: R.State, at version: Version) {
    content.withLock { ($0.state, $0.version, $0.lastBefore) = (state, version, $0.next) }
  }

  /// Gives `state` to everybody, in the order in which they came. `latest` is `state` by then.
  ///
  /// - Parameter isTransformed: whether there is a transform that it has passed.
  func show(_ state: R.State, isTransformed: Bool) {
    let (observers, last) = content.withLock { content in
      if isTransformed { content.transformed = state }
      return (content.observers, isTransformed ? content.next : content.lastBefore)
    }
    if observers.isEmpty { return }
    for token in observers.keys.sorted() where token <= last { observers[token]?.observer(state) }
  }

  /// Adds an observer of the states after the latest, which `start` is handed.
  ///
  /// - Parameter end: called when no state will follow.
  /// - Returns: a token for `remove`; nil where the session has ended already.
  func add(
    start: (R.State) -> Void, _ observer: @escaping Observer, end: @escaping @Sendable () -> Void
  ) -> Int? {
    content.withLock { content in
      start(content.transformed ?? content.state)
      if content.isFinished { return nil }
      content.next += 1
      content.observers[content.next] = (observer, end)
      count.store(content.observers.count, ordering: .releasing)
      return content.next
    }
  }

  func remove(_ token: Int) {
    content.withLock { content in
      content.observers.removeValue(forKey: token)
      count.store(content.observers.count, ordering: .releasing)
    }
  }

  /// Ends every stream.
  func finish() {
    let observers = content.withLock { content in
      content.isFinished = true
      defer {
        content.observers = [:]
        count.store(0, ordering: .releasing)
      }
      return content.observers
    }
    for token in observers.keys.sorted() { observers[token]?.end() }
  }
}
