import EventStoreCore
import EventStoreTesting

/// Actions for counters, and what a log of them has to be.
struct CounterInput {
  /// One line of input.
  struct Line {
    let session: String
    /// Which of its session's actions it is, from 0 on.
    let ordinal: Int
    let id: String?
    /// The action's JSON, as it is sent.
    let action: String
    let isEnvelope: Bool

    /// As the tool reads it.
    var text: String {
      guard isEnvelope else { return action + "\n" }
      let id = id.map { "\"id\":\"\($0)\"," } ?? ""
      return "{\(id)\"session\":\"\(session)\",\"action\":\(action)}\n"
    }
  }

  let lines: [Line]

  /// `count` actions for the `sessions`, in any order.
  init(
    _ count: Int, sessions: [String], hasIDs: Bool, isEnvelope: Bool, prefix: String = "c",
    _ random: inout SeededGenerator
  ) {
    var ordinals: [String: Int] = [:]
    lines = (0..<count).map { index in
      let session = random.pick(sessions)
      defer { ordinals[session, default: 0] += 1 }
      let action =
        random.chance(0.2) ? "\"reset\"" : "{\"increase\":{\"by\":\(random.below(1000) - 300)}}"
      return Line(
        session: session, ordinal: ordinals[session, default: 0],
        id: hasIDs ? "\(prefix)-\(index)" : nil, action: action, isEnvelope: isEnvelope)
    }
  }

  /// What `log` holds of this input.
  /// - Throws: `BrokenPromise` unless that is the first actions of the session, each once and whole,
  ///   with the events that they lead to and no others.
  func progress(of log: RecordedLog) throws -> Progress {
    let name = log.info.name.rawValue
    var progress = Progress()
    var rest = log.events[...]
    for line in lines where line.session == name {
      guard let action = rest.popFirst() else { break }
      try require(
        action.header.kind == .action && action.header.cause == .zero
          && action.text == line.action && action.delivery?.id == line.id,
        "session \(name), action \(line.ordinal) should be \(line.text), and is \(action)")
      progress.seqs.append(action.header.seq)
      if let mutation = progress.take(line.action) {
        guard let event = rest.popFirst() else {
          throw BrokenPromise("session \(name): half of the step of \(action) is missing")
        }
        try require(
          event.header.kind == .mutation && event.header.cause == action.header.seq
            && event.text == mutation,
          "session \(name): \(action) should lead to \(mutation), and does to \(event)")
      }
      progress.ends.append(log.events[rest.startIndex - 1].header.seq)
    }
    try require(rest.isEmpty, "session \(name) has more than was sent: \(rest.prefix(3))")
    return progress
  }

  /// How far a session has come.
  struct Progress {
    /// The seq of each action.
    var seqs: [Seq] = []
    /// The last seq of each action's first step.
    var ends: [Seq] = []
    /// The state behind each action.
    var values: [Int] = []
    private var value = 0

    /// How many actions the log has.
    var count: Int { seqs.count }

    /// Takes an action of the input.
    /// - Returns: the JSON of the mutation that it leads to.
    fileprivate mutating func take(_ action: String) -> String? {
      defer { values.append(value) }
      return CounterInput.mutation(of: action, &value)
    }
  }

  /// The JSON of the mutation that `action` leads to in the state `value`, which it changes.
  static func mutation(of action: String, _ value: inout Int) -> String? {
    if action == "\"reset\"" {
      defer { value = 0 }
      return value == 0 ? nil : "{\"setValue\":{\"_0\":0}}"
    }
    let amount = Int(action.filter { $0.isNumber || $0 == "-" }) ?? 0
    value += amount
    return "{\"add\":{\"_0\":\(amount)}}"
  }
}
