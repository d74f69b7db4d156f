import JSONTree
import Refold

/// The lines of `--emit states` and `--emit diffs`: a state, or what changed since the line before.
struct StateLineWriter<R: Reactor> {
  private let diffs: Bool
  private let codec = EventCodec()
  private var previous: JSONValue?
  private var previousBytes: [UInt8] = []

  /// A writer of states, or of diffs.
  init(diffs: Bool) { self.diffs = diffs }

  /// Takes the state of `fold` as the one that the first diff is against.
  mutating func start(at fold: Fold<R>) throws {
    previousBytes = try codec.encode(fold.state)
    previous = try JSONValue(parsing: previousBytes)
  }

  /// Appends the line for `fold` to `lines`; `session` where several sessions are mixed.
  mutating func append(
    _ fold: Fold<R>, session: String? = nil, to lines: inout [UInt8]
  ) throws {
    try JSONLine.append(to: &lines) { line in
      if let session { line.member("session", session) }
      line.member("seq", fold.seq)
      if diffs {
        let patch = try patch(to: codec.encode(fold.state))
        line.member("patch") { patch.append(to: &$0) }
      } else {
        try line.member("state") { try codec.encode(fold.state, into: &$0) }
      }
    }
  }

  private mutating func patch(to state: [UInt8]) throws -> JSONValue {
    // Equal states are equal bytes.
    if state == previousBytes { return .array([]) }
    let value = try JSONValue(parsing: state)
    defer { (previous, previousBytes) = (value, state) }
    return JSONPatch(from: previous ?? .null, to: value).json
  }
}
