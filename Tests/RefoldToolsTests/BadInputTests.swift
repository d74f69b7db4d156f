import Foundation
import Testing

@Suite("Bad input")
struct BadInputTests {
  let shell: Shell

  init() throws { shell = try Shell() }

  /// A line that must be refused, and what must be said of it.
  struct BadLine {
    let bytes: [UInt8]
    let reason: String

    init(_ text: String, _ reason: String) { self.init(Array(text.utf8), reason) }

    init(_ bytes: [UInt8], _ reason: String) {
      self.bytes = bytes
      self.reason = reason
    }
  }

  static let badLines = [
    BadLine("increase", "not JSON"),
    BadLine(#"{"increase":{"by":1}"#, "not JSON"),
    BadLine(#"{"increase":{"by":1}} {}"#, "not JSON"),
    BadLine(
      #"{"incraese":{"by":1}}"#, #"unknown action "incraese", expected one of increase, reset"#),
    BadLine(#"{"increase":{}}"#, #"at /increase: missing key "by""#),
    BadLine(#"{"increase":{"by":1,"x":2}}"#, "at /increase/x: unknown key, expected: by"),
    BadLine(#"{"increase":{"by":1},"reset":{}}"#, "expected an object with the name of one case"),
    BadLine(#"{"increase":{"by":"1"}}"#, "expected an integer that fits Int"),
    BadLine(#"{"increase":{"by":1.5}}"#, "expected an integer, found 1.5"),
    BadLine(#"{"increase":{"by":null}}"#, "expected an integer that fits Int"),
    BadLine(#"{"increase":{"by":1,"by":2}}"#, "duplicate key"),
    BadLine(#"{"increase":{"by":9223372036854775808}}"#, "found 9223372036854775808"),
    BadLine(Array(#"{"increase":{"by":1}}"#.utf8.dropLast(2)) + [0xFF, 0x7D, 0x7D], "not JSON"),
    BadLine(Array(#"{"increase":{"b"#.utf8) + [0] + Array(#"y":1}}"#.utf8), "not JSON"),
    BadLine([0x22, 0xFF, 0x22], "UTF-8"),
    BadLine(#""\ud800""#, "surrogate"),
    BadLine(#"["reset"]"#, "expected an object"),
    BadLine("\"rezet\"", #"unknown action "rezet""#),
    BadLine(String(repeating: "[", count: 100_000), "not JSON"),
  ]

  @Test func bad_lines_are_reported_by_number_and_the_good_ones_are_all_in() async throws {
    var input: [UInt8] = []
    let good = Array("{\"increase\":{\"by\":1}}\n".utf8)
    for line in Self.badLines { input += good + line.bytes + [0x0A] }
    input += good
    let run = try await shell.refold(
      ["run", "counter", "--session", "s", "--emit", "acks", "--rejects", shell.path("rejects")],
      input: input)
    #expect(run.code == 65)
    #expect(run.lines.count == Self.badLines.count + 1)
    for (index, line) in Self.badLines.enumerated() {
      let number = 2 * index + 2
      let message = run.errorLines.first { $0.hasPrefix("line \(number): ") }
      #expect(message?.contains(line.reason) == true, "line \(number): \(message ?? "no message")")
    }
    #expect(run.errorLines.count == Self.badLines.count)
    #expect(try shell.read("rejects") == Self.badLines.flatMap { $0.bytes + [0x0A] })
    let state = try await shell.refold("export", "s").object()["state"] as? [String: Int]
    #expect(state == ["value": Self.badLines.count + 1])
  }

  @Test func a_line_of_65_MiB_is_refused_whole() async throws {
    let run = try await shell.bash(
      #"""
      { echo '{"increase":{"by":1}}'; printf '"'; head -c 68157440 /dev/zero | tr '\0' x
        printf '"\n'; echo '{"increase":{"by":2}}'; } \
      | refold run counter --session s --emit acks --rejects rejects
      """#)
    #expect(run.code == 65)
    #expect(run.lines.count == 2)
    #expect(run.error == "line 2: the line is longer than 64 MiB\n")
    let size = try FileManager.default.attributesOfItem(atPath: shell.path("rejects"))[.size]
    #expect(size as? Int == 68_157_440 + 3)
    #expect(try run.object(1)["line"] as? Int == 3)
  }

  @Test func rejects_cannot_be_the_input() async throws {
    let input = try shell.write("bad\n", to: "lines")
    let run = try await shell.refold(
      "run", "counter", "--input", input, "--rejects", shell.path("lines"))
    #expect(run.code == 64)
    #expect(run.error.contains("is the input itself"))
  }

  @Test func strict_stops_at_the_first_bad_line() async throws {
    let run = try await shell.refold(
      "run", "counter", "--session", "s", "--strict", "--emit", "acks",
      input: "\"reset\"\nnope\n\"reset\"\n")
    #expect(run.code == 65)
    #expect(run.lines.count == 1)
  }

  @Test func usage_errors_say_what_is_possible() async throws {
    let cases: [([String], Int32, String)] = [
      ([], 64, "a command is missing"),
      (["runn"], 64, "Did you mean run?"),
      (["run"], 64, "REACTOR is missing"),
      (["run", "conter"], 66, "Did you mean counter?"),
      (["run", "counter", "--emitt", "acks"], 64, "Did you mean --emit?"),
      (["run", "counter", "--emit", "all"], 64, "events, states, diffs, acks, none"),
      (["run", "counter", "--emit"], 64, "--emit takes a value"),
      (["run", "counter", "--batch", "0"], 64, "a whole number from 1"),
      (["run", "counter", "--session", "-x"], 64, "--session takes a value"),
      (["run", "counter", "--session=@x"], 64, "starts with @ or -"),
      (["run", "counter", "--input", "nowhere"], 66, "nowhere"),
      (["export"], 64, "SESSION is missing"),
      (["export", "s", "extra"], 64, "one word too many"),
      (["export", "s", "--at", "soon"], 64, "is no position"),
      (["export", "s", "--at", "+1"], 64, "is no position"),
      (["run", "counter", "--input", "/"], 74, "directory"),
      (["sessions", "--color", "maybe"], 64, "auto, always, never"),
    ]
    for (arguments, code, message) in cases {
      let result = try await shell.refold(arguments)
      #expect(result.code == code, "\(arguments): \(result.error)")
      #expect(result.error.contains(message), "\(arguments): \(result.error)")
      #expect(result.output.isEmpty)
    }
    #expect(!FileManager.default.fileExists(atPath: shell.store))
  }
}
