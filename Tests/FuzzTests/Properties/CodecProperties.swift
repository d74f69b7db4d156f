import EventStoreTesting
import Foundation
import JSONTree
import Refold
import SampleReactors

/// What decodes encodes, comes back the same, and is what `JSONValue` reads in the same bytes.
enum CodecProperties {
  static func check(_ input: [UInt8]) throws {
    let codec = EventCodec()
    try roundTrip(Everything.self, codec, input)
    try roundTrip(Choice.self, codec, input)
    try roundTrip([String: [Int?]].self, codec, input)
    try actions(CounterReactor.self, codec, input)
    try actions(EditorReactor.self, codec, input)
    try actions(CreatePostReactor.self, codec, input)
    let anything = try roundTrip(Anything.self, codec, input)
    try compareWithTree(anything, input)
    try compareWithFoundation(codec, input)
  }

  @discardableResult
  private static func roundTrip<T: Codable>(
    _ type: T.Type, _ codec: EventCodec, _ input: [UInt8]
  ) throws -> T? {
    let strict = Result { () throws(CodecError) in try codec.decodeInput(type, from: input) }
    let lenient = Result { () throws(CodecError) in try codec.decode(type, from: input) }
    if case .failure(let error) = strict { try requireMessage("\(error)", for: input) }
    guard case .success(let value) = lenient else {
      try require((try? strict.get()) == nil, "only strict decoding takes \(shown(input))")
      return nil
    }
    let bytes = try kept(value, codec, input)
    if case .success(let strict) = strict {
      try require(try codec.encode(strict) == bytes, "strict decoding gives another value")
    }
    return value
  }

  /// The encoding of what was decoded: it reads back, strictly, as what encodes the same.
  private static func kept<T: Codable>(
    _ value: T, _ codec: EventCodec, _ input: [UInt8]
  ) throws -> [UInt8] {
    let bytes: [UInt8]
    do {
      bytes = try codec.encode(value)
    } catch {
      throw BrokenPromise("\(T.self) of \(shown(input)) does not encode: \(error)")
    }
    let again: T
    do {
      again = try codec.decodeInput(T.self, from: bytes)
    } catch {
      throw BrokenPromise(
        "\(T.self) of \(shown(input)) encodes as \(shown(bytes)), which it does not read: \(error)")
    }
    let second = try codec.encode(again)
    try require(
      second == bytes, "\(T.self) encodes as \(shown(bytes)), and back as \(shown(second))")
    let tree = try JSONValue(parsing: bytes)
    try require(tree.serialized == bytes, "the encoding is not compact: \(shown(bytes))")
    try require(!tree.holdsDuplicateKeys, "the encoding repeats a key: \(shown(bytes))")
    return bytes
  }

  /// A line of input that is accepted is an action whose payload the log gives back.
  private static func actions<R: Reactor>(
    _ reactor: R.Type, _ codec: EventCodec, _ input: [UInt8]
  ) throws {
    guard let accepted = try? codec.acceptInputAction(R.Action.self, from: input) else { return }
    let payload = accepted.payload
    guard let read = try? codec.decodeAction(R.Action.self, from: payload) else {
      throw BrokenPromise("the payload \(shown(payload)) of \(shown(input)) does not decode")
    }
    try require(
      try codec.encode(read) == codec.encode(accepted.action),
      "the payload \(shown(payload)) is another action than \(shown(input))")
  }
}

extension CodecProperties {
  /// Decoding refuses what no type can hold; what it accepts is what the tree holds.
  private static func compareWithTree(_ anything: Anything?, _ input: [UInt8]) throws {
    guard let tree = try? JSONValue(parsing: input) else {
      return try require(anything == nil, "decoded, but no JSON: \(shown(input))")
    }
    guard let anything else {
      return try require(tree.holdsHugeNumber, "JSON that does not decode: \(shown(input))")
    }
    try require(anything.isSame(as: tree), "decoded as another value: \(shown(input))")
  }

  private static func compareWithFoundation(_ codec: EventCodec, _ input: [UInt8]) throws {
    guard let tree = try? JSONValue(parsing: input), !tree.holdsDuplicateKeys,
      let ours = try? codec.decode(Agreed.self, from: input),
      let theirs = try? JSONDecoder().decode(Agreed.self, from: Data(input))
    else { return }
    try require(ours == theirs, "JSONDecoder gives \(theirs), we \(ours) for \(shown(input))")
  }
}

extension Anything {
  /// Whether this is what `tree` holds, the last of equal keys alone.
  fileprivate func isSame(as tree: JSONValue) -> Bool {
    switch (self, tree) {
    case (.null, .null): return true
    case (.bool(let one), .bool(let two)): return one == two
    case (.integer(let one), .number(let two)):
      return two.int64.map { $0 == one } ?? (two.double.flatMap { Int64(exactly: $0) } == one)
    case (.number(let one), .number(let two)): return two.int64 == nil && one == two.double
    case (.string(let one), .string(let two)): return one.utf8.elementsEqual(two.utf8)
    case (.array(let one), .array(let two)):
      return one.count == two.count && zip(one, two).allSatisfy { $0.isSame(as: $1) }
    case (.object(let one), .object(let two)):
      let kept = two.members.indices.filter { place in
        let key = two.members[place].key
        return !two.members[(place + 1)...].contains { $0.key.utf8.elementsEqual(key.utf8) }
      }
      return one.count == kept.count
        && zip(one, kept).allSatisfy { member, place in
          member.key.utf8.elementsEqual(two.members[place].key.utf8)
            && member.value.isSame(as: two.members[place].value)
        }
    case (_, _): return false
    }
  }
}
