import Foundation

/// A value of every type that has coding of its own, each member optional, so that mutated input
/// decodes often.
struct Everything: Codable {
  var flag: Bool?
  var int: Int?
  var tiny: Int8?
  var large: UInt64?
  var huge: Int128?
  var real: Double?
  var short: Float?
  var text: String?
  var list: [Int8]?
  var holes: [Int?]?
  var names: [String: Int]?
  var numbers: [Int: String]?
  var set: Set<String>?
  var choice: Choice?
  var deeper: [Everything]?
  var date: Date?
  var data: Data?
  var url: URL?
  var decimal: Decimal?
}

/// An enum with every form of a case.
indirect enum Choice: Codable {
  case plain
  case one(Int)
  case two(text: String, real: Double?)
  case more([Choice])
  case next(Choice)
}

/// Any JSON, by way of Codable's containers alone; members in the order of the text.
indirect enum Anything: Codable {
  case null
  case bool(Bool)
  case integer(Int64)
  case number(Double)
  case string(String)
  case array([Anything])
  case object([(key: String, value: Anything)])

  private struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  init(from decoder: any Decoder) throws {
    let single = try decoder.singleValueContainer()
    if single.decodeNil() {
      self = .null
    } else if let value = try? single.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? single.decode(String.self) {
      self = .string(value)
    } else if let value = try? single.decode(Int64.self) {
      self = .integer(value)
    } else if let value = try? single.decode(Double.self) {
      // What is written as a whole number, -0 too, comes back as an integer.
      self = Int64(exactly: value).map { .integer($0) } ?? .number(value)
    } else if (try? decoder.unkeyedContainer()) != nil {
      self = .array(try single.decode([Anything].self))
    } else {
      let members = try decoder.container(keyedBy: Key.self)
      self = .object(
        try members.allKeys.map { ($0.stringValue, try members.decode(Anything.self, forKey: $0)) })
    }
  }

  func encode(to encoder: any Encoder) throws {
    if case .object(let members) = self {
      var container = encoder.container(keyedBy: Key.self)
      for member in members {
        try container.encode(member.value, forKey: Key(stringValue: member.key))
      }
      return
    }
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let value): try container.encode(value)
    case .integer(let value): try container.encode(value)
    case .number(let value): try container.encode(value)
    case .string(let value): try container.encode(value)
    case .array(let value): try container.encode(value)
    case .object: break
    }
  }
}

/// What Foundation's decoder and ours must agree on.
struct Agreed: Codable, Equatable {
  var int: Int?
  var text: String?
  var list: [Int]?
  var real: Double?
  var flag: Bool?
}
