import JSONTree
import Refold

/// The lines of `--emit states` and `--emit diffs`: a state, or what changed since the line before.
struct StateLineWriter<R: Reactor> {
  private let diffs: Bool
  private var state: [UInt8] = []
  private var previous = IndexedJSON()
  private var current = IndexedJSON()

  /// A writer of states, or of diffs.
  init(diffs: Bool) { self.diffs = diffs }

  /// Takes the state of `fold` as the one that the first diff is against.
  mutating func start(at fold: Fold<R>) throws {
    try previous.read { try fold.encodeState(into: &$0) }
  }

  /// Appends the line for `fold` to `lines`; `session` where several sessions are mixed.
  ///
  /// - Parameter isUnchanged: whether the state is known to be that of the line before.
  mutating func append(
    _ fold: Fold<R>, isUnchanged: Bool = false, session: String? = nil, to lines: inout [UInt8]
  ) throws {
    try JSONLine.append(to: &lines) { line in
      if let session { line.member("session", session) }
      line.member("seq", fold.seq)
      if diffs {
        try addPatch(to: fold, isUnchanged: isUnchanged, &line)
      } else {
        if !isUnchanged || state.isEmpty {
          state.removeAll(keepingCapacity: true)
          try fold.encodeState(into: &state)
        }
        line.member("state", json: state)
      }
    }
  }

  private mutating func addPatch(
    to fold: Fold<R>, isUnchanged: Bool, _ line: inout JSONLine
  ) throws {
    let hasChanged =
      try !isUnchanged
      && current.read(after: previous) { try fold.encodeState(into: &$0) }
    guard hasChanged else { return line.member("patch", json: "[]".utf8) }
    line.member("patch") { JSONPatch.append(from: previous, to: current, to: &$0) }
    swap(&previous, &current)
  }
}
