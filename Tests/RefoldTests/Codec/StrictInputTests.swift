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
}
