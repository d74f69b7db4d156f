import Refold
import Testing

/// Decoders and containers that a type kept, and asked for more when their decoding was over.
@Suite struct KeptDecoderTests {
  private enum Key: String, CodingKey { case a, b }

  private final class Keeper: Decodable {
    let decoder: any Decoder
    let members: KeyedDecodingContainer<Key>
    var list: any UnkeyedDecodingContainer

    init(from decoder: any Decoder) throws {
      self.decoder = decoder
      members = try decoder.container(keyedBy: Key.self)
      list = try members.nestedUnkeyedContainer(forKey: .a)
      _ = try list.decode(Int.self)
    }
  }

  @Test func find_nothing_and_say_so() throws {
    let keeper = try EventCodec().decode(Keeper.self, from: Array(#"{"a":[1,2,3],"b":"x"}"#.utf8))
    #expect(throws: (any Error).self) { try keeper.decoder.container(keyedBy: Key.self) }
    #expect(throws: (any Error).self) { try keeper.decoder.unkeyedContainer() }
    #expect(throws: (any Error).self) {
      try keeper.decoder.singleValueContainer().decode(String.self)
    }
    #expect(keeper.decoder.codingPath.isEmpty)
    #expect(keeper.members.allKeys.isEmpty)
    #expect(!keeper.members.contains(.b))
    #expect(throws: (any Error).self) { try keeper.members.decode(String.self, forKey: .b) }
    #expect(throws: (any Error).self) { try keeper.list.decode(Int.self) }
    #expect(throws: (any Error).self) { try keeper.list.nestedContainer(keyedBy: Key.self) }
    #expect(keeper.list.count == 0)
  }
}
