import EventStoreCore
import Foundation
import JSONTree
import Refold
import Testing

@testable import RefoldTools

/// What fuzzing found, as the promise that was broken.
@Suite("What fuzzing found")
struct FoundTests {
  @Test(
    "a date that cannot be written is not accepted",
    arguments: [
      "0000-01-01T00:00:00+00:01", "9999-12-31T23:59:59-00:01",
      "9999-12-31T23:59:59.99999999999Z",
    ])
  func dates(_ text: String) {
    let error = #expect(throws: CodecError.self) {
      try EventCodec().decodeInput([Date].self, from: Array("[\"\(text)\"]".utf8))
    }
    #expect(error?.kind == .doesNotFit)
  }

  @Test func the_first_and_the_last_date_are_accepted() throws {
    let dates = #"["0000-01-01T00:00:00Z","9999-12-31T23:59:59Z"]"#
    let codec = EventCodec()
    let value = try codec.decodeInput([Date].self, from: Array(dates.utf8))
    #expect(String(decoding: try codec.encode(value), as: UTF8.self) == dates)
  }

  @Test(
    "a name begins with no @ or -, under an accent either", arguments: ["@\u{301}a", "-\u{348}"])
  func names(_ name: String) {
    #expect(throws: EventStoreError.self) { try SessionName(name) }
  }

  @Test func a_delivery_id_that_no_store_takes_is_refused_with_its_line() throws {
    var lines = [
      #"{"refold":"log","format":1,"session":"s","reactor":"r","created":"2026-11-30T08:15:00Z"}"#,
      #"{"seq":1,"kind":"action","cause":0,"at":"2026-11-30T08:15:00Z","id":"","payload":1}"#,
    ].map { Array($0.utf8) }[...]
    var reader = try LogFileReader(name: "s.log") { lines.popFirst() }
    let error = #expect(throws: LogFileError.self) { try reader.readEvents { _, _ in } }
    let message = "s.log, line 2: a delivery id has 1 to 65536"
    #expect(error?.description.hasPrefix(message) == true)
  }

  @Test func a_long_sequence_is_the_same_keys_however_its_bytes_come() {
    let bytes = Array("\u{1B}[\(String(repeating: "1;", count: 40))A".utf8)
    var (whole, single) = (KeyDecoder(), KeyDecoder())
    #expect(whole.keys(bytes) == bytes.flatMap { single.keys([$0]) })
  }

  @Test func a_message_quotes_no_more_of_a_pointer_than_people_read() throws {
    let pointer = JSONPointer(tokens: Array(repeating: "segment", count: 10_000))
    let error = #expect(throws: JSONError.self) { try JSONValue.null.value(at: pointer) }
    #expect((error?.description.count ?? 0) < 600)
  }
}
