import EventStoreTesting
import JSONTree
import Refold
import Testing

@Suite struct StrictInputTests {
  private enum Action: Codable, Equatable {
    case increase(by: Int)
    case reset
    case rename(String, to: String?)
  }

  private let codec = EventCodec()

  private func message(_ line: String) -> String {
    do throws(CodecError) {
      return "\(try codec.decodeInputAction(Action.self, from: Array(line.utf8)))"
    } catch {
      return error.description
    }
  }

  @Test(arguments: [
    (#"{"increase":{"by":2}}"#, "increase(by: 2)"),
    (#"{"increase":{"by":2.0}}"#, "increase(by: 2)"),
    (#"{"increase":{"by":1e3}}"#, "increase(by: 1000)"),
    (#"{"reset":{}}"#, "reset"),
    (#" "reset" "#, "reset"),
    (#"{"rename":{"_0":"a"}}"#, #"rename("a", to: nil)"#),
    (#"{"rename":{"_0":"a","to":null}}"#, #"rename("a", to: nil)"#),
  ])
  func an_action_is_read(_ line: String, _ action: String) {
    #expect(message(line) == action)
  }

  @Test(arguments: [
    (#"{"increase":{"by":2,"x":1}}"#, "at /increase/x: unknown key, expected: by"),
    (#"{"increase":{"by":2},"x":1}"#, "at /x: unknown key, expected: increase"),
    (#"{"increase":{"yb":2}}"#, #"at /increase: missing key "by", found the key "yb""#),
    (#"{"increase":{"by":1,"by":2}}"#, "at /increase/by: duplicate key, expected every key once"),
    (
      #"{"increase":{"by":9223372036854775808}}"#,
      "at /increase/by: expected an integer that fits Int, found 9223372036854775808"
    ),
    (#"{"increase":{"by":1.5}}"#, "at /increase/by: expected an integer, found 1.5"),
    (
      #"{"increase":{"by":"2"}}"#,
      #"at /increase/by: expected an integer that fits Int, found the string "2""#
    ),
    (#"{"reset":{"hard":true}}"#, "at /reset/hard: unknown key, expected: no keys"),
    (
      #"{"incraese":{"by":1}}"#,
      #"expected an object with the name of one case as its only key, found the key "incraese""#
    ),
    (
      #""incraese""#,
      #"expected an object with the name of one case as its only key, found the key "incraese""#
    ),
    (#""increase""#, #"at /increase: missing key "by", found an empty object"#),
    ("7", "expected an object, found 7"),
    (#"{"increase""#, "not JSON: expected ':' after the key, found the end of the text at byte 11"),
  ])
  func a_line_that_is_no_action_is_refused_with_what_was_expected(_ line: String, _ error: String) {
    #expect(message(line) == error)
  }

  private struct Form: Codable, Equatable {
    struct Empty: Codable, Equatable {}
    var name: String?
    var tags: [String: Set<Int>] = [:]
    var maybe: [Form?]?
    var empty: Empty?
    var pair: Pair?
  }

  private struct Pair: Codable, Equatable {
    var first = 0
    var second = 0

    init(from decoder: any Decoder) throws {
      var list = try decoder.unkeyedContainer()
      first = try list.decode(Int.self)
      second = try list.decode(Int.self)
    }

    func encode(to encoder: any Encoder) throws {
      var list = encoder.unkeyedContainer()
      try list.encode(first)
      try list.encode(second)
    }
  }

  private func form(_ input: String) -> String? {
    do throws(CodecError) {
      _ = try codec.decodeInput(Form.self, from: Array(input.utf8))
      return nil
    } catch {
      return error.description
    }
  }

  @Test(arguments: [
    "{\"tags\":{}}", #"{"tags":{"a":[1,2],"tags":[]},"maybe":[null,{"tags":{"x":[3]}}]}"#,
    #"{"name":null,"tags":{},"maybe":null,"empty":{},"pair":[1,2]}"#,
    #"{"t\u0061gs":{"\u0061":[]}}"#,
  ])
  func what_decoding_reads_whole_passes(_ input: String) { #expect(form(input) == nil) }

  @Test(arguments: [
    (#"{"tags":{},"nmae":"x"}"#, "at /nmae: unknown key, expected: name, tags, maybe, empty, pair"),
    (#"{"tags":{},"empty":{"a":1}}"#, "at /empty/a: unknown key, expected: no keys"),
    (
      #"{"tags":{},"pair":[1,2,3]}"#,
      "at /pair: expected no more than 2 elements, found 3, too many elements"
    ),
    (#"{"tags":{},"pair":[1]}"#, "at /pair: expected another element, found only 1"),
    (
      #"{"tags":{},"maybe":[null,{"tags":{},"x~y":0}]}"#,
      "at /maybe/1/x~0y: unknown key, expected: name, tags, maybe, empty, pair"
    ),
    (#"{"tags":{"a":[1],"\u0061":[2]}}"#, "at /tags/a: duplicate key, expected every key once"),
    (#"{"tags":{},"tags":{}}"#, "at /tags: duplicate key, expected every key once"),
  ])
  func what_decoding_does_not_read_is_refused(_ input: String, _ error: String) {
    #expect(form(input) == error)
  }

  @Test func a_log_may_hold_what_input_may_not() throws {
    let bytes = Array(#"{"increase":{"by":2,"x":1,"by":3},"y":0}"#.utf8)
    guard case .increase(by: 3) = try codec.decode(Action.self, from: bytes) else {
      Issue.record("not increase(by: 3)")
      return
    }
  }

  @Test func the_short_form_is_read_back_from_a_log() throws {
    #expect(try codec.decodeAction(Action.self, from: Array(#""reset""#.utf8)) == .reset)
    #expect(try codec.decodeAction(Action.self, from: Array(#"{"reset":{"x":1}}"#.utf8)) == .reset)
    #expect(throws: CodecError.self) {
      try codec.decodeInput(Action.self, from: Array(#""reset""#.utf8))
    }
    #expect(throws: CodecError.self) {
      try codec.decodeInputAction([Action].self, from: Array(#"["reset"]"#.utf8))
    }
  }

  @Test func a_type_that_reads_strings_speaks_for_itself() throws {
    enum Color: String, Codable { case red }
    let line = Array(#""blue""#.utf8)
    let error = #expect(throws: CodecError.self) {
      try codec.decodeInputAction(Color.self, from: line)
    }
    #expect(error?.description == "Cannot initialize Color from invalid String value blue")
    #expect(try codec.decodeInputAction(Color.self, from: Array(#""red""#.utf8)) == .red)
  }

  @Test func the_short_form_of_an_escaped_name_is_read() throws {
    #expect(try codec.decodeInputAction(Action.self, from: Array(#""\u0072eset""#.utf8)) == .reset)
  }

  @Test func mutated_lines_are_read_or_refused_and_never_do_harm() {
    var random = SeededGenerator(seed: 24)
    let lines = [
      #"{"name":"a\u0000","tags":{"a":[1,2]},"maybe":[null,{"tags":{}}],"pair":[1,2]}"#,
      #"{"rename":{"_0":"\ud83d\ude00","to":null}}"#, #"{"increase":{"by":-1.50e+1}}"#,
    ]
    let bytes = Array("{}[]:,\"\\u0e-.9 \u{0}\u{E9}".utf8)
    for round in 0..<6000 {
      var line = Array(lines[round % lines.count].utf8)
      for _ in 0...round % 3 {
        let place = Int.random(in: 0..<line.count, using: &random)
        if round % 2 == 0 { line[place] = bytes[Int.random(in: 0..<bytes.count, using: &random)] }
        if round % 5 == 0, line.count > 1 { line.remove(at: place) }
      }
      if let form = try? codec.decodeInput(Form.self, from: line) {
        #expect((try? codec.decodeInput(Form.self, from: codec.encode(form))) == form)
      }
      if let action = try? codec.decodeInputAction(Action.self, from: line) {
        #expect((try? codec.decodeInput(Action.self, from: codec.encode(action))) == action)
      }
    }
  }
}
