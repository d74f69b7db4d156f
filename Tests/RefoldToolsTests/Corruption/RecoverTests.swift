import Foundation
import Testing

@Suite("recover", .timeLimit(.minutes(10)))
struct RecoverTests {
  let shell: Shell

  /// Two sessions of 12 actions, each in a commit of its own, and a fork.
  init() async throws {
    shell = try Shell()
    for (session, amount) in [("s1", 1000), ("s2", 2000)] {
      let actions = (1...12).map { "{\"increase\":{\"by\":\(amount + $0)}}\n" }.joined()
      let run = try await shell.refold(
        ["run", "counter", "--session", session, "--batch", "1"], input: Array(actions.utf8))
      #expect(run.code == 0, "\(run.error)")
    }
    let fork = try await shell.refold("fork", "s2", "--at", "6", "--session", "s3")
    #expect(fork.code == 0)
  }

  private func bytes() throws -> Data { try Data(contentsOf: URL(fileURLWithPath: shell.store)) }

  /// Changes the bytes of the store's file.
  private func damage(_ change: (inout Data) throws -> Void) throws {
    var bytes = try bytes()
    try change(&bytes)
    try bytes.write(to: URL(fileURLWithPath: shell.store))
  }

  /// Puts `new`, which is as long, in the place of every `old` in the store's file.
  private func replace(_ old: String, by new: String) throws {
    var count = 0
    try damage { bytes in
      while let range = bytes.range(of: Data(old.utf8)) {
        bytes.replaceSubrange(range, with: Data(new.utf8))
        count += 1
      }
    }
    #expect(count > 0, "there is no \(old) in the store")
  }

  @Test func of_a_store_without_damage_brings_out_all_of_it() async throws {
    let before = try bytes()
    let result = try await shell.refold("recover", shell.store, "-o", shell.path("new.sqlite"))
    #expect(result.code == 0, "\(result.output)\(result.error)")
    #expect(result.lines.count == 4)
    #expect(result.lines[0].hasPrefix("session s1: whole, 24 events, digest "))
    #expect(
      result.lines[3] == "recovered 3 sessions, 54 events to \(shell.path("new.sqlite"))")
    #expect(try bytes() == before)
    for command in [["export", "s1"], ["export", "s3"], ["log", "s2"], ["verify"]] {
      let old = try await shell.refold(command)
      let new = try await shell.refold(command + ["--store", shell.path("new.sqlite")])
      #expect(new.code == 0 && new.output == old.output, "\(command)")
    }
    #expect(!FileManager.default.fileExists(atPath: shell.path("new-lost.ndjson")))
  }

  @Test func never_passes_an_altered_event_off_as_whole() async throws {
    try replace("{\"increase\":{\"by\":1005}}", by: "{\"increase\":{\"by\":9005}}")
    #expect(try await shell.refold("verify").code == 1)
    let result = try await shell.refold("recover")
    #expect(result.code == 1)
    let line = try #require(result.lines.first)
    #expect(line.hasPrefix("session s1: 8 of 24 events are whole; put aside: 9 to 24 ("))
    #expect(line.hasSuffix("(14 whole, 2 suspect); the state after 8 is unknown"), "\(line)")
    let new = ["--store", shell.path("refold-recovered.sqlite")]
    #expect(try await shell.refold(["verify"] + new).code == 0)
    let state = try await shell.refold(["export", "s1"] + new).object()
    #expect((state["state"] as? [String: Any])?["value"] as? Int == 1001 + 1002 + 1003 + 1004)
    let lost = String(decoding: try shell.read("refold-recovered-lost.ndjson"), as: UTF8.self)
    let lines = lost.split(separator: "\n")
    #expect(lines.count == 16)
    let altered = try #require(lines.first { $0.contains("9005") })
    #expect(altered.contains(#""session":"s1","seq":9,"kind":"action""#))
    #expect(altered.contains(#""found":"suspect","payload":{"increase":{"by":9005}}}"#))
    #expect(lines.last?.contains(#""seq":24,"#) == true)
    #expect(lines.last?.contains(#""found":"whole""#) == true)
  }

  @Test func says_the_same_in_json() async throws {
    try replace("{\"increase\":{\"by\":1005}}", by: "{\"increase\":{\"by\":9005}}")
    let result = try await shell.refold("recover", "--json", "-o", shell.path("new.sqlite"))
    #expect(result.code == 1 && result.lines.count == 4)
    let session = try result.object(0)
    #expect(session["session"] as? String == "s1")
    #expect(session["events"] as? Int == 8 && session["last"] as? Int == 24)
    #expect(session["whole"] as? Bool == false && session["inStore"] as? Bool == true)
    #expect(try result.object(1)["whole"] as? Bool == true)
    let end = try result.object(3)
    #expect(end["lost"] as? String == shell.path("new-lost.ndjson"))
    #expect(end["whole"] as? Bool == false && end["aside"] as? Int == 16)
  }

  @Test func needs_neither_the_schema_nor_the_pages_that_lead_to_others() async throws {
    try damage { bytes in bytes.replaceSubrange(0..<4096, with: Data(count: 4096)) }
    #expect(try await shell.refold("sessions").code == 78)
    let result = try await shell.refold("recover", "-o", shell.path("new.sqlite"))
    #expect(result.lines.last?.hasPrefix("recovered 3 sessions, 54 events") == true)
    #expect(result.code == 0, "\(result.output)\(result.error)")
  }

  @Test func finds_the_reactor_of_a_session_whose_row_is_gone() async throws {
    // A name with a control character is none.
    try replace("s1counter", by: "\u{1}1counter")
    let result = try await shell.refold("recover", "-o", shell.path("new.sqlite"))
    #expect(result.code == 1)
    #expect(result.lines.first?.hasPrefix("session recovered-1: 24 of 24 events are whole") == true)
    #expect(result.lines.first?.contains("the digests prove it is counter") == true)
  }

  @Test func writes_over_nothing_and_tells_what_is_no_store() async throws {
    let new = try shell.write("mine", to: "new.sqlite")
    let taken = try await shell.refold("recover", "-o", new)
    #expect(taken.code == 65)
    #expect(taken.error.contains("there is a file \(new) already"))
    #expect(try await shell.refold("recover", "-o", shell.store).code == 64)
    #expect(try await shell.refold("recover", shell.path("nowhere.sqlite")).code == 66)
    let foreign = try shell.write(String(repeating: "no store ", count: 2000), to: "foreign")
    let result = try await shell.refold("recover", foreign)
    #expect(result.code == 78)
    #expect(result.error.contains("nothing of a store was found in it"))
    #expect(!FileManager.default.fileExists(atPath: foreign + "-recovered.sqlite"))
  }

  @Test(arguments: ["recover -", "recover -o -"])
  func takes_a_file_alone(_ command: String) async throws {
    let result = try await shell.refold(command.split(separator: " ").map(String.init))
    #expect(result.code == 64 && result.error.contains("- cannot be one"), "\(result.error)")
  }

  @Test func does_not_call_whole_what_may_have_been_more() async throws {
    try damage { bytes in
      bytes.replaceSubrange(4096..., with: Data(count: bytes.count - 4096))
    }
    let result = try await shell.refold("recover", "--json", "-o", shell.path("new.sqlite"))
    #expect(result.code == 1)
    let end = try #require(result.lines.last)
    #expect(end.contains(#""whole":false,"sessions":0,"events":0"#), "\(end)")
    #expect(end.contains("and what was on them is lost"), "\(end)")
  }

  @Test func of_several_at_once_one_makes_the_new_store() async throws {
    let new = shell.path("new.sqlite")
    let codes = try await withThrowingTaskGroup(of: Int32.self) { group in
      for _ in 0..<4 {
        group.addTask { [shell] in try await shell.refold("recover", "-o", new).code }
      }
      return try await group.reduce(into: [Int32]()) { $0.append($1) }
    }
    #expect(codes.sorted() == [0, 65, 65, 65])
    #expect(try await shell.refold("verify", "--store", new).code == 0)
    #expect(try await shell.refold("export", "s1", "--store", new).object()["seq"] as? Int == 24)
    let files = try FileManager.default.contentsOfDirectory(atPath: shell.folder.path)
    #expect(files.filter { $0.hasSuffix(".part") || $0.contains(".part-") }.isEmpty)
  }

  @Test func keeps_the_key_of_secrets() async throws {
    let key = Data((0..<32).map { UInt8($0) })
    try key.write(to: URL(fileURLWithPath: shell.store + "-key"))
    #expect(try await shell.refold("recover", "-o", shell.path("new.sqlite")).code == 0)
    #expect(Data(try shell.read("new.sqlite-key")) == key)
  }
}
