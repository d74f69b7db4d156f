import EventStoreCore
import EventStoreTesting
import Refold

/// What was sent, and what the senders were told.
struct Submissions {
  struct Submission {
    let action: SimulatedReactor.Action
    /// The process that it was sent to, and with it the sender.
    let process: Int
    let delivery: String?
    var outcome: Outcome?
  }

  enum Outcome: Equatable {
    case acknowledged(Seq, isRepeated: Bool)
    /// Nothing of it is in the log.
    case refused
    /// A commit failed, or the process died: it may be in the log.
    case unknown
  }

  private(set) var all: [Submission] = []

  /// Takes note of one that is about to be sent.
  /// - Returns: its number.
  mutating func begin(
    _ action: SimulatedReactor.Action, to process: Int, delivery: String? = nil
  ) -> Int {
    all.append(Submission(action: action, process: process, delivery: delivery))
    return all.count - 1
  }

  mutating func end(_ number: Int, _ outcome: Outcome) throws {
    try require(
      all[number].outcome == nil, "the sender of action \(all[number].action.id) was told twice")
    all[number].outcome = outcome
  }

  /// A process died: who waits for it is told nothing any more.
  mutating func lose(_ process: Int) {
    for number in all.indices where all[number].process == process {
      if all[number].outcome == nil { all[number].outcome = .unknown }
    }
  }

  /// Holds what the senders to `process`, which has closed, were told to the rules.
  func checkClosed(_ process: Int) throws {
    for submission in all where submission.process == process {
      try require(
        submission.outcome != nil, "the sender of action \(submission.action.id) waits for ever")
    }
  }

  /// Holds everything to `log`.
  func check(_ log: LogModel) throws {
    var last: [Int: Seq] = [:]
    for submission in all {
      let (id, place) = (submission.action.id, log.seq(of: submission.action.id))
      switch submission.outcome {
      case .acknowledged(let seq, let isRepeated):
        try require(
          place == seq, "action \(id) was acknowledged at \(seq), and is at \(place as Any)")
        if isRepeated { break }
        let before = last[submission.process, default: .zero]
        try require(before < seq, "action \(id) at \(seq) was sent after the one at \(before)")
        last[submission.process] = seq
      case .refused:
        // A delivery may be refused here and accepted where it is sent again.
        try require(
          place == nil || submission.delivery != nil,
          "action \(id) was refused, and is at \(place as Any)")
      case .unknown: break
      case nil: throw BrokenPromise("nobody was told what became of action \(id)")
      }
    }
  }
}
