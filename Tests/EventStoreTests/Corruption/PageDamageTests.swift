import EventStoreCore
import EventStoreTesting
import Testing

@testable import EventStoreSQLite

/// Whole pages are gone, or in the place of others.
@Suite("A page that is damaged", .timeLimit(.minutes(Trials.minutes(30))))
struct PageDamageTests {
  private let damage: Damage
  private var store: SmallStore { damage.original }

  init() throws { damage = try Damage(SmallStore.closed()) }

  /// Without this, what the recoveries below are held to would be worth nothing.
  @Test func takes_no_events_but_its_own() {
    let pieces = damage.pieceCounts
    #expect(pieces.all == store.pageCount)
    #expect((10..<pieces.all - 10).contains(pieces.withEvents))
    for place in store.content.ownEvents {
      // Those with a long payload lie on several.
      #expect((1...5).contains(damage.pieces(holding: place)), "\(place)")
    }
    let single = store.content.ownEvents.count { damage.pieces(holding: $0) == 1 }
    #expect(single > store.content.ownEvents.count / 2)
  }

  @Test func by_zeros_is_found_and_takes_nothing_along() async throws {
    try await judge(0..<store.pageCount, inSuite: .max, "pages zeroed") { number, store in
      store.zero(Damage.Piece(suffix: "", number: number))
      return [number]
    }
  }

  @Test func by_the_end_of_the_file_is_found_and_takes_nothing_along() async throws {
    let size = (store.files[""] ?? []).count
    // At each page, and in the middle of each.
    let sizes = stride(from: 0, to: size, by: SmallStore.pageSize).flatMap { [$0, $0 + 301] }
    try await judge(sizes, inSuite: .max, "files cut short") { cut, store in
      store.files["", default: []].removeSubrange(cut...)
      return Set(cut / SmallStore.pageSize..<size / SmallStore.pageSize)
    }
  }

  @Test func by_trading_places_with_another_is_found_and_takes_nothing_along() async throws {
    let pairs = (0..<store.pageCount).flatMap { one in
      (one + 1..<store.pageCount).map { (one, $0) }
    }
    let damage = damage
    try await judge(pairs, inSuite: 150, "pages that traded places") { pair, store in
      let (one, other) = (Array(store.page(pair.0 + 1)), Array(store.page(pair.1 + 1)))
      store.setPage(pair.0 + 1, other)
      store.setPage(pair.1 + 1, one)
      // Where they lie does not matter to rows that are on one page.
      return damage.piecesWithLongEvents.intersection([pair.0, pair.1])
    }
  }

  @Test func by_a_copy_of_another_is_found_and_takes_nothing_along() async throws {
    let pairs = (0..<store.pageCount).flatMap { one in
      (0..<store.pageCount).filter { $0 != one }.map { (one, $0) }
    }
    try await judge(pairs, inSuite: 150, "pages with a copy of another") { pair, store in
      store.setPage(pair.1 + 1, Array(store.page(pair.0 + 1)))
      return [pair.1]
    }
  }

  /// Rows that are led back to would be gone round in for ever.
  @Test func of_events_by_a_copy_of_one_ahead_of_it_lets_verify_end() throws {
    let folder = try TemporaryFolder()
    let pages = damage.pagesWithEvents
    for (one, other) in zip(pages, pages.dropFirst(3)) {
      var damaged = store
      damaged.setPage(other + 1, Array(store.page(one + 1)))
      try damaged.write(to: folder)
      #expect(try Judgement.of(folder, store.content) == .detected, "page \(one) over \(other)")
    }
  }

  /// Damages a copy of the store in each of the ways `cases`, or some of them, spread evenly.
  ///
  /// - Parameter damaging: gives the numbers, from 0 on, of the pages whose rows may be lost.
  private func judge<Case: Sendable>(
    _ cases: [Case], inSuite: Int, _ what: String,
    _ damaging: @escaping @Sendable (Case, inout SmallStore) -> Set<Int>
  ) async throws {
    let (damage, tally, folder) = (damage, Tally(), try TemporaryFolder())
    let count = min(cases.count, inSuite)
    let step = Trials.isLong ? 1 : max(1, cases.count / count)
    try await Trials(inSuite: count, long: cases.count).run { seed in
      let chosen = cases[Int(seed - 1) * step % cases.count]
      var store = damage.original
      let lost = damaging(chosen, &store)
      try store.write(to: folder)
      do {
        tally.add(try Judgement.of(folder, damage.original.content).rawValue)
        try store.write(to: folder)
        let recovered = try RecoveryJudgement(
          folder, damage.original.content,
          intact: damage.intact(without: Set(lost.map { .init(suffix: "", number: $0) })))
        tally.add("events recovered", recovered.inStore)
        tally.add("events aside", recovered.aside)
        if recovered.isWhole { tally.add("recovered whole") }
      } catch {
        throw BrokenPromise("case \(chosen): \(error)")
      }
    }
    tally.note(
      what,
      ["detected", "harmless", "cut", "recovered whole", "events recovered", "events aside"])
    #expect(tally.count("cut") == 0)
  }

  private func judge(
    _ cases: Range<Int>, inSuite: Int, _ what: String,
    _ damaging: @escaping @Sendable (Int, inout SmallStore) -> Set<Int>
  ) async throws {
    try await judge(Array(cases), inSuite: inSuite, what, damaging)
  }
}
