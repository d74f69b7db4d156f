import Foundation
import Testing

@Suite("A path to a store", .timeLimit(.minutes(5)))
struct StorePathTests {
  let shell: Shell

  init() throws { shell = try Shell() }

  @Test func that_cannot_be_one_is_refused_with_its_reason() async throws {
    try await shell.bash(
      "mkdir folder; mkfifo pipe; ln -s nowhere dangling; ln -s circle circle; echo x > file")
    let long = String(repeating: "a", count: 300)
    let deep = String(repeating: "abcdefghi/", count: 500)
    for (path, code, reason) in [
      ("folder", 69, "it is not a file"), ("folder/", 69, "it is not a file"),
      ("pipe", 69, "it is not a file"), ("/dev/null", 69, "it is not a file"),
      ("/dev/full", 69, "it is not a file"), ("/", 69, "it is not a file"),
      ("dangling", 69, "it is a symbolic link to a file that is not there"),
      ("circle", 69, "Too many levels of symbolic links"), (long, 69, "File name too long"),
      (deep, 69, "there is no folder"), ("file/store", 69, "Not a directory"),
      ("none/store", 69, "there is no folder none"), ("", 69, "this is not a path"),
      ("file", 78, "it is not a SQLite database"),
    ] as [(String, Int32, String)] {
      for words in [["sessions"], ["run", "counter"], ["verify"]] {
        let result = try await shell.refold(words + ["--store", path])
        #expect(result.code == code, "\(path.prefix(20)) \(words): \(result.error)")
        #expect(result.error.contains(reason), "\(path.prefix(20)) \(words)")
      }
    }
    let left = try FileManager.default.contentsOfDirectory(atPath: shell.folder.path)
    #expect(
      left.filter { !$0.hasPrefix("out-") }.sorted()
        == ["circle", "dangling", "file", "folder", "pipe"])
  }

  @Test func under_proc_is_refused() async throws {
    let result = try await shell.refold(["run", "counter", "--store", "/proc/self/status"])
    #expect([69, 74, 78].contains(result.code), "\(result.error)")
    #expect(result.error.contains("/proc/self/status"))
  }

  @Test func may_hold_any_text_and_is_shown_without_acting_on_a_terminal() async throws {
    for name in ["new\nline", "esc\u{1B}[31m", "turned\u{202E}", " ", "a'b\"c;--", "%41?x#y"] {
      let path = shell.path(name)
      let none = try await shell.refold("sessions", "--store", path)
      #expect(none.code == 66)
      #expect(none.errorLines.count == 1 && !none.error.contains("\u{1B}"), "\(none.error)")
      #expect(!none.error.contains("\u{202E}"))
      let run = try await shell.refold(
        "run", "counter", "--session", "s", "--store", path, "--emit", "none", input: "\"reset\"\n")
      #expect(run.code == 0, "\(name): \(run.error)")
      #expect(try await shell.refold("verify", "--store", path).code == 0)
      #expect(FileManager.default.fileExists(atPath: path))
    }
  }

  /// Swift repairs such words, which would make a store of another name.
  @Test func that_is_not_UTF_8_is_refused_and_makes_nothing() async throws {
    for words in [#"--store $'bad\xff'"#, #"--session $'bad\xff'"#, #"--input $'bad\xff'"#] {
      let result = try await shell.bash("refold run counter \(words) < /dev/null")
      #expect(result.code == 64, "\(result.error)")
      #expect(result.error.contains("argument 4 is not UTF-8"), "\(result.error)")
    }
    let result = try await shell.bash(#"REFOLD_STORE=$'bad\xff' refold run counter < /dev/null"#)
    #expect(result.code == 64 && result.error.contains("REFOLD_STORE is not UTF-8"))
    let left = try FileManager.default.contentsOfDirectory(atPath: shell.folder.path)
    #expect(!left.contains { $0.hasPrefix("bad") }, "\(left)")
  }
}
