import Foundation
import JSONTree
import Refold
import Testing

/// Any JSON, by way of Codable's containers alone.
private indirect enum Anything: Codable, Equatable {
  case null
  case bool(Bool)
  case number(Double)
  case string(String)
  case array([Anything])
  case object([String: Anything])

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
    } else if (try? decoder.unkeyedContainer()) != nil {
      self = .array(try container.decode([Anything].self))
    } else {
      self = .object(try container.decode([String: Anything].self))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let value): try container.encode(value)
    case .number(let value): try container.encode(value)
    case .string(let value): try container.encode(value)
    case .array(let value): try container.encode(value)
    case .object(let value): try container.encode(value)
    }
  }
}

private struct SuiteFile: Sendable, CustomTestStringConvertible {
  let name: String
  let bytes: [UInt8]

  var testDescription: String { name }

  static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "shared/data/json-test-suite/test_parsing")

  static func all(_ prefix: String) -> [SuiteFile] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: root.path)) ?? []
    return names.sorted().filter { $0.hasPrefix(prefix) }.compactMap { name in
      (try? Data(contentsOf: root.appending(path: name)))
        .map { SuiteFile(name: name, bytes: Array($0)) }
    }
  }
}

@Suite(
  .enabled(
    if: FileManager.default.fileExists(atPath: SuiteFile.root.path),
    "shared/data/json-test-suite is not beside the package"))
struct JSONTestSuiteDecodingTests {
  private let codec = EventCodec()

  @Test(arguments: SuiteFile.all("y_"))
  fileprivate func valid_json_is_decoded_and_encoded(file: SuiteFile) throws {
    let value = try codec.decode(Anything.self, from: file.bytes)
    let bytes = try codec.encode(value)
    #expect(try codec.decodeInput(Anything.self, from: bytes) == value)
    // Foundation refuses 0e1, and keeps the first of equal keys.
    let foundations = try? JSONDecoder().decode(Anything.self, from: Data(file.bytes))
    #expect(foundations == nil || value == foundations || file.name.contains("duplicated_key"))
  }

  @Test(arguments: SuiteFile.all("n_"))
  fileprivate func invalid_json_is_refused_before_anything_is_decoded(file: SuiteFile) throws {
    let error = #expect(throws: CodecError.self) {
      try codec.decode(Anything.self, from: file.bytes)
    }
    guard case .notJSON? = error?.kind else {
      Issue.record("\(error?.description ?? "no error")")
      return
    }
  }

  /// What the standard leaves open, as docs/CommandLine.md tells it: the parser's choices, and numbers
  /// that no Double is near to are refused.
  private static let accepted: Set = [
    "i_number_double_huge_neg_exp.json", "i_number_real_underflow.json",
    "i_number_too_big_neg_int.json", "i_number_too_big_pos_int.json",
    "i_number_very_big_negative_int.json", "i_structure_500_nested_arrays.json",
  ]

  @Test(arguments: SuiteFile.all("i_"))
  fileprivate func what_the_standard_leaves_open_is_decided(file: SuiteFile) throws {
    let value = try? codec.decode(Anything.self, from: file.bytes)
    #expect((value != nil) == Self.accepted.contains(file.name))
    guard let value else { return }
    #expect(try codec.decode(Anything.self, from: codec.encode(value)) == value)
  }
}
