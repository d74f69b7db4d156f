import Foundation
import Refold

/// The screen that a livestream is sent from, as a port of ReactorKit to Combine has it: each step of
/// `viewDidLoad` is an effect by its own name, and an error of the server is several mutations.
///
/// Whether the onboarding was shown is in the state, so in the log. What an app remembers of it from
/// elsewhere is handed in, and is logged on opening as `updateOnboardingShown`, with cause 0.
public struct LivestreamReactor: Reactor {
  /// What can be asked for.
  public enum Action: Codable, Equatable, Sendable {
    /// The screen is there: set everything up.
    case viewDidLoad
    /// The onboarding was read.
    case closeOnboarding
    /// Use the other camera.
    case switchCamera
    /// Go on air.
    case startStreaming
    /// End the stream.
    case stopStreaming
  }

  /// What can happen.
  public enum Mutation: Codable, Equatable, Sendable {
    /// Whether the screen must not turn with the device.
    case updateNeedToLockOrientation(Bool)
    /// Whether the meter is on screen.
    case updateAudioLevelMeterState(AudioLevelMeterState)
    /// Whether the preview is to be set up.
    case updateSetUpInitialStream(Bool)
    /// Which camera is used.
    case setCamera(Camera)
    /// What the player is to load.
    case updateWebViewURL(URL)
    /// Whether the onboarding is on screen.
    case updateOnboardingState(Bool)
    /// Where the stream stands.
    case updateStreamingState(StreamingState)
    /// The server could not be asked, or refused.
    case setError(AppError)
    /// The onboarding was shown elsewhere, or is to be shown anew. Cause 0.
    case updateOnboardingShown(Bool)
  }

  /// Nothing set up, nothing on air.
  public let initialState = State()

  private let service: any LivestreamService
  private let deviceID: String
  private let wasOnboardingShown: Bool?

  /// A reactor.
  ///
  /// - Parameters:
  ///   - service: the server; by default the embedded one.
  ///   - deviceID: what the server is to know this device by.
  ///   - wasOnboardingShown: whether the onboarding was shown before; nil where the app does not know,
  ///     so that what the log says holds.
  public init(
    service: any LivestreamService = EmbeddedLivestreamService(), deviceID: String = "device-1",
    wasOnboardingShown: Bool? = nil
  ) {
    self.service = service
    self.deviceID = deviceID
    self.wasOnboardingShown = wasOnboardingShown
  }

  private enum CancelID: Hashable {
    case setUp
    case streaming
  }

  /// One of each action.
  public static var exampleActions: [Action] {
    [.viewDidLoad, .closeOnboarding, .switchCamera, .startStreaming, .stopStreaming]
  }

  /// `failed` where a start or a stop was left unfinished: whether the server heard of it is not known.
  public func recover(state: State) -> Mutation? {
    switch state.streamingState {
    case .starting, .stopping: .updateStreamingState(.failed)
    case .idle, .live, .failed: nil
    }
  }

  /// Merges what the app remembers, if it does; the log keeps it only where it is news.
  public func transform(mutation: Effect<Mutation>) -> Effect<Mutation> {
    guard let wasOnboardingShown else { return mutation }
    return .merge(mutation, .just(.updateOnboardingShown(wasOnboardingShown)))
  }

  /// Decides; see each action.
  public func mutate(action: Action, state: State) -> Effect<Mutation> {
    switch action {
    case .viewDidLoad: viewDidLoad(state)
    case .closeOnboarding: state.onboardingState ? .just(.updateOnboardingState(false)) : .empty
    case .switchCamera: .just(.setCamera(state.camera.other))
    case .startStreaming: state.streamingState == .live ? .empty : startStreaming()
    case .stopStreaming: state.streamingState == .idle ? .empty : stopStreaming(state)
    }
  }

  /// Applies `mutation`.
  public func reduce(state: inout State, mutation: Mutation) {
    switch mutation {
    case .updateNeedToLockOrientation(let isNeeded): state.needToLockOrientation = isNeeded
    case .updateAudioLevelMeterState(let meter): state.audioLevelMeterState = meter
    case .updateSetUpInitialStream(let isToBeSetUp): state.setUpInitialStream = isToBeSetUp
    case .setCamera(let camera): state.camera = camera
    case .updateWebViewURL(let url): state.webViewURL = url
    case .updateOnboardingState(let isShown):
      state.onboardingState = isShown
      if isShown { state.wasOnboardingShown = true }
    case .updateStreamingState(let streaming): state.streamingState = streaming
    case .setError(let error): state.error = error
    case .updateOnboardingShown(let wasShown): state.wasOnboardingShown = wasShown
    }
  }
}

// Setting up.
extension LivestreamReactor {
  /// Six steps, or seven with the onboarding. A step that fails keeps none of the others from coming.
  private func viewDidLoad(_ state: State) -> Effect<Mutation> {
    .concat(
      .just(.updateNeedToLockOrientation(true)),
      .just(.updateAudioLevelMeterState(.visible)),
      .just(.updateSetUpInitialStream(true)),
      .just(.setCamera(state.camera)),
      getWebViewPlayerURL(),
      state.wasOnboardingShown ? .empty : .just(.updateOnboardingState(true)),
      updateCurrentDeviceID()
    )
    .cancellable(id: CancelID.setUp, cancelInFlight: true)
  }

  /// Without a player there is nothing to look at: the screen says so, sets nothing up, and may turn
  /// again. A stream that is on air is not touched.
  private func getWebViewPlayerURL() -> Effect<Mutation> {
    .callAPI {
      try await service.webViewPlayerURL()
    } onSuccess: { url in
      .just(.updateWebViewURL(url))
    } onError: { error in
      .from([
        .setError(AppError(error)), .updateSetUpInitialStream(false),
        .updateNeedToLockOrientation(false),
      ])
    }
  }

  /// Nobody waits for it, and nobody can do anything about its failing.
  private func updateCurrentDeviceID() -> Effect<Mutation> {
    .callAPI {
      try await service.updateCurrentDeviceID(deviceID)
    } onSuccess: {
      .empty
    } onError: { _ in
      .empty
    }
  }
}

// The stream. Starting and stopping cancel each other: the server is told the latest wish last, and
// both may be said twice. So either can be tapped again where one was cut off.
extension LivestreamReactor {
  private func startStreaming() -> Effect<Mutation> {
    .concat(
      .just(.updateStreamingState(.starting)),
      .callAPI {
        try await service.startStreaming()
        return .updateStreamingState(.live)
      } onError: { error in
        .of(.setError(AppError(error)), .updateStreamingState(.failed))
      }
    )
    .cancellable(id: CancelID.streaming, cancelInFlight: true)
  }

  /// A stream that was on air still is where the server does not agree.
  private func stopStreaming(_ state: State) -> Effect<Mutation> {
    let after: StreamingState = state.streamingState == .live ? .live : .failed
    return .concat(
      .just(.updateStreamingState(.stopping)),
      .callAPI {
        try await service.stopStreaming()
        return .updateStreamingState(.idle)
      } onError: { error in
        .of(.setError(AppError(error)), .updateStreamingState(after))
      }
    )
    .cancellable(id: CancelID.streaming, cancelInFlight: true)
  }
}
