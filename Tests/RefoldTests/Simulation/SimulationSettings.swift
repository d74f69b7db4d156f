import EventStoreCore
import EventStoreTesting

@testable import Refold

/// What is the same during a simulation.
struct SimulationSettings {
  var shape = SimulatedReactor.Shape()
  var steps: Int
  var mostProcesses: Int
  var isSequential: Bool
  var actionsPerCommit: Int
  var eventsBetweenSnapshots: Int
  var usesDeliveries: Bool
  /// Of a step, that something goes wrong in it.
  var troubleChance: Double
  var largestProgram: Int

  init(_ random: inout SeededGenerator) {
    switch random.below(8) {
    case 0: shape.transformsActions = true
    case 1: shape.mergesRelay = true
    case 2: shape.marksStates = true
    case 3:
      shape.transformsActions = random.chance(0.5)
      (shape.mergesRelay, shape.marksStates) = (true, random.chance(0.5))
    default: break
    }
    steps = 12 + random.below(28)
    mostProcesses = random.pick([1, 1, 1, 2, 3])
    isSequential = random.chance(0.15)
    actionsPerCommit = random.pick([1, 2, 3, CommitLimits.events, CommitLimits.events])
    eventsBetweenSnapshots = random.pick([1, 6, 20, SnapshotPolicy.leastEvents])
    usesDeliveries = random.chance(0.4)
    troubleChance = random.pick([0, 0.05, 0.1])
    largestProgram = 1 + random.below(6)
  }

  var options: SessionOptions {
    var options = SessionOptions()
    options.isSequential = isSequential
    options.actionsPerCommit = actionsPerCommit
    options.eventsBetweenSnapshots = eventsBetweenSnapshots
    options.foldID = { _ in "simulated" }
    return options
  }
}

/// What happened in simulations.
struct SimulationCounts {
  var actions = 0
  var events = 0
  var acknowledged = 0
  var commits = 0
  var pieces = 0
  var inTheMiddle = 0
  var decidedAgain = 0
  var sentByEffects = 0
  var interrupted = 0
  var crashes = 0
  var failures = 0
  var repeated = 0
  var snapshots = 0
  var closed = 0

  static func += (left: inout SimulationCounts, right: SimulationCounts) {
    for path in [
      \SimulationCounts.actions, \.events, \.acknowledged, \.commits, \.pieces, \.inTheMiddle,
      \.decidedAgain, \.sentByEffects, \.interrupted, \.crashes, \.failures, \.repeated,
      \.snapshots, \.closed,
    ] {
      left[keyPath: path] += right[keyPath: path]
    }
  }
}
