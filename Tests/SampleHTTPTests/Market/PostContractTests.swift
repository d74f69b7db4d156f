import Foundation
import Refold
import SampleReactors
import Testing

@Suite("Market services, both origins: posts", .timeLimit(.minutes(5)))
struct PostContractTests {
  @Test(arguments: Origin.allCases)
  func pages_follow_each_other_and_a_page_beyond_the_last_is_empty(
    _ origin: Origin
  ) async throws {
    try await Market.run(origin) { market async throws in
      let service = market.services.posts
      let query = PostQuery(category: .only(.pet))
      var posts: [Post] = []
      for number in 1...3 {
        let page = try await service.posts(query, page: number, size: 30, for: .mina)
        #expect(page.query == query && page.number == number && page.total == 40)
        posts += page.posts
      }
      #expect(posts == MarketCatalogue.posts.filter { $0.category == .pet })
      let beyond = try await service.posts(query, page: .max, size: 30, for: .mina)
      #expect(beyond.posts.isEmpty && beyond.total == 40)
      for (number, size) in [(0, 30), (-1, 30), (1, 0)] {
        await #expect(
          throws: AppError.badRequest(
            reason: "page \(number) of size \(size): both begin at 1")
        ) { try await service.posts(query, page: number, size: size, for: .mina) }
      }
    }
  }

  @Test(arguments: Origin.allCases)
  func every_category_is_listed_alone(_ origin: Origin) async throws {
    try await Market.run(origin, as: nil) { market async throws in
      for category in GroupBuyingCategory.allCases {
        let page = try await market.page(PostQuery(category: .only(category)), for: nil)
        #expect(Set(page.posts.map(\.category)) == [category])
      }
    }
  }

  @Test(arguments: Origin.allCases)
  func a_keyword_of_any_characters_finds_what_has_them(_ origin: Origin) async throws {
    try await Market.run(origin) { market async throws in
      let title = "한국 차 a+b & c=100%41 #1 /x?y;z \"q\" \\ 👩‍👩‍👧"
      let created = try await market.services.registration.create(.named(title))
      for keyword in [
        "한국", "a+b", "& c=1", "100%41", "#1", "/x?y", ";z", "\"q\" \\", "👩‍👩‍👧", title,
      ] {
        let page = try await market.page(PostQuery(category: .only(.food), keyword: keyword))
        #expect(page.posts == [created], "\(keyword)")
      }
      for keyword in ["100A", "a b", "no such thing", "%"] {
        let page = try await market.page(PostQuery(keyword: keyword))
        #expect(page.posts.isEmpty == (keyword != "%"), "\(keyword)")
      }
      #expect(try await market.page(PostQuery(keyword: "FRESH")).total == 104)
    }
  }

  @Test(arguments: Origin.allCases)
  func likes_are_counted_for_all_and_shown_to_whose_they_are(_ origin: Origin) async throws {
    try await Market.run(origin) { market async throws in
      let jun = try market.anotherDevice(as: "u2")
      let count = MarketCatalogue.posts[0].likeCount
      func first(_ services: MarketServices, for user: User?) async throws -> Post? {
        try await services.posts.posts(PostQuery(), page: 1, size: 1, for: user).posts.first
      }
      for _ in 1...2 { try await market.services.posts.setLike(true, postID: "p1", by: .mina) }
      let mine = try await first(market.services, for: .mina)
      #expect(mine?.isLiked == true && mine?.likeCount == count + 1)
      let his = try await first(jun, for: MarketCatalogue.users[1])
      #expect(his?.isLiked == false && his?.likeCount == count + 1)
      #expect(try await first(market.services, for: nil)?.isLiked == false)
      try await market.services.posts.setLike(false, postID: "p1", by: .mina)
      #expect(try await first(market.services, for: .mina) == MarketCatalogue.posts[0])
    }
  }

  @Test(arguments: Origin.allCases)
  func an_id_of_any_characters_is_that_of_no_post(_ origin: Origin) async throws {
    try await Market.run(origin) { market async throws in
      for id in [
        "p0", "", ".", "..", "a/b", "p1/../p2", "../me", "p1?x=y", "p1#", "p1%2Flike", "%2e%2e",
        "p1 ", "한국", "p1;x", "p1\n",
      ] {
        await #expect(throws: AppError.notFound(what: "post \(id)"), "\(id)") {
          try await market.services.posts.setLike(true, postID: id, by: .mina)
        }
      }
      let likes = try await market.page().posts.count(where: \.isLiked)
      #expect(likes == 0)
      #expect(try await market.services.auth.me() == .mina, "an id has deleted the account")
    }
  }

  @Test(arguments: Origin.allCases)
  func the_most_liked_come_first_and_the_newer_of_equals(_ origin: Origin) async throws {
    try await Market.run(origin) { market async throws in
      let sorted = MarketCatalogue.posts.enumerated().sorted {
        ($1.element.likeCount, $0.offset) < ($0.element.likeCount, $1.offset)
      }
      let top = sorted.prefix(11).map(\.element)
      #expect(try await market.services.top10.top10Posts() == Array(top.prefix(10)))
      try await market.services.posts.setLike(true, postID: top[0].id, by: .mina)
      let first = try await market.services.top10.top10Posts().first
      #expect(first?.id == top[0].id && first?.isLiked == true)
      #expect(first?.likeCount == top[0].likeCount + 1)
    }
  }

  @Test(arguments: Origin.allCases)
  func influencers_are_found_by_a_part_of_their_name(_ origin: Origin) async throws {
    try await Market.run(origin) { market async throws in
      let service = market.services.registration
      #expect(try await service.influencers(matching: "MIN").map(\.id) == ["i3"])
      #expect(try await service.influencers(matching: "").count == 7)
      #expect(try await service.influencers(matching: "a+b&").isEmpty)
    }
  }

  @Test(arguments: Origin.allCases)
  func an_image_is_kept_byte_for_byte(_ origin: Origin) async throws {
    try await Market.run(origin) { market async throws in
      let service = market.services.registration
      let limit = PostImage.maximumBytes
      let bytes = Data(UInt8.min ... .max)
      let image = (0..<limit / bytes.count).reduce(into: Data()) { image, _ in image += bytes }
      let url = try await service.upload(image)
      #expect(url.path() == "/images/1")
      #expect(try market.backend.image("1") == image)
      #expect(try await service.upload(Data([0, 13, 10, 255])).path() == "/images/2")
      #expect(try market.backend.image("2") == Data([0, 13, 10, 255]))
      await #expect(
        throws: AppError.tooLarge(what: "the image", bytes: limit + 1, limit: limit)
      ) { try await service.upload(image + [0]) }
      await #expect(throws: AppError.badRequest(reason: "the image is empty")) {
        try await service.upload(Data())
      }
    }
  }

  @Test(arguments: Origin.allCases)
  func a_created_post_is_the_newest_and_cannot_be_created_twice(_ origin: Origin) async throws {
    try await Market.run(origin) { market async throws in
      let service = market.services.registration
      let post = try await service.create(.named("Tea"))
      #expect(post.id == "p521" && post.title == "Tea" && post.influencer.id == "i1")
      #expect(try await market.page().posts.first == post)
      await #expect(throws: AppError.conflict(code: "DUPLICATE_POST")) {
        try await service.create(.named("Tea"))
      }
      #expect(try await service.create(.named("Tea", influencerID: "i2")).id == "p522")
      await #expect(throws: AppError.notFound(what: "influencer i9")) {
        try await service.create(.named("Tea", influencerID: "i9"))
      }
      await #expect(throws: AppError.badRequest(reason: "the product has no name")) {
        try await service.create(.named(""))
      }
      var draft = try PostDraft.named("Cup")
      draft.price = -1
      await #expect(throws: AppError.badRequest(reason: "the price is -1")) {
        try await service.create(draft)
      }
      draft.price = 0
      swap(&draft.startDate, &draft.endDate)
      await #expect(throws: AppError.badRequest(reason: "it ends before it starts")) {
        try await service.create(draft)
      }
    }
  }
}
