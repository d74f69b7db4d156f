import Foundation
import Refold

/// Which of the device's two cameras is used.
public enum Camera: String, Codable, CaseIterable, Sendable {
  /// The one on the side of the screen.
  case front
  /// The one on the other side.
  case back

  /// The other one.
  public var other: Camera { self == .front ? .back : .front }
}

/// Whether the meter of the microphone's level is on screen.
public enum AudioLevelMeterState: String, Codable, CaseIterable, Sendable {
  /// It is not.
  case hidden
  /// It is.
  case visible
}

/// Where a stream stands.
public enum StreamingState: String, Codable, CaseIterable, Sendable {
  /// Nothing is sent.
  case idle
  /// The server was asked to take the stream.
  case starting
  /// It is on air.
  case live
  /// The server was asked to end it.
  case stopping
  /// The server could not be asked, or refused; whether it sends is not known.
  case failed
}

extension LivestreamReactor {
  /// The livestream's screen, and what has to be shown once.
  public struct State: Codable, Equatable, Sendable {
    /// Whether the screen must not turn with the device.
    public var needToLockOrientation = false
    /// Whether the meter is on screen.
    public var audioLevelMeterState = AudioLevelMeterState.hidden
    /// Which camera is used.
    public var camera = Camera.front
    /// Whether the onboarding is on screen.
    public var onboardingState = false
    /// Whether it ever was, here or, as far as was said, anywhere.
    public var wasOnboardingShown = false

    /// The preview is to be set up.
    @Pulse public var setUpInitialStream = false
    /// Where the stream stands.
    @Pulse public var streamingState = StreamingState.idle
    /// What the player is to load.
    @Pulse public var webViewURL: URL?
    /// What went wrong.
    @Pulse public var error: AppError?
  }
}
