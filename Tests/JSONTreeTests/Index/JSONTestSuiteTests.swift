import JSONTree
import Testing

@Suite(.enabled(if: JSONTestSuite.isPresent, "\(JSONTestSuite.absence)"))
struct JSONTestSuiteTests {
  @Test func the_whole_suite_is_there() {
    #expect(JSONTestSuite.files(in: "test_parsing").count == 318)
    #expect(JSONTestSuite.files(in: "test_transform").count == 22)
  }

  @Test(arguments: JSONTestSuite.files(in: "test_parsing", prefix: "y_"))
  func valid_json_is_accepted(file: JSONTestSuite.File) throws {
    let value = try JSONValue(parsing: file.bytes)
    #expect(try JSONValue(parsing: value.serialized) == value)
    #expect(try JSONValue(parsing: value.canonical) == value)
    #expect(try JSONValue(parsing: value.prettyPrinted) == value)
  }

  @Test(arguments: JSONTestSuite.files(in: "test_parsing", prefix: "n_"))
  func invalid_json_is_refused(file: JSONTestSuite.File) throws {
    let error = #expect(throws: JSONError.self) { try JSONValue(parsing: file.bytes) }
    #expect((error?.offset ?? -1) <= file.bytes.count)
  }

  /// What the standard leaves to the parser: numbers of any size are kept as digits; whatever is
  /// not Unicode, a byte order mark among it, is refused; 500 levels are few enough.
  private static let choices: [String: Bool] = [
    "i_number_double_huge_neg_exp.json": true,
    "i_number_huge_exp.json": true,
    "i_number_neg_int_huge_exp.json": true,
    "i_number_pos_double_huge_exp.json": true,
    "i_number_real_neg_overflow.json": true,
    "i_number_real_pos_overflow.json": true,
    "i_number_real_underflow.json": true,
    "i_number_too_big_neg_int.json": true,
    "i_number_too_big_pos_int.json": true,
    "i_number_very_big_negative_int.json": true,
    "i_object_key_lone_2nd_surrogate.json": false,
    "i_string_1st_surrogate_but_2nd_missing.json": false,
    "i_string_1st_valid_surrogate_2nd_invalid.json": false,
    "i_string_UTF-16LE_with_BOM.json": false,
    "i_string_UTF-8_invalid_sequence.json": false,
    "i_string_UTF8_surrogate_U+D800.json": false,
    "i_string_incomplete_surrogate_and_escape_valid.json": false,
    "i_string_incomplete_surrogate_pair.json": false,
    "i_string_incomplete_surrogates_escape_valid.json": false,
    "i_string_invalid_lonely_surrogate.json": false,
    "i_string_invalid_surrogate.json": false,
    "i_string_invalid_utf-8.json": false,
    "i_string_inverted_surrogates_U+1D11E.json": false,
    "i_string_iso_latin_1.json": false,
    "i_string_lone_second_surrogate.json": false,
    "i_string_lone_utf8_continuation_byte.json": false,
    "i_string_not_in_unicode_range.json": false,
    "i_string_overlong_sequence_2_bytes.json": false,
    "i_string_overlong_sequence_6_bytes.json": false,
    "i_string_overlong_sequence_6_bytes_null.json": false,
    "i_string_truncated-utf-8.json": false,
    "i_string_utf16BE_no_BOM.json": false,
    "i_string_utf16LE_no_BOM.json": false,
    "i_structure_500_nested_arrays.json": true,
    "i_structure_UTF-8_BOM_empty_object.json": false,
  ]

  @Test(arguments: JSONTestSuite.files(in: "test_parsing", prefix: "i_"))
  func what_the_standard_leaves_open_is_decided(file: JSONTestSuite.File) {
    #expect(((try? JSONValue(parsing: file.bytes)) != nil) == Self.choices[file.name])
  }

  /// Nothing is transformed: what is accepted comes back byte for byte.
  @Test(arguments: JSONTestSuite.files(in: "test_transform"))
  func what_others_transform_is_kept_or_refused(file: JSONTestSuite.File) throws {
    guard !file.name.contains("invalid_codepoint") else {
      #expect(throws: JSONError.self) { try JSONValue(parsing: file.bytes) }
      return
    }
    let bytes = try JSONValue(parsing: file.bytes).serialized
    let input = file.bytes.filter { ![0x20, 0x0A, 0x0D].contains($0) }
    #expect(bytes == input)
  }

  @Test(arguments: JSONTestSuite.files(in: "test_transform", prefix: "object_same_key"))
  func a_repeated_key_is_kept_or_refused_as_asked(file: JSONTestSuite.File) throws {
    guard case .object(let object) = try JSONValue(parsing: file.bytes) else {
      Issue.record("no object")
      return
    }
    #expect(object.members.count == 2)
    #expect(object["a"] == object.members[1].value)
    let error = #expect(throws: JSONError.self) {
      try JSONValue(parsing: file.bytes, duplicateKeys: .refused)
    }
    #expect(error?.description.hasPrefix(#"duplicate key "a" at byte "#) == true)
  }

  @Test(arguments: JSONTestSuite.files(in: "test_transform", prefix: "object_key_nf"))
  func keys_that_differ_in_normalization_are_two(file: JSONTestSuite.File) throws {
    let value = try JSONValue(parsing: file.bytes, duplicateKeys: .refused)
    #expect(value["\u{E9}"] == "NFC")
    #expect(value["e\u{301}"] == "NFD")
  }
}
