import Foundation
import Testing

@Suite("Questions to a session")
struct QuestionTests {
  let shell: Shell

  init() throws { shell = try Shell() }

  private func count() async throws {
    try await shell.refold(
      "run", "counter", "--session", "s1", "--emit", "none",
      input: #"{"increase":{"by":2}}"# + "\n\"reset\"\n" + #"{"increase":{"by":5}}"# + "\n")
  }

  @Test func bisect_names_the_event_its_action_and_what_changed() async throws {
    try await count()
    let found = try await shell.refold("bisect", "s1", "/value >= 5")
    #expect(found.code == 0)
    #expect(found.lines.first == "first holds at 6")
    #expect(found.lines.contains(#"action   {"increase":{"by":5}}"#))
    #expect(found.lines.last == "~ /value: 0 -> 5")
    let json = try await shell.refold("bisect", "s1", "/value >= 2", "--json")
    #expect(json.output == "{\"seq\":2}\n")
    #expect(
      try await shell.refold("bisect", "s1", "/value == 0").output
        == "holds at 0, in the initial state\n")
    let stops = try await shell.refold("bisect", "s1", "/value > 0", "--stops", "--json")
    #expect(stops.output == "{\"seq\":4}\n")
    let all = try await shell.refold("bisect", "s1", "/value > 0", "--all")
    #expect(all.lines.map { $0.prefix(10) } == ["+        2", "-        4", "+        6"])
    let ranged = try await shell.refold("bisect", "s1", "/value > 0", "--from", "4", "--json")
    #expect(ranged.output == "{\"seq\":6}\n")
  }

  @Test func what_never_holds_is_exit_code_1() async throws {
    try await count()
    let never = try await shell.refold("bisect", "s1", "/value > 99")
    #expect(never.code == 1)
    #expect(never.output.isEmpty)
    #expect(never.error == "/value > 99 never holds between 0 and 6\n")
    #expect(try await shell.refold("bisect", "s1", "/value > 1", "--to", "1").code == 1)
    #expect(try await shell.refold("bisect", "s1", "/value > 3", "--stops").code == 1)
    #expect(try await shell.refold("search", "s1", "decrease").code == 1)
    #expect(try await shell.refold("search", "s1", "99", "--state").code == 1)
    let nothing = try await shell.refold("blame", "s1", "/nope")
    #expect(nothing.code == 1)
    #expect(nothing.error == "there is nothing at /nope in the state at 6, and never was\n")
  }

  @Test func what_cannot_be_understood_is_exit_code_64() async throws {
    try await count()
    let predicate = try await shell.refold("bisect", "s1", "/value = 5")
    #expect(predicate.code == 64)
    #expect(
      predicate.error.hasPrefix(
        "refold: the predicate \"/value = 5\" cannot be read: at column 8: expected ==, !=, "))
    #expect(try await shell.refold("blame", "s1", "value").code == 64)
    #expect(try await shell.refold("search", "s1", "(", "--regex").code == 64)
    #expect(try await shell.refold("search", "s1", "").code == 64)
    #expect(try await shell.refold("search", "s1", "x", "--kind", "mutations").code == 64)
    #expect(try await shell.refold("blame", "s1", "--history").code == 64)
    #expect(try await shell.refold("export", "s1", "--columns", "/value").code == 64)
    #expect(
      try await shell.refold("bisect", "s1", "/value > 1", "--from", "5", "--to", "2").code == 65)
  }

  @Test func blame_lists_every_field_with_its_event() async throws {
    try await count()
    let all = try await shell.refold("blame", "s1")
    #expect(all.lines.count == 2)
    let row = all.lines.last?.split(separator: " ").map(String.init) ?? []
    #expect(row.first == "/value" && row.dropFirst().first == "6")
    #expect(row.suffix(3) == ["<-", "5", #"{"increase":{"by":5}}"#])
    let object = try await shell.refold("blame", "s1", "/value", "--at", "3", "--json").object()
    #expect(object["pointer"] as? String == "/value" && object["seq"] as? Int == 2)
    #expect(object["kind"] as? String == "mutation" && object["cause"] as? Int == 1)
    #expect((object["action"] as? [String: Any])?["increase"] != nil)
    let first = try await shell.refold("blame", "s1", "/value", "--at", "0")
    #expect(first.output == "/value is as in the initial state\n")
    let history = try await shell.refold("blame", "s1", "/value", "--history")
    #expect(
      history.lines.filter { $0.hasPrefix("          ") } == [
        "          + /value: 0", "          ~ /value: 0 -> 2", "          ~ /value: 2 -> 0",
        "          ~ /value: 0 -> 5",
      ])
  }

  @Test func search_finds_text_as_it_is_written_and_as_it_is_meant() async throws {
    let edits = [
      #"{"edit":{"at":0,"delete":0,"insert":"say \"hi\" "}}"#,
      #"{"edit":{"at":0,"delete":0,"insert":"\u00e9cole"}}"#,
      #"{"edit":{"at":0,"delete":0,"insert":"École"}}"#,
      #"{"edit":{"at":0,"delete":4,"insert":""}}"#,
    ]
    try await shell.refold(
      "run", "editor", "--session", "s1", "--emit", "none",
      input: edits.joined(separator: "\n"))
    let seqs = { (words: [String]) async throws -> [Int] in
      let found = try await shell.refold(["search", "s1"] + words + ["--json"])
      return try found.lines.indices.compactMap { try found.object($0)["seq"] as? Int }
    }
    #expect(try await seqs([#"say "hi""#]) == [1, 2])
    #expect(try await seqs([#"\"hi\""#]) == [1, 2])
    #expect(try await seqs(["école"]) == [3, 4])
    #expect(try await seqs(["ÉCOLE", "-i"]) == [3, 4, 5, 6])
    #expect(try await seqs(["SAY", "--ignore-case", "--kind", "action"]) == [1])
    #expect(try await seqs(["--regex", #""delete":[1-9]"#]) == [7, 8])
    #expect(try await seqs(["--regex", "(?i)SAY", "--limit", "1"]) == [1])
    #expect(try await seqs(["edit", "--from", "4"]) == [5, 7])
    // In the state, where a match touches what an edit changed.
    #expect(try await seqs(["École", "--state"]) == [6])
    #expect(try await seqs(["eécole", "--state"]) == [6])
    #expect(try await seqs(["hi", "--state"]) == [2])
    let match = try await shell.refold("search", "s1", "COLE", "-i", "--json").object()
    #expect(match["match"] as? String == "cole")
  }

  @Test func a_csv_has_a_row_an_event_and_the_fields_asked_for() async throws {
    let edits = [
      #"{"edit":{"at":0,"delete":0,"insert":"=1+1"}}"#,
      #"{"edit":{"at":4,"delete":0,"insert":", \"two\"\nlines"}}"#,
    ]
    try await shell.refold(
      "run", "editor", "--session", "s1", "--emit", "none",
      input: edits.joined(separator: "\n"))
    let table = try await shell.refold(
      "export", "s1", "--as", "csv", "--columns", "/length,/text", "--columns", "/nothing")
    let times = table.output.replacing(/\d{4}-\d\d-\d\dT[\d:.]+Z/, with: "TIME")
    let payload = { (text: String) in text.replacing("\"", with: "\"\"") }
    let splice = payload(#"{"splice":{"at":4,"delete":0,"insert":", \"two\"\nlines"}}"#)
    #expect(
      times == """
        seq,at,kind,cause,payload,/length,/text,/nothing
        1,TIME,action,0,"\(payload(edits[0]))",0,,
        2,TIME,mutation,1,"\(payload(#"{"splice":{"at":0,"delete":0,"insert":"=1+1"}}"#))",4,'=1+1,
        3,TIME,action,0,"\(payload(edits[1]))",4,'=1+1,
        4,TIME,mutation,3,"\(splice)",17,"'=1+1, ""two""
        lines",

        """)
    let plain = try await shell.refold("export", "s1", "--as", "csv", "--at", "1")
    #expect(plain.lines.count == 2)
    #expect(plain.lines.first == "seq,at,kind,cause,payload")
  }

  @Test func what_a_log_holds_cannot_act_on_a_terminal() async throws {
    try await shell.refold(
      "run", "editor", "--session", "s1", "--emit", "none",
      input: #"{"edit":{"at":0,"delete":0,"insert":"\u001b[31mred\u202e"}}"#)
    for command in [
      ["blame", "s1"], ["blame", "s1", "/text"], ["blame", "s1", "/text", "--history"],
      ["bisect", "s1", "/length > 0"], ["bisect", "s1", "/length > 0", "--all"],
      ["search", "s1", "red"], ["search", "s1", "red", "--state"],
    ] {
      let result = try await shell.refold(command)
      #expect(result.code == 0)
      #expect(
        !result.output.contains("\u{1b}") && !result.output.contains("\u{202e}"), "\(command)")
    }
  }

  @Test func a_reader_who_has_seen_enough_ends_them_quietly() async throws {
    let lines = (0..<3000).map { #"{"increase":{"by":\#($0 % 2 == 0 ? 1 : -1)}}"# }
    try await shell.refold(
      "run", "counter", "--session", "s1", "--emit", "none",
      input: lines.joined(separator: "\n"))
    for command in [
      "search s1 add", "bisect s1 '/value > 0' --all", "blame s1 /value --history",
      "export s1 --as csv --columns /value",
    ] {
      let result = try await shell.bash("set +o pipefail; refold \(command) | head -1")
      #expect(result.code == 0 && result.lines.count == 1 && result.error.isEmpty, "\(command)")
    }
  }
}
