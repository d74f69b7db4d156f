import EventStoreTesting
import Foundation
import JSONTree
import Refold
import Synchronization
import Testing

/// Coders hand containers out again. None may be seen twice at a time.
@Suite struct ContainerReuseTests {
  private let codec = EventCodec()

  private enum Key: String, CodingKey { case a, b, c }

  /// Two containers of the same keys, read in turn.
  private struct Interleaved: Decodable, Equatable {
    var found: [Int] = []

    init(_ found: [Int]) { self.found = found }

    init(from decoder: any Decoder) throws {
      let whole = try decoder.container(keyedBy: Key.self)
      let first = try whole.nestedContainer(keyedBy: Key.self, forKey: .a)
      let second = try whole.nestedContainer(keyedBy: Key.self, forKey: .b)
      let again = try decoder.container(keyedBy: Key.self)
      found.append(try first.decode(Int.self, forKey: .a))
      found.append(try second.decode(Int.self, forKey: .a))
      found.append(try whole.decode(Int.self, forKey: .c))
      found.append(try first.decode(Int.self, forKey: .b))
      found.append(
        try again.nestedContainer(keyedBy: Key.self, forKey: .b).decode(Int.self, forKey: .b))
    }
  }

  @Test func containers_with_the_same_keys_at_a_time_are_different_ones() throws {
    let bytes = Array(#"[{"a":{"a":1,"b":2},"b":{"a":3,"b":4},"c":5}]"#.utf8)
    for _ in 0..<3 {
      #expect(
        try codec.decodeInput([Interleaved].self, from: bytes) == [Interleaved([1, 3, 5, 2, 4])])
    }
  }

  private final class Chain: Codable, Equatable {
    let a: Int
    let b: Chain?

    init(_ a: Int, _ b: Chain?) { (self.a, self.b) = (a, b) }

    static func == (left: Chain, right: Chain) -> Bool { left.a == right.a && left.b == right.b }
  }

  @Test func a_type_inside_itself_reads_and_writes_its_own_level() throws {
    for length in [1, 2, 3, 4, 5, 6, 50] {
      let chain = (0..<length).reversed().reduce(nil) { Chain($1, $0) }
      let bytes = try codec.encode(chain)
      #expect(try codec.decodeInput(Chain?.self, from: bytes) == chain)
      #expect(try JSONEncoder.sorted.encode(chain) == Data(bytes))
    }
  }

  /// Keeps the container that it was read from.
  private struct Keeper: Decodable {
    let container: KeyedDecodingContainer<Key>
    let a: Int

    init(from decoder: any Decoder) throws {
      container = try decoder.container(keyedBy: Key.self)
      a = try container.decode(Int.self, forKey: .a)
    }
  }

  private struct Plain: Codable, Equatable { var a: Int }

  @Test func what_a_type_kept_of_a_decoding_is_not_used_again() throws {
    var kept: [Keeper] = []
    for number in 0..<20 {
      let list = try codec.decode([Keeper].self, from: Array(#"[{"a":\#(number)},{"a":-1}]"#.utf8))
      kept += list
      #expect(list.map(\.a) == [number, -1])
      let plain = try codec.decodeInput(Plain.self, from: Array(#"{"a":\#(number)}"#.utf8))
      #expect(plain.a == number)
    }
    #expect(kept.count == 40)
  }

  /// Keeps what it was written to, and writes there later.
  private final class LateWriter: Encodable, Sendable {
    private struct Kept: @unchecked Sendable {
      var encoder: any Encoder
      var container: KeyedEncodingContainer<Key>
      var list: any UnkeyedEncodingContainer
    }

    private let kept = Mutex<Kept?>(nil)

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(1, forKey: .a)
      let list = container.nestedUnkeyedContainer(forKey: .b)
      kept.withLock { $0 = Kept(encoder: encoder, container: container, list: list) }
    }

    func writeLate() {
      kept.withLock { kept in
        try? kept?.container.encode("late", forKey: .c)
        try? kept?.list.encode("late")
        _ = kept?.encoder.container(keyedBy: Key.self)
      }
    }
  }

  @Test func what_is_written_after_an_encoding_goes_nowhere() throws {
    let late = (0..<10).map { _ in LateWriter() }
    for writer in late {
      #expect(try codec.encode([writer]) == Array(#"[{"a":1,"b":[]}]"#.utf8))
      writer.writeLate()
      #expect(try codec.encode(Plain(a: 7)) == Array(#"{"a":7}"#.utf8))
      for writer in late { writer.writeLate() }
      #expect(try codec.encode([Plain(a: 8), Plain(a: 9)]) == Array(#"[{"a":8},{"a":9}]"#.utf8))
    }
  }

  /// Uses a codec while a codec uses it.
  private struct Inner: Codable, Equatable {
    var a: Plain

    init(_ a: Plain) { self.a = a }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Key.self)
      let text = try container.decode(String.self, forKey: .a)
      a = try EventCodec().decodeInput(Plain.self, from: Array(text.utf8))
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Key.self)
      let text = try EventCodec().encode(a)
      try container.encode(String(decoding: text, as: UTF8.self), forKey: .a)
    }
  }

  @Test func a_coding_inside_a_coding_has_containers_of_its_own() throws {
    let value = [Inner(Plain(a: 1)), Inner(Plain(a: 2))]
    let bytes = try codec.encode(value)
    #expect(bytes == Array(#"[{"a":"{\"a\":1}"},{"a":"{\"a\":2}"}]"#.utf8))
    #expect(try codec.decodeInput([Inner].self, from: bytes) == value)
  }

  @Test func one_codec_serves_many_threads() {
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      for round in 0..<500 {
        let value = Chain(thread, Chain(round, Chain(thread &* round, nil)))
        let bytes = try? codec.encode(value)
        #expect(
          bytes == Array(#"{"a":\#(thread),"b":{"a":\#(round),"b":{"a":\#(thread * round)}}}"#.utf8)
        )
        #expect(bytes.flatMap { try? codec.decodeInput(Chain.self, from: $0) } == value)
      }
    }
  }
}

/// The keys of enums are remembered.
@Suite struct KnownKeyTests {
  private enum Action: Codable, Equatable {
    case a, b
    case c(Int)
    case d(x: Int, y: Int?)
    case one_of_a_long_name_and_more(Int)
    case one_of_a_long_name_and_other(Int)
    case é
    case fifteen_letters(Int)
    case sixteen_letters_(Int)
    case eight_le, seven_l
    case increase(by: Int)
    case increasf(by: Int)
    case i, ii, iii, iiii, iiiii, iiiiii, iiiiiii, iiiiiiii
  }

  private static let actions: [Action] = [
    .a, .b, .c(1), .d(x: 1, y: nil), .d(x: 1, y: 2), .one_of_a_long_name_and_more(3),
    .one_of_a_long_name_and_other(4), .é, .fifteen_letters(5), .sixteen_letters_(6), .eight_le,
    .seven_l, .increase(by: 1), .increasf(by: 2), .i, .ii, .iii, .iiii, .iiiii, .iiiiii, .iiiiiii,
    .iiiiiiii,
  ]

  @Test func any_sequence_of_cases_is_read() throws {
    var random = SeededGenerator(seed: 31)
    let codec = EventCodec()
    for _ in 0..<3000 {
      let action = random.pick(Self.actions)
      let bytes = try codec.encode(action)
      #expect(try codec.decodeInputAction(Action.self, from: bytes) == action)
      #expect(try codec.decode(Action.self, from: bytes) == action)
    }
  }

  @Test func what_is_no_case_stays_none_whatever_was_read_before() throws {
    let codec = EventCodec()
    for _ in 0..<3 {
      #expect(throws: CodecError.self) {
        try codec.decode(Action.self, from: Array(#"{"z":{}}"#.utf8))
      }
      #expect(throws: CodecError.self) {
        try codec.decode(Action.self, from: Array(#"{"":{}}"#.utf8))
      }
      #expect(throws: CodecError.self) { try codec.decode(Action.self, from: Array("{}".utf8)) }
      #expect(try codec.decode(Action.self, from: Array(#"{"\u0061":{}}"#.utf8)) == .a)
      #expect(try codec.decode(Action.self, from: Array(#"{"a":{},"a":{}}"#.utf8)) == .a)
    }
  }
}

extension JSONEncoder {
  fileprivate static var sorted: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    return encoder
  }
}
