import Refold
import Synchronization

/// The music screen in the manner of Input and Output, over a session; called HomeViewModel as in the
/// original, and nothing of the market's home screen.
///
///     let model = HomeViewModel(session)
///     let output = model.transform(input: HomeViewModel.Input(viewDidLoad: screen.viewDidLoad))
///     for await sections in output.sections { screen.show(sections) }
///
/// The view says what happens to it and is told what to show; what lies between is a reactor, so
/// everything that was shown is in the session's log.
///
/// The model owns the way from the inputs to the session: releasing it ends that, as a dispose bag
/// would. The session is its maker's to close.
public final class HomeViewModel: Sendable {
  /// What happens to the view.
  public struct Input: Sendable {
    /// It has loaded, each time.
    public var viewDidLoad: AsyncStream<Void>

    /// The events of a view.
    public init(viewDidLoad: AsyncStream<Void>) { self.viewDidLoad = viewDidLoad }
  }

  /// What the view shows. Each reading of a property is a subscription of its own, so several parts
  /// of a view may follow the same one. All end with the session, and none fails.
  public struct Output: Sendable {
    fileprivate let session: Session<MusicReactor>

    /// Whether to show that something is on its way. A driver: the latest value at once, then each
    /// that differs.
    public var isLoading: AsyncStream<Bool> { session.driver(\.isLoading) }

    /// What to show. A driver: the latest sections at once, then each that differ.
    public var sections: AsyncStream<[MusicSection]> { session.driver(\.sections) }

    /// What to say. A signal: each message from now on, also an equal one, and none of the past: who
    /// comes back to the screen is not told again.
    public var errorMessage: AsyncCompactMapSequence<AsyncStream<String?>, String> {
      session.pulse(\.$errorMessage, replay: false).compactMap { $0 }
    }
  }

  private let session: Session<MusicReactor>
  private let bindings = Mutex<[Task<Void, Never>]>([])

  /// A model over `session`.
  public init(_ session: Session<MusicReactor>) { self.session = session }

  deinit { bindings.withLock { tasks in for task in tasks { task.cancel() } } }

  /// Carries `input` to the session for as long as this model lives, and gives what to show.
  public func transform(input: Input) -> Output {
    let task = Task { [session] in
      for await _ in input.viewDidLoad { session.enqueue(.viewDidLoad) }
    }
    bindings.withLock { $0.append(task) }
    return Output(session: session)
  }
}
