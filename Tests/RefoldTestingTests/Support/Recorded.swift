import Synchronization
import Testing

/// The issues that `body` records, as the messages that people read. None of them fails the test,
/// so that failures can be tested.
nonisolated(nonsending) func recordedIssues(
  _ body: nonisolated(nonsending) () async throws -> Void
) async throws -> [RecordedIssue] {
  let issues = Issues()
  try await withKnownIssue(isIntermittent: true) {
    try await body()
  } matching: { issue in
    issues.append(issue)
    return issue.error == nil
  }
  return issues.all
}

/// What a test would have told.
struct RecordedIssue: Sendable {
  let message: String
  let line: Int?
}

private final class Issues: Sendable {
  private let content = Mutex<[RecordedIssue]>([])

  var all: [RecordedIssue] { content.withLock { $0 } }

  func append(_ issue: Issue) {
    let message = issue.comments.map(\.rawValue).joined(separator: "\n")
    let recorded = RecordedIssue(message: message, line: issue.sourceLocation?.line)
    content.withLock { $0.append(recorded) }
  }
}
