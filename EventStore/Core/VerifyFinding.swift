/// Something in a store that is not as it was written.
public struct VerifyFinding: Hashable, Sendable {
  /// The session in which it is, nil where it concerns the whole store.
  public var session: String?
  /// The event at or behind which it is, where it can be told.
  public var seq: Seq?
  /// What is off, in plain words.
  public var problem: String

  /// A finding of these parts.
  public init(session: String? = nil, seq: Seq? = nil, problem: String) {
    self.session = session
    self.seq = seq
    self.problem = problem
  }
}

extension VerifyFinding: CustomStringConvertible {
  /// Where, and what: `session s1, seq 5: it is recorded before the event ahead of it`.
  public var description: String {
    let places = [session.map { "session \($0)" }, seq.map { "seq \($0)" }].compactMap { $0 }
    return places.isEmpty ? problem : places.joined(separator: ", ") + ": " + problem
  }
}
