import EventStoreTesting

/// An effect as data: what a simulated action asks for, and what the model knows about it.
///
/// Elements are told apart by the leaf that gives them and their number there, from 0.
indirect enum EffectProgram: Hashable, Sendable {
  case empty
  case fail
  case never
  /// Gives `count` elements at once.
  case values(leaf: Int, count: Int)
  /// Gives an element, or fails, after so many milliseconds.
  case task(leaf: Int, delay: Int, fails: Bool)
  /// Gives `count` elements, each behind a gap, then ends or fails.
  case run(leaf: Int, count: Int, gap: Int, fails: Bool)
  /// The first `count` ticks.
  case timer(leaf: Int, delay: Int, period: Int, count: Int)
  /// Sends an action of its own, without waiting for it.
  case send(delay: Int)
  case cancel(id: Int)
  case concat([EffectProgram])
  case merge([EffectProgram])
  case cancellable(id: Int, cancelInFlight: Bool, EffectProgram)
  case delay(Int, EffectProgram)
  case debounce(Int, EffectProgram)
  case throttle(Int, latest: Bool, EffectProgram)
  case timeout(Int, EffectProgram)
  case retry(Int, EffectProgram)
  case prefix(Int, EffectProgram)
  case catching(EffectProgram, EffectProgram)
  case flatMap(EffectProgram, EffectProgram)
  case flatMapLatest(EffectProgram, EffectProgram)

  /// What `seed` comes to, with about `size` leaves.
  init(seed: UInt64, size: Int, sends: Bool) {
    var maker = Maker(random: SeededGenerator(seed: seed), sends: sends)
    self = maker.program(size)
  }

  private struct Maker {
    var random: SeededGenerator
    let sends: Bool
    var leaves = 0

    mutating func program(_ size: Int) -> EffectProgram {
      if size <= 1 { return leaf() }
      switch random.below(14) {
      case 0, 1, 2: return .concat(parts(size))
      case 3, 4: return .merge(parts(size))
      case 5:
        return .cancellable(
          id: random.below(3), cancelInFlight: random.chance(0.4), program(size - 1))
      case 6: return .delay(milliseconds(), program(size - 1))
      case 7: return .debounce(milliseconds(), program(size - 1))
      case 8: return .throttle(milliseconds(), latest: random.chance(0.7), program(size - 1))
      case 9: return .timeout(milliseconds(), program(size - 1))
      case 10: return .retry(1 + random.below(3), program(size - 1))
      case 11: return .prefix(1 + random.below(3), program(size - 1))
      case 12: return .catching(program(size / 2), program(size - size / 2))
      default:
        let (outer, inner) = (program(size / 2), program(size - size / 2))
        return random.chance(0.5) ? .flatMap(outer, inner) : .flatMapLatest(outer, inner)
      }
    }

    private mutating func parts(_ size: Int) -> [EffectProgram] {
      let count = 2 + random.below(min(3, size))
      return (0..<count).map { _ in program(max(1, size / count)) }
    }

    private mutating func leaf() -> EffectProgram {
      leaves += 1
      switch random.below(20) {
      case 0..<8: return .values(leaf: leaves, count: 1 + random.below(3))
      case 8..<11: return .task(leaf: leaves, delay: random.below(4), fails: random.chance(0.2))
      case 11..<14:
        return .run(
          leaf: leaves, count: random.below(4), gap: random.below(3), fails: random.chance(0.15))
      case 14:
        return .timer(
          leaf: leaves, delay: random.below(3), period: milliseconds(),
          count: 1 + random.below(3))
      case 15: return .cancel(id: random.below(3))
      case 16: return random.chance(0.5) ? .fail : .empty
      case 17: return sends ? .send(delay: random.below(3)) : .empty
      case 18: return random.chance(0.3) ? .never : .empty
      default: return .values(leaf: leaves, count: 1)
      }
    }

    private mutating func milliseconds() -> Int { 1 + random.below(4) }
  }
}

extension EffectProgram {
  /// The programs that this one is made of.
  var parts: [EffectProgram] {
    switch self {
    case .empty, .fail, .never, .values, .task, .run, .timer, .send, .cancel: []
    case .concat(let parts), .merge(let parts): parts
    case .cancellable(_, _, let part), .delay(_, let part), .debounce(_, let part),
      .throttle(_, _, let part), .timeout(_, let part), .retry(_, let part), .prefix(_, let part):
      [part]
    case .catching(let first, let second), .flatMap(let first, let second),
      .flatMapLatest(let first, let second):
      [first, second]
    }
  }

  /// Whether this or a program in it is so.
  func contains(_ isSo: (EffectProgram) -> Bool) -> Bool {
    isSo(self) || parts.contains { $0.contains(isSo) }
  }

  /// Whether it may go on until it is cancelled.
  var mayNeverEnd: Bool { contains { $0 == .never } }

  /// Whether something in it can be cancelled by an id.
  var isCancellable: Bool {
    contains { if case .cancellable = $0 { true } else { false } }
  }

  /// Whether it can end with an error.
  var mayFail: Bool {
    contains { program in
      switch program {
      case .fail, .timeout: true
      case .task(_, _, let fails), .run(_, _, _, let fails): fails
      default: false
      }
    }
  }

  /// The id that it cancels first of all.
  var cancelledAtOnce: Int? {
    switch self {
    case .cancel(let id), .cancellable(let id, true, _): id
    default: nil
    }
  }

  /// The id under which all of it can be cancelled.
  var idOfAll: Int? { if case .cancellable(let id, _, _) = self { id } else { nil } }

  /// Whether it cancels a part around it, whose elements then wait for the commit.
  func cancelsAround(_ ids: Set<Int> = []) -> Bool {
    switch self {
    case .cancel(let id): ids.contains(id)
    case .cancellable(let id, let cancelInFlight, let part):
      (cancelInFlight && ids.contains(id)) || part.cancelsAround(ids.union([id]))
    default: parts.contains { $0.cancelsAround(ids) }
    }
  }
}
