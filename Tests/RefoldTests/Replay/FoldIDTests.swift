import Foundation
import Testing

@testable import Refold

@Suite("A fold id")
struct FoldIDTests {
  private struct Generic<Value: Codable & Sendable>: Reactor {
    typealias Action = Int
    typealias Mutation = Int
    struct State: Codable, Sendable { var sum = 0 }
    static var name: String { "generic" }
    let initialState = State()
    func mutate(action: Int, state: State) -> Effect<Int> { .just(action) }
    func reduce(state: inout State, mutation: Int) { state.sum += mutation }
  }

  private final class Large: Reactor {
    typealias Action = Int
    typealias Mutation = Int
    struct State: Codable, Sendable { var sum = 0 }
    static var name: String { "large" }
    let initialState = State()
    let (one, two, three, four) = (1, 2, 3, 4)
    func mutate(action: Int, state: State) -> Effect<Int> { .just(action) }
    func reduce(state: inout State, mutation: Int) { state.sum += mutation }
  }

  @Test func is_the_reactors_name_and_the_build_id_of_its_image() throws {
    let id = try #require(FoldID.of(TrialReactor()))
    let parts = id.split(separator: "@")
    #expect(parts.first == "trial")
    let digits = try #require(parts.last)
    #expect(digits.count >= 16)
    #expect(digits.allSatisfy { $0.isHexDigit })
    // The bytes are those that the linker wrote into the file of this very image.
    let bytes = stride(from: 0, to: digits.count, by: 2).compactMap { place -> UInt8? in
      let start = digits.index(digits.startIndex, offsetBy: place)
      return UInt8(digits[start..<digits.index(start, offsetBy: 2)], radix: 16)
    }
    let file = try Data(
      contentsOf: URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath(),
      options: .alwaysMapped)
    let note = Data([4, 0, 0, 0, UInt8(bytes.count), 0, 0, 0, 3, 0, 0, 0] + "GNU\0".utf8 + bytes)
    #expect(file.range(of: note) != nil)
  }

  @Test func is_of_one_image_for_all_that_is_in_it() throws {
    let ids = [
      FoldID.of(Generic<Int>()), FoldID.of(Generic<[String]>()), FoldID.of(Large()),
      FoldID.of(ProbeReactor()), FoldID.of(TrialReactor()),
    ].map { $0.flatMap { $0.split(separator: "@").last } }
    #expect(Set(ids).count == 1)
    #expect(ids.first != nil)
  }
}
