import Foundation

/// What a proof came to, for the table in docs/Guarantees.md: how much was tried, and what was lost.
///
///     Figures.note("Kill", "a run that writes", [("kills", 300), ("acknowledged", 41_233), ("lost", 0)])
///
/// `Tools/test` prints them all at its end.
package enum Figures {
  /// Takes note of the figures of `proof`, one of those of an area of docs/Guarantees.md.
  package static func note(_ area: String, _ proof: String, _ counts: [(what: String, Int)]) {
    guard let path = ProcessInfo.processInfo.environment["REFOLD_FIGURES"] else { return }
    let figures = counts.map { "\(grouped($0.1)) \($0.what)" }.joined(separator: ", ")
    append("\(area) | \(proof) | \(figures)\n", to: path)
  }

  /// One write to a file that is appended to: lines of several processes do not mix.
  private static func append(_ line: String, to path: String) {
    let descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    let bytes = Array(line.utf8)
    _ = write(descriptor, bytes, bytes.count)
  }

  /// `number` with a comma every three digits.
  private static func grouped(_ number: Int) -> String {
    let digits = Array(String(number.magnitude))
    let parts = digits.indices.map { index in
      let isStart = index > 0 && (digits.count - index).isMultiple(of: 3)
      return (isStart ? "," : "") + String(digits[index])
    }
    return (number < 0 ? "-" : "") + parts.joined()
  }
}
