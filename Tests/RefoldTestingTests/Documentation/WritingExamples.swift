import EventStoreCore
import EventStoreSQLite
import Refold
import Synchronization
import Testing

/// The Swift code of docs/WritingAReactor.md.
enum WritingExamples {
  struct Profile: Codable, Sendable { var name: String }

  protocol ProfileService: Sendable {
    func profile() async throws -> Profile
  }

  struct ProfileReactor: Reactor {
    enum Action: Codable, Sendable {
      case refresh
      case rename(to: String)
      case cancel
    }

    enum Mutation: Codable, Sendable {
      case setLoading(Bool)
      case setProfile(Profile)
      case setName(String)
      case setAlert(String)
    }

    struct State: Codable, Sendable {
      var isLoading = false
      var profile: Profile?
      @Pulse var alert: String?
    }

    let initialState = State()
    let service: any ProfileService

    func mutate(action: Action, state: State) -> Effect<Mutation> {
      switch action {
      case .refresh: state.isLoading ? .empty : refresh()
      case .rename(let name): name.isEmpty ? .just(.setAlert("a name is needed")) : rename(to: name)
      case .cancel: .concat(.cancel(id: CancelID.refresh), .just(.setLoading(false)))
      }
    }

    private enum CancelID: Hashable, Sendable { case refresh }

    private func refresh() -> Effect<Mutation> {
      .concat(
        .just(.setLoading(true)),
        .task { [service] in .setProfile(try await service.profile()) }
          .catch { .just(.setAlert("\($0)")) },
        .just(.setLoading(false))
      ).cancellable(id: CancelID.refresh)
    }

    private func rename(to name: String) -> Effect<Mutation> { .just(.setName(name)) }

    func recover(state: State) -> Mutation? { state.isLoading ? .setLoading(false) : nil }

    func reduce(state: inout State, mutation: Mutation) {
      switch mutation {
      case .setLoading(let isLoading): state.isLoading = isLoading
      case .setProfile(let profile): state.profile = profile
      case .setName(let name): state.profile?.name = name
      case .setAlert(let text): state.alert = text
      }
    }
  }

  /// A sign-in that other parts of the program know of, merged from outside.
  struct CartReactor: Reactor {
    enum Action: Codable, Sendable { case clear }

    enum Mutation: Codable, Sendable {
      case setUser(String?)
      case removeAll
    }

    struct State: Codable, Sendable {
      var user: String?
      var items: [String] = []
    }

    let initialState = State()
    let users: BehaviorRelay<String?>

    func mutate(action: Action, state: State) -> Effect<Mutation> { .just(.removeAll) }

    func reduce(state: inout State, mutation: Mutation) {
      switch mutation {
      case .setUser(let user): state.user = user
      case .removeAll: state.items = []
      }
    }

    func transform(mutation: Effect<Mutation>) -> Effect<Mutation> {
      .merge(mutation, users.effect.map { .setUser($0) })
    }
  }

  static func catalogue() -> AnyReactor {
    AnyReactor(
      "what is in the cart", settings: [AnyReactor.Setting("user", "who is signed in")]
    ) { settings in
      CartReactor(users: BehaviorRelay(settings["user"]))
    }
  }

  enum VersionedMutation: Codable, Sendable {
    case setName(String)

    private enum CodingKeys: String, CodingKey {
      case setName
      case setTitle
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      // Until version 2 it was called setTitle; logs of that time still are to be read.
      let key = container.contains(.setTitle) ? CodingKeys.setTitle : .setName
      self = .setName(try container.decode(Payload.self, forKey: key)._0)
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      switch self {
      case .setName(let name): try container.encode(Payload(_0: name), forKey: .setName)
      }
    }

    private struct Payload: Codable { var _0: String }
  }

  /// Something that shows what a session tells.
  actor Screen {
    private(set) var showsSpinner: Bool?

    func showSpinner(_ isShown: Bool) { showsSpinner = isShown }
  }

  static func showAlerts(
    of session: Session<ProfileReactor>, _ show: (String) -> Void
  ) async {
    for await alert in session.pulse(\.$alert) {
      show(alert ?? "no alert")
    }
  }

  static func drive(_ screen: Screen, by session: Session<ProfileReactor>) -> Observation {
    let spinner = session.drive(\.isLoading, on: screen) { screen, isLoading in
      screen.showSpinner(isLoading)
    }
    return spinner
  }

  static func follow(_ session: Session<ProfileReactor>, from start: Seq) async throws -> Seq {
    var reached = start
    for try await event in session.events(after: reached) {
      reached = event.header.seq
      print(reached, event.header.kind.name, String(decoding: event.payload, as: UTF8.self))
    }
    return reached
  }

  static func open(_ reactor: ProfileReactor, in store: SQLiteEventStore) async throws {
    var options = SessionOptions()
    options.interrupted = .retry
    options.onIssue = { issue in print(issue) }
    let session = try await Session.open(reactor, named: "profile", in: store, options: options)
    let receipt = try await session.send(.refresh)  // its first step is on disk
    let outcome = await receipt.finished  // and now its whole effect
    print(outcome)
    try await session.close()
  }
}

/// They run as well as they compile.
@Suite("The examples of docs/WritingAReactor.md", .timeLimit(.minutes(5)))
struct WritingExamplesRun {
  private struct Service: WritingExamples.ProfileService {
    func profile() async throws -> WritingExamples.Profile { .init(name: "Mina") }
  }

  private func open() async throws -> Session<WritingExamples.ProfileReactor> {
    try await Session.open(
      WritingExamples.ProfileReactor(service: Service()), named: "profile",
      in: InMemoryEventStore())
  }

  @Test func an_alert_is_shown_each_time() async throws {
    let session = try await open()
    let shown = Mutex<[String]>([])
    let screen = Task {
      await WritingExamples.showAlerts(of: session) { alert in
        shown.withLock { $0.append(alert) }
      }
    }
    while shown.withLock({ $0.isEmpty }) { await Task.yield() }
    try await session.send(.rename(to: ""))
    try await session.send(.rename(to: ""))
    try await session.close()
    await screen.value
    #expect(shown.withLock { $0 } == ["no alert", "a name is needed", "a name is needed"])
  }

  @Test func a_screen_is_driven_on_its_actor() async throws {
    let session = try await open()
    let screen = WritingExamples.Screen()
    let spinner = WritingExamples.drive(screen, by: session)
    while await screen.showsSpinner == nil { await Task.yield() }
    let receipt = try await session.send(.refresh)
    _ = await receipt.finished
    while await screen.showsSpinner == true { await Task.yield() }
    spinner.cancel()
    try await session.close()
  }

  @Test func a_session_is_followed_to_its_end() async throws {
    let session = try await open()
    try await session.send(.rename(to: ""))
    let reached = Task { try await WritingExamples.follow(session, from: 1) }
    try await session.send(.rename(to: ""))
    try await session.close()
    #expect(try await reached.value == 4)
  }
}

struct VaultReactor: Reactor {
  enum Action: Codable, Sendable {
    case keep(token: Secret<String>)
  }

  enum Mutation: Codable, Sendable {
    case setToken(Secret<String>)
  }

  struct State: Codable, Sendable {
    var token: Secret<String>?
  }

  let initialState = State()
  static var exampleActions: [Action] { [.keep(token: Secret("t-1234"))] }

  func mutate(action: Action, state: State) -> Effect<Mutation> {
    switch action {
    case .keep(let token): .just(.setToken(token))
    }
  }

  func reduce(state: inout State, mutation: Mutation) {
    switch mutation {
    case .setToken(let token): state.token = token
    }
  }
}
