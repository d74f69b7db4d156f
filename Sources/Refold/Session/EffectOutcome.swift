/// How the effect of an action ended.
public enum EffectOutcome: Sendable {
  /// By itself; also said of an action whose effect gave everything at once.
  case completed
  /// By its cancellation id, or by the session closing.
  case cancelled
  /// With an error that nobody caught.
  case failed(any Error)
}
