import JSONTree
import Refold
import Testing

/// A type whose coding is a closure.
private struct Custom: Encodable {
  let body: @Sendable (any Encoder) throws -> Void

  func encode(to encoder: any Encoder) throws { try body(encoder) }
}

private enum Key: String, CodingKey {
  case a
  case b
  case c
}

@Suite struct EncodingContainerTests {
  private func message(_ body: @escaping @Sendable (any Encoder) throws -> Void) -> String {
    do throws(CodecError) {
      return String(decoding: try EventCodec().encode(["v": Custom(body: body)]), as: UTF8.self)
    } catch {
      return error.description
    }
  }

  @Test func two_nested_containers_may_be_written_in_turn() {
    let found = message { encoder in
      var container = encoder.container(keyedBy: Key.self)
      var second = container.nestedContainer(keyedBy: Key.self, forKey: .b)
      var first = container.nestedUnkeyedContainer(forKey: .a)
      try second.encode(1, forKey: .b)
      try first.encode("x")
      try container.encode(true, forKey: .c)
      try second.encode(2, forKey: .a)
      var inner = first.nestedContainer(keyedBy: Key.self)
      try first.encode("y")
      try inner.encode(3, forKey: .c)
    }
    #expect(found == #"{"v":{"a":["x",{"c":3},"y"],"b":{"a":2,"b":1},"c":true}}"#)
  }

  @Test func a_key_encoded_twice_has_its_last_value() {
    let found = message { encoder in
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(1, forKey: .a)
      try container.encode(2, forKey: .b)
      try container.encode("last", forKey: .a)
    }
    #expect(found == #"{"v":{"a":"last","b":2}}"#)
  }

  @Test func a_nested_container_asked_for_twice_is_the_same_one() {
    let found = message { encoder in
      var container = encoder.container(keyedBy: Key.self)
      var one = container.nestedContainer(keyedBy: Key.self, forKey: .a)
      var other = container.nestedContainer(keyedBy: Key.self, forKey: .a)
      try other.encode(2, forKey: .b)
      try one.encode(1, forKey: .a)
      var list = container.nestedUnkeyedContainer(forKey: .b)
      try list.encode(1)
      list = container.nestedUnkeyedContainer(forKey: .b)
      try list.encode(2)
      _ = container.nestedUnkeyedContainer(forKey: .b)
    }
    #expect(found == #"{"v":{"a":{"a":1,"b":2},"b":[1,2]}}"#)
  }

  @Test func the_containers_of_one_encoder_are_the_same_one() {
    let found = message { encoder in
      var one = encoder.container(keyedBy: Key.self)
      var other = encoder.container(keyedBy: Key.self)
      try one.encode(1, forKey: .b)
      try other.encode(2, forKey: .a)
    }
    #expect(found == #"{"v":{"a":2,"b":1}}"#)
  }

  @Test func a_container_without_anything_in_it_is_empty() {
    #expect(message { _ = $0.container(keyedBy: Key.self) } == #"{"v":{}}"#)
    #expect(message { _ = $0.unkeyedContainer() } == #"{"v":[]}"#)
    let found = message { encoder in
      var container = encoder.container(keyedBy: Key.self)
      _ = container.superEncoder()
      _ = container.superEncoder(forKey: .a)
      _ = container.nestedUnkeyedContainer(forKey: .b)
    }
    #expect(found == #"{"v":{"a":{},"b":[],"super":{}}}"#)
  }

  @Test func super_encoders_write_where_they_were_asked_for() {
    let found = message { encoder in
      var list = encoder.unkeyedContainer()
      try list.encode(1)
      let parent = list.superEncoder()
      try list.encode(3)
      var container = parent.container(keyedBy: Key.self)
      try container.encode(2, forKey: .a)
      #expect(list.count == 3)
    }
    #expect(found == #"{"v":[1,{"a":2},3]}"#)
  }

  @Test func a_value_that_encodes_nothing_is_an_error() {
    #expect(
      message { _ in }
        == "at /v: expected a value that encodes something, found a Custom, which encodes nothing")
    #expect(message { _ = $0.singleValueContainer() }.hasPrefix("at /v: expected a value that"))
  }

  @Test func misuse_is_an_error_and_no_crash() {
    let twice = message { encoder in
      var container = encoder.singleValueContainer()
      try container.encode(1)
      try container.encode(2)
    }
    #expect(twice == "at /v: more than one value was encoded into a single value container")
    let mixed = message { encoder in
      var list = encoder.unkeyedContainer()
      try list.encode(1)
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(1, forKey: .a)
    }
    #expect(mixed == "at /v: an object was begun where an array is encoded already")
  }

  @Test func coding_paths_lead_to_where_one_is() {
    _ = message { encoder in
      #expect(encoder.codingPath.map(\.stringValue) == ["v"])
      var container = encoder.container(keyedBy: Key.self)
      var list = container.nestedUnkeyedContainer(forKey: .b)
      try list.encode(0)
      let inner = list.nestedContainer(keyedBy: Key.self)
      #expect(inner.codingPath.map(\.stringValue) == ["v", "b", "Index 1"])
      #expect(inner.codingPath.last?.intValue == 1)
    }
  }

  @Test func the_errors_of_a_type_are_told() {
    struct Reason: Error, CustomStringConvertible { let description = "not today" }
    #expect(message { _ in throw Reason() } == "at /v: not today")
    let found = message { encoder in
      throw EncodingError.invalidValue(
        1, .init(codingPath: encoder.codingPath, debugDescription: "no ones"))
    }
    #expect(found == "at /v: no ones")
  }

  @Test func a_value_that_failed_is_left_out_or_tried_otherwise() {
    let found = message { encoder in
      var container = encoder.container(keyedBy: Key.self)
      try? container.encode(Double.nan, forKey: .c)
      try? container.encode([1, Double.nan], forKey: .b)
      try container.encode("b", forKey: .b)
      var list = container.nestedUnkeyedContainer(forKey: .a)
      try list.encode(1)
      try? list.encode(["x": Double.infinity])
      #expect(list.count == 1)
      try list.encode(
        Custom { encoder in
          var single = encoder.singleValueContainer()
          do { try single.encode(Double.nan) } catch { try single.encode("NaN") }
        })
      #expect(list.count == 2)
    }
    #expect(found == #"{"v":{"a":[1,"NaN"],"b":"b"}}"#)
  }

  @Test func user_info_is_handed_on() throws {
    guard let key = CodingUserInfoKey(rawValue: "key") else { return }
    var codec = EventCodec()
    codec.userInfo[key] = 7
    let bytes = try codec.encode(
      Custom { encoder in
        var container = encoder.singleValueContainer()
        try container.encode(encoder.userInfo[key] as? Int)
      })
    #expect(bytes == Array("7".utf8))
  }

  private indirect enum Chain: Codable {
    case end
    case link(Chain)
  }

  @Test func what_could_not_be_read_back_is_not_written() throws {
    let limit = JSONIndex.maximumDepth
    // Each link is two objects, and the end two more.
    let deepest = (0..<limit / 2 - 1).reduce(Chain.end) { chain, _ in .link(chain) }
    let bytes = try EventCodec().encode(deepest)
    #expect(try EventCodec().encode(EventCodec().decodeInput(Chain.self, from: bytes)) == bytes)
    let error = #expect(throws: CodecError.self) { try EventCodec().encode(Chain.link(deepest)) }
    #expect(
      error?.message
        == "expected arrays and objects nested no deeper than 512 levels, found more levels")
  }
}
