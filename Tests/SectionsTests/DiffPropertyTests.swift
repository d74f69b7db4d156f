import Sections
import Testing

@Suite("Any two lists of sections", .timeLimit(.minutes(5)))
struct DiffPropertyTests {
  /// Rounds of every chain of lists: each list is the new one of a round and the old one of the next.
  private static let roundsPerSeed = 50

  /// 20 chains of 50: 1,000 rounds of about 100 sections by 100 items.
  @Test(arguments: UInt64(1)...20)
  func the_changes_applied_to_the_old_give_the_new(_ seed: UInt64) throws {
    var lists = RandomLists(seed: seed, sections: 100, items: 100)
    let tally = try run(&lists, seed)
    tally.expect(atLeast: 10)
  }

  /// Where lists are small, what is rare in large ones happens all the time. 40 chains of 50.
  @Test func also_where_they_are_small() throws {
    var tally = Tally()
    for seed in UInt64(101)...140 {
      var lists = RandomLists(seed: seed, sections: Int(seed % 8), items: Int(seed % 7))
      tally.add(try run(&lists, seed))
    }
    tally.expect(atLeast: 100)
    #expect((20...150).contains(tally.equalRounds), "\(tally.equalRounds) of \(tally.rounds)")
  }

  /// In how many rounds there was what, so that the lists cannot become tame unnoticed.
  private struct Tally {
    var rounds = 0
    var equalRounds = 0
    var roundsWith: [ChangeKind: Int] = [:]

    mutating func note(_ expected: ExpectedChanges) {
      rounds += 1
      if expected.kinds.isEmpty { equalRounds += 1 }
      for kind in expected.kinds { roundsWith[kind, default: 0] += 1 }
    }

    mutating func add(_ other: Tally) {
      rounds += other.rounds
      equalRounds += other.equalRounds
      roundsWith.merge(other.roundsWith, uniquingKeysWith: +)
    }

    /// Expects each kind of change in `least` rounds, and hardly a round without any.
    func expect(atLeast least: Int) {
      for kind in ChangeKind.allCases {
        #expect(roundsWith[kind, default: 0] >= least, "\(kind) in \(rounds) rounds")
      }
      #expect(equalRounds * 5 <= rounds, "\(equalRounds) of \(rounds) rounds change nothing")
    }
  }

  private func run(_ lists: inout RandomLists, _ seed: UInt64) throws -> Tally {
    var tally = Tally()
    var old = lists.sections
    for round in 1...Self.roundsPerSeed {
      let new = lists.next()
      let expected = ExpectedChanges(from: old, to: new, end: lists.endOfItems)
      tally.note(expected)
      do {
        if let flaw = try Self.flaw(old, new, expected) {
          Issue.record("seed \(seed), round \(round): \(flaw)")
        }
      } catch {
        Issue.record("seed \(seed), round \(round): \(error)")
      }
      old = new
    }
    return tally
  }

  /// What is wrong with the diff from `old` to `new`, if anything is.
  private static func flaw(
    _ old: Sections, _ new: Sections, _ expected: ExpectedChanges
  ) throws -> String? {
    let changes = try Changes.diff(from: old, to: new)
    if old == new, !changes.isEmpty { return "equal lists have changes" }
    var sections = old
    for (index, changeset) in changes.enumerated() {
      if changeset.isEmpty { return "changeset \(index) is empty" }
      sections = try changeset.applied(to: sections)
      if sections != changeset.finalSections {
        return "changeset \(index) applied is not its final sections"
      }
      if index > 0, hasDeletesOrUpdates(changeset) {
        return "changeset \(index) deletes or updates, not in original indexes"
      }
    }
    if sections != new { return "the changes do not lead to the new list" }
    return expected.flaw(of: changes)
  }

  private static func hasDeletesOrUpdates(_ changeset: Changes) -> Bool {
    !changeset.deletedSections.isEmpty || !changeset.deletedItems.isEmpty
      || !changeset.updatedItems.isEmpty
  }
}
