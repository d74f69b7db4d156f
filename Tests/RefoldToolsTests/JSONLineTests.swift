import EventStoreCore
import JSONTree
import Testing

@testable import RefoldTools

@Suite("A line of output")
struct JSONLineTests {
  @Test(arguments: [0, 1, 9, 10, 99, 100, 4_294_967_295, .max, -1, -10, .min])
  func numbers_are_their_digits(_ number: Int) {
    var line = JSONLine()
    line.member("n", number)
    #expect(text(line.finished()) == "{\"n\":\(number)}\n")
  }

  @Test func an_event_has_its_members_in_order() {
    let header = EventHeader(
      seq: 12, kind: .mutation, cause: 11, recordedAt: Timestamp(microseconds: 1_000_007))
    let payload = Array(#"{"add":{"_0":2}}"#.utf8)
    var lines = Array("before\n".utf8)
    JSONLine.append(header, payload.span.bytes, to: &lines)
    JSONLine.append(header, payload.span.bytes, session: "a\"b", to: &lines)
    let members =
      #""seq":12,"kind":"mutation","cause":11,"at":"1970-01-01T00:00:01.000007Z","#
      + #""payload":{"add":{"_0":2}}"#
    #expect(text(lines) == "before\n{\(members)}\n{\"session\":\"a\\\"b\",\(members)}\n")
    #expect(
      text(JSONLine.event(header, payload.span.bytes).finished()) == "{\(members)}\n")
  }

  @Test func a_line_that_fails_leaves_nothing_behind() {
    var lines = Array("before\n".utf8)
    #expect(throws: Failure.self) {
      try JSONLine.append(to: &lines) { line in
        line.member("a", 1)
        throw Failure(.no, "")
      }
    }
    #expect(text(lines) == "before\n")
  }

  /// Wherever in a payload a control character stands, the line stays one line.
  @Test func a_payload_that_was_altered_stays_on_its_line() throws {
    let plain = Array(#"{"text":"ü 0123456789 \u0000"}"#.utf8)
    for place in plain.indices {
      for control: UInt8 in [0x00, 0x09, 0x0A, 0x0D, 0x1F] {
        var payload = plain
        payload[place] = control
        var line = JSONLine()
        line.member("payload", json: payload.span.bytes)
        let bytes = line.finished()
        if control == 0x09 || control == 0x0D {
          #expect(bytes == Array("{\"payload\":".utf8) + payload + Array("}\n".utf8))
        } else {
          let text = String(decoding: payload, as: UTF8.self)
          #expect(try JSONValue(parsing: bytes) == ["payload": .string(text)])
          #expect(bytes.count { $0 == 0x0A } == 1)
        }
      }
    }
  }

  private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
