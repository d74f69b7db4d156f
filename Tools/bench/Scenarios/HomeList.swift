import BenchReport
import EventStoreCore
import EventStoreSQLite
import Foundation
import Refold
import SampleReactors

/// A session of the home screen that lists 10,000 posts.
enum HomeList {
  static let user = MarketCatalogue.users[0]
  private static let postCount = 10_000
  private static let pageSize = 1000

  /// Records it as "s1" in a store at `path`, and gives its last seq.
  static func record(at path: String) async throws -> Seq {
    try CounterLog.makeStore(at: path, reactor: HomeReactor.name)
    let store = try SQLiteEventStore(path: path)
    var options = SessionOptions()
    options.isSequential = true
    let session = try Session(
      HomeReactor(service: LongList(), users: UserStore(user)), named: SessionName("s1"),
      in: store, options: options)
    for page in 1...postCount / pageSize {
      try await session.send(page == 1 ? .fetchPostList : .loadNextPage)
    }
    session.block(until: .idle)
    let listed = session.currentState.posts.count
    try await session.close()
    let version = try store.tail(of: SessionID(1)).version
    try store.close()
    guard listed == postCount else {
      throw BenchError.wrongResult("\(listed) posts are listed, expected \(postCount)")
    }
    return version
  }

  /// Writes `count` lines that like every post of the catalogue in turn, and then take that back.
  static func writeLikes(_ count: Int, to path: String) throws {
    let lines = (0..<count).map { index in
      let (round, post) = index.quotientAndRemainder(dividingBy: MarketCatalogue.postCount)
      let isLiked = round.isMultiple(of: 2)
      return #"{"toggleLike":{"postID":"p\#(post + 1)","isLiked":\#(isLiked)}}"# + "\n"
    }
    try lines.joined().write(toFile: path, atomically: false, encoding: .utf8)
  }

  /// Throws unless the likes in the store at `path` have come to an end, without errors.
  static func check(_ path: String) throws {
    let store = try SQLiteEventStore(path: path, options: .init(access: .readOnly))
    let machine = try TimeMachine(HomeReactor(), session: "s1", in: store)
    let state = try machine.state(at: machine.lastSeq)
    try store.close()
    guard state.likesInFlight.isEmpty, state.posts.count == postCount, state.error == nil else {
      throw BenchError.wrongResult(
        "\(state.posts.count) posts, \(state.likesInFlight.count) likes without an answer, error: "
          + "\(state.error.map { "\($0)" } ?? "none")")
    }
  }

  /// Lists the catalogue's posts, which the market of `refold run` knows, among others that it does
  /// not know, in long pages.
  private struct LongList: PostService {
    private let posts: [Post] = (0..<postCount).map { index in
      let known = MarketCatalogue.posts
      // Evenly, so that a like is as often at the end of the list as at its beginning.
      let (place, between) = index.quotientAndRemainder(dividingBy: postCount / known.count)
      if between == 0, place < known.count { return known[place] }
      let like = known[index % known.count]
      return Post(
        id: "other\(index)", title: like.title, category: like.category,
        influencer: like.influencer, price: like.price, startDate: like.startDate,
        endDate: like.endDate, likeCount: like.likeCount, isLiked: false)
    }

    func posts(
      _ query: PostQuery, page number: Int, size: Int, for user: User?
    ) async throws -> Page {
      let part = posts.dropFirst((number - 1) * pageSize).prefix(pageSize)
      return Page(query: query, number: number, total: posts.count, posts: Array(part))
    }

    func setLike(_ isLiked: Bool, postID: String, by user: User) async throws {}
  }
}
