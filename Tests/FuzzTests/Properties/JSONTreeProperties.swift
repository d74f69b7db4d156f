import EventStoreTesting
import Foundation
import JSONTree

/// A JSON text is refused with a place in it, or kept: nothing is lost on the way through.
enum JSONTreeProperties {
  static func check(_ input: [UInt8]) throws {
    let value: JSONValue
    do throws(JSONError) {
      value = try JSONValue(parsing: input)
    } catch {
      return try checkRefusal(error, of: input)
    }
    try checkTexts(of: value)
    try checkDuplicates(in: value, of: input)
    try require(
      foundationAccepts(input) || value.holdsHugeNumber,
      "JSONSerialization refuses \(shown(input))")
    try require(value.depth <= JSONIndex.maximumDepth, "deeper than the limit")
  }

  private static func checkRefusal(_ error: JSONError, of input: [UInt8]) throws {
    let offset = error.offset ?? -1
    try require(
      (0...input.count).contains(offset), "\(error) is at byte \(offset) of \(shown(input))")
    try requireMessage("\(error)", for: input)
  }

  /// Each form reads back as the same value, and is what that one is written as.
  private static func checkTexts(of value: JSONValue) throws {
    let forms: [(String, (JSONValue) -> [UInt8])] = [
      ("compact", { $0.serialized }), ("canonical", { $0.canonical }),
      ("pretty", { Array($0.prettyPrinted.utf8) }),
    ]
    for (name, form) in forms {
      let text = form(value)
      let again = try JSONValue(parsing: text)
      try require(again == value, "the \(name) form is another value: \(shown(text))")
      try require(
        again.hashValue == value.hashValue, "equal values hash differently: \(shown(text))")
      try require(form(again) == text, "the \(name) form has another one: \(shown(text))")
      try require(
        again.canonical == value.canonical, "equal values have two canonical forms: \(shown(text))")
    }
    let compact = try JSONValue(parsing: value.serialized)
    try require(compact.isIdentical(to: value), "digits, order or bytes were lost")
    try require(
      JSONPatch(from: value, to: compact).operations.isEmpty, "a value differs from itself")
  }

  /// Keys that repeat are refused where that is asked for, and nothing else is.
  private static func checkDuplicates(in value: JSONValue, of input: [UInt8]) throws {
    let hasDuplicates = value.holdsDuplicateKeys
    let strict = try? JSONValue(parsing: input, duplicateKeys: .refused)
    try require((strict == nil) == hasDuplicates, "duplicate keys of \(shown(input))")
  }

  private static func foundationAccepts(_ input: [UInt8]) -> Bool {
    (try? JSONSerialization.jsonObject(with: Data(input), options: .fragmentsAllowed)) != nil
  }
}

extension JSONValue {
  /// Whether the digits, the bytes of strings and the order of members are the same.
  func isIdentical(to other: JSONValue) -> Bool {
    switch (self, other) {
    case (.number(let one), .number(let two)): one.text == two.text
    case (.string(let one), .string(let two)): one.utf8.elementsEqual(two.utf8)
    case (.array(let one), .array(let two)):
      one.count == two.count && zip(one, two).allSatisfy { $0.isIdentical(to: $1) }
    case (.object(let one), .object(let two)):
      one.members.count == two.members.count
        && zip(one.members, two.members).allSatisfy {
          $0.key.utf8.elementsEqual($1.key.utf8) && $0.value.isIdentical(to: $1.value)
        }
    case (_, _): self == other
    }
  }

  /// Levels of arrays and objects.
  var depth: Int { children.map { $0.depth + 1 }.max() ?? (isContainer ? 1 : 0) }

  private var isContainer: Bool {
    switch self {
    case .array, .object: true
    case .null, .bool, .number, .string: false
    }
  }

  private var children: [JSONValue] {
    switch self {
    case .array(let elements): elements
    case .object(let object): object.members.map(\.value)
    case .null, .bool, .number, .string: []
    }
  }

  var holdsDuplicateKeys: Bool {
    if case .object(let object) = self,
      Set(object.members.map { Array($0.key.utf8) }).count < object.members.count
    {
      return true
    }
    return children.contains { $0.holdsDuplicateKeys }
  }

  /// Whether there is a number that no Double is near to, or that has more digits than others take.
  var holdsHugeNumber: Bool {
    if case .number(let number) = self { return number.double == nil || number.text.count > 300 }
    return children.contains { $0.holdsHugeNumber }
  }
}
