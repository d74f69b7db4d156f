import JSONTree
import Testing

@Suite struct JSONValueTests {
  @Test func a_value_prints_as_it_was_read() throws {
    let text = #"{"b":1.50,"a":[1e3,-0,"x\u0000"]}"#
    #expect(try JSONValue(parsing: text).description == text)
  }
}
