import Refold
import Testing

/// Encoders that a type kept, and asked for more when their coding was over.
@Suite struct KeptEncoderTests {
  private enum Key: String, CodingKey { case a, b }

  private final class Keeper: Encodable, @unchecked Sendable {
    var encoder: (any Encoder)?
    var list: (any UnkeyedEncodingContainer)?
    func encode(to encoder: any Encoder) throws {
      var container = encoder.unkeyedContainer()
      try container.encode(1)
      (self.encoder, list) = (encoder, container)
    }
  }

  @Test func a_container_asked_for_late_outlives_its_encoder() throws {
    for _ in 0..<50 {
      let keeper = Keeper()
      #expect(try EventCodec().encode(keeper) == Array("[1]".utf8))
      var late = keeper.list?.nestedContainer(keyedBy: Key.self)
      (keeper.encoder, keeper.list) = (nil, nil)
      let filler = (0..<64).map { Array(repeating: UInt8($0), count: 1024) }
      try? late?.encode("late", forKey: .a)
      try? late?.encode([1, 2, 3], forKey: .b)
      _ = late?.codingPath
      #expect(filler.count == 64)
      late = nil
    }
  }
}
