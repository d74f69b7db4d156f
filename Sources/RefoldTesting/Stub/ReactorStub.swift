import Refold
import Synchronization

/// Stands in for a session where a view or an observer is tested: actions are recorded and do
/// nothing, the state is what the test sets.
///
///     let stub = ReactorStub(CounterReactor())
///     let screen = CounterScreen(stub)
///     stub.state.value = 7                    // the screen shows 7
///     screen.tapPlus()
///     #expect(stub.actions.count == 1)        // and asked for one more
///
/// It has the members of `Session` that such code uses. Neither `mutate` nor `reduce` is called, and
/// nothing is logged. May be used from any thread.
public final class ReactorStub<R: Reactor>: Sendable {
  private let content: Mutex<Content>

  private struct Content {
    var state: R.State
    var actions: [R.Action] = []
    var observers: [Int: AsyncStream<R.State>.Continuation] = [:]
    var nextObserver = 0
    var isFinished = false
  }

  /// A stub in the initial state of `reactor`.
  public convenience init(_ reactor: R) { self.init(state: reactor.initialState) }

  /// A stub in `state`.
  public init(state: R.State) { content = Mutex(Content(state: state)) }

  deinit { finish() }

  /// The actions sent so far, oldest first.
  public var actions: [R.Action] { content.withLock { $0.actions } }

  /// The state. Setting it tells every observer, also of an equal value.
  public var state: R.State {
    get { content.withLock { $0.state } }
    set { update { $0 = newValue } }
  }

  /// Changes the state, and tells every observer once.
  public func update(_ change: (inout R.State) -> Void) {
    content.withLock { content in
      change(&content.state)
      for observer in content.observers.values { observer.yield(content.state) }
    }
  }

  /// Ends the streams of all observers, as closing a session does.
  public func finish() {
    let observers = content.withLock { content in
      content.isFinished = true
      defer { content.observers = [:] }
      return content.observers.values
    }
    for observer in observers { observer.finish() }
  }
}

// As a session.
extension ReactorStub {
  /// As `Session.currentState`.
  public var currentState: R.State { state }

  /// As `Session.states`: the latest state at once, then every change; a consumer that is slow skips
  /// to the newest.
  public var states: AsyncStream<R.State> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let token: Int? = content.withLock { content in
        continuation.yield(content.state)
        if content.isFinished { return nil }
        content.nextObserver += 1
        content.observers[content.nextObserver] = continuation
        return content.nextObserver
      }
      guard let token else { return continuation.finish() }
      continuation.onTermination = { [weak self] _ in
        self?.content.withLock { _ = $0.observers.removeValue(forKey: token) }
      }
    }
  }

  /// As `Session.enqueue`: records `action`.
  public func enqueue(_ action: R.Action) { content.withLock { $0.actions.append(action) } }

  /// As `Session.send`, without a receipt: records `action`.
  public func send(_ action: R.Action) async throws { enqueue(action) }
}
