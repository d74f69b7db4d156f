import Foundation
import Refold
import SampleReactors

/// What coding costs: a value and its bytes, without a session or a store around it.
struct CodecBenchmark: Benchmark {
  static let name = "codec"
  static let summary = "values to and from JSON, beside Foundation's coders"
  static let operation = "value"

  let variants: [Variant]

  init(count: Int, in folder: TemporaryFolder) async throws {
    // Large values a fraction as often.
    let (some, few) = (max(1, count / 20), max(1, count / 1000))
    let samples = try CodecSamples()
    variants =
      try [
        Variant(name: "input action", count: count) {
          try Self.repeating(count) {
            try samples.codec.decodeInputAction(CounterReactor.Action.self, from: samples.action)
          }
        },
        Variant(name: "Foundation, action", count: count) {
          try Self.repeating(count) {
            try samples.decoder.decode(CounterReactor.Action.self, from: Data(samples.action))
          }
        },
      ]
      + Self.pair("a mutation", CounterReactor.Mutation.add(5), count, samples)
      + Self.pair("30 fields", Form(), some, samples)
      + Self.pair("1,000 structs", Item.list, few, samples)
      + Self.pair("a large state", LargeState(), few, samples)
  }

  /// Decoding and encoding `value`, here and by Foundation.
  private static func pair<Value: Codable & Sendable>(
    _ name: String, _ value: Value, _ count: Int, _ samples: CodecSamples
  ) throws -> [Variant] {
    let bytes = try samples.codec.encode(value)
    let data = try samples.encoder.encode(value)
    return [
      Variant(name: "decode \(name)", count: count) {
        try repeating(count) { try samples.codec.decode(Value.self, from: bytes) }
      },
      Variant(name: "Foundation, decode \(name)", count: count) {
        try repeating(count) { try samples.decoder.decode(Value.self, from: data) }
      },
      Variant(name: "encode \(name)", count: count) {
        try repeating(count) { try samples.codec.encode(value) }
      },
      Variant(name: "Foundation, encode \(name)", count: count) {
        try repeating(count) { try samples.encoder.encode(value) }
      },
    ]
  }

  private static func repeating<Result>(
    _ count: Int, _ body: () throws -> Result
  ) throws -> Sample {
    let watch = Stopwatch()
    for _ in 0..<count { _ = try body() }
    return watch.stop()
  }
}

/// The coders, and the line of an action.
private struct CodecSamples {
  let codec = EventCodec()
  let encoder = JSONEncoder()
  let decoder = JSONDecoder()
  let action = Array(CounterLog.line(0).utf8)

  /// Makes them, and sees to it that both coders read alike what each has written.
  init() throws {
    encoder.outputFormatting = [.sortedKeys]
    let state = LargeState()
    let ours = try codec.encode(state)
    let read = try codec.decode(LargeState.self, from: Array(encoder.encode(state)))
    guard try codec.encode(read) == ours,
      try codec.encode(decoder.decode(LargeState.self, from: Data(ours))) == ours
    else { throw BenchError.wrongResult("the coders differ") }
  }
}

private struct Item: Codable, Sendable {
  var id: Int
  var title: String
  var isDone: Bool

  static let list = (0..<1000).map {
    Item(id: $0, title: "number \($0)", isDone: $0.isMultiple(of: 2))
  }
}

private struct Form: Codable, Sendable {
  var title = "A title", count = 12, isOn = true, ratio = 1.5, kind = "kind", owner = "somebody"
  var street = "12 Long Road", city = "Springfield", code = 12_345, height = 1.75, weight = 70.5
  var age = 41, visits = 7, isMember = false, note = "nothing to say", color = "red", size = 44
  var first = 1, second = 2.25, third = "three", fourth = true, fifth = 5, sixth = "six", zone = 3
  var maybe: Int? = 4
  var never: String?
  var list = [1, 2, 3]
  var tags = ["a", "b"]
  var inner = Item(id: 1, title: "inner", isDone: true)
  var last = "the last of thirty"
}

private struct LargeState: Codable, Sendable {
  var items = Item.list
  var forms = (0..<20).map { _ in Form() }
  var byName = Dictionary(uniqueKeysWithValues: Item.list.prefix(200).map { ($0.title, $0.id) })
  var numbers = (0..<2000).map { $0 * 7 }
  var nested: [[String?]] = (0..<50).map { row in
    (0..<5).map { $0 == 3 ? nil : "row \(row), column \($0)" }
  }
}
