import Synchronization
import Testing

@testable import Refold

@Suite("Relays")
struct RelayTests {
  let stage = Marbles()

  @Test func a_behavior_relay_replays_its_present_value() async {
    let relay = BehaviorRelay("a")
    relay.accept("b")
    stage.at(2) { relay.accept("c") }
    stage.at(4) { relay.accept("c") }
    await stage.expect(relay.effect, "b-c-c", cancelledAt: 6)
    #expect(relay.value == "c")
  }

  @Test func a_publish_relay_replays_nothing() async {
    let relay = PublishRelay<String>()
    relay.accept("a")
    stage.at(2) { relay.accept("b") }
    await stage.expect(relay.effect, "--b", cancelledAt: 6)
  }

  @Test func a_replay_relay_replays_the_last_few() async {
    let relay = ReplayRelay<String>(bufferSize: 2)
    for value in ["a", "b", "c"] { relay.accept(value) }
    stage.at(2) { relay.accept("d") }
    await stage.expect(relay.effect, "(bc)-d", cancelledAt: 6)
    #expect(relay.values == ["c", "d"])
    let none = ReplayRelay<String>(bufferSize: 0)
    none.accept("a")
    #expect(none.values.isEmpty)
  }

  @Test func a_relay_that_is_needed_no_more_is_not_listened_to() async {
    let relay = ReplayRelay<String>(bufferSize: 3)
    for value in ["a", "b", "c"] { relay.accept(value) }
    stage.at(2) { relay.accept("d") }
    await stage.expect(relay.effect.prefix(2), "(ab|)")
  }

  @Test func its_elements_come_from_outside_any_action() async {
    let relay = BehaviorRelay("a")
    stage.at(1) { relay.accept("b") }
    _ = await stage.run(relay.effect, frames: 3)
    #expect(stage.outputs.map(\.cause) == [.zero, .zero])
  }

  @Test func every_observer_sees_the_same_order_from_many_threads() async {
    let relay = PublishRelay<Int>()
    let seen = Mutex<[[Int]]>([[], []])
    let loops = [TestLoop(), TestLoop()]
    for (index, loop) in loops.enumerated() {
      let run = EffectRun(cause: .zero, loop: loop)
      relay.effect.begin(in: run.scope) { signal in
        if case .next(let value, _) = signal { seen.withLock { $0[index].append(value) } }
      }
      run.activate()
    }
    await withTaskGroup(of: Void.self) { group in
      for task in 0..<8 {
        group.addTask { for index in 0..<500 { relay.accept(task * 1000 + index) } }
      }
    }
    let orders = seen.withLock { $0 }
    #expect(orders[0].count == 4000)
    #expect(orders[0] == orders[1])
  }
}
