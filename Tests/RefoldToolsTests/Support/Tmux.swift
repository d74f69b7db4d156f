import Foundation
import Synchronization
import Testing

/// A terminal of a fixed size, in a tmux of its own, with a shell in the test's folder.
final class Tmux: Sendable {
  static let isThere = ["/usr/bin/tmux", "/usr/local/bin/tmux", "/bin/tmux"].contains {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  /// How long a test waits for what should come, in seconds: a busy machine needs some.
  private static let patience = 60

  let shell: Shell
  private let server = Mutex<Int32>(0)

  /// Starts a terminal with `environment` besides the usual.
  init(
    _ shell: Shell, columns: Int = 90, rows: Int = 20, environment: [String] = []
  ) async throws {
    self.shell = shell
    let variables = environment.map { "-e \($0)" }.joined(separator: " ")
    try await tmux(
      "new-session -d -x \(columns) -y \(rows) \(variables) "
        + "'PS1=\"ready> \" exec bash --norc --noprofile'")
    let process = try #require(Int32(try await value("pid")))
    server.withLock { $0 = process }
    try await wait(for: "ready>")
  }

  /// tmux's server would stay. Not asked but killed: it may have inherited that signals are blocked.
  deinit {
    let process = server.withLock { $0 }
    if process > 0 { kill(process, SIGKILL) }
  }

  /// In the test's folder, which is the current one.
  private static let socket = "t"

  /// `tmux` in bash, for a socket of our own.
  private static let tmux =
    "tmux() { LC_ALL=C.UTF-8 command tmux -u -S \(socket) -f /dev/null \"$@\"; }; "

  /// Closes what Foundation's Process hands down and waits for the end of, which tmux's server,
  /// who stays, would keep open.
  private static let closing =
    "for fd in /proc/$BASHPID/fd/*; do fd=${fd##*/}; [ $fd -le 2 ] || eval \"exec $fd>&-\"; done; "

  @discardableResult
  private func tmux(_ command: String) async throws -> String {
    let result = try await shell.bash("(\(Self.closing)\(Self.tmux)tmux \(command))")
    try #require(result.code == 0, "tmux \(command): \(result.error)")
    return result.output
  }

  /// Types a line into the shell, and Enter.
  func run(_ line: String) async throws {
    try await type(line)
    try await press("Enter")
  }

  /// Presses keys by tmux's names: `j`, `Enter`, `C-c`, `Down`.
  func press(_ keys: String...) async throws {
    try await tmux("send-keys \(keys.map(Self.quoted).joined(separator: " "))")
  }

  /// Types `text` as it is.
  func type(_ text: String) async throws { try await tmux("send-keys -l \(Self.quoted(text))") }

  func resize(columns: Int, rows: Int) async throws {
    try await tmux("resize-window -x \(columns) -y \(rows)")
  }

  /// What is seen, with the sequences that colour it.
  func coloredScreen() async throws -> String { try await tmux("capture-pane -e -p") }

  /// What tmux knows of the terminal: `alternate_on`, `cursor_flag`, `pane_pid`.
  func value(_ name: String) async throws -> String {
    try await tmux("display-message -p '#{\(name)}'").trimmingCharacters(
      in: .whitespacesAndNewlines)
  }

  /// Returns the first screen that holds every one of `texts`; after a minute of others, the test
  /// ends.
  @discardableResult
  func wait(
    for texts: String..., sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> String {
    let words = texts.map(Self.quoted).joined(separator: " ")
    let isMeant =
      "ok=1; for text in \(words); do [[ $screen == *\"$text\"* ]] || ok=; done; [ $ok ]"
    let (screen, isSeen) = try await watch(until: isMeant)
    try #require(
      isSeen, "\(texts) was not seen, but:\n\(screen)", sourceLocation: sourceLocation)
    return screen
  }

  /// Waits until the shell is ready again, below `text`.
  func waitForShell(
    below text: String, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let (screen, isSeen) = try await watch(
      until: "[[ $screen == *\(Self.quoted(text))* && $screen == *$'\\nready>' ]]")
    try #require(isSeen, "no shell, but:\n\(screen)", sourceLocation: sourceLocation)
  }

  /// Waits until the whole screen is that of the golden file `name`. When golden files are written,
  /// it is a screen that has been the same for some time.
  func expect(
    _ name: String, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let golden = Golden.text("screens/\(name)")
    try shell.write(golden, to: "golden")
    let isMeant =
      Golden.isUpdating
      ? "[ \"$screen\" = \"$last\" ] && ((++same > 20)) || { last=$screen; false; }"
      : "[ \"$screen\" = \"$(<golden)\" ]"
    let (screen, _) = try await watch(until: isMeant)
    try Golden.expect(screen, matches: "screens/\(name)", sourceLocation: sourceLocation)
  }

  /// Looks again and again until the condition in bash holds of `$screen`: in one process, for a
  /// look must not take longer than what it waits for.
  private func watch(until condition: String) async throws -> (screen: String, isSeen: Bool) {
    let result = try await shell.bash(
      """
      \(Self.tmux)end=$((SECONDS + \(Self.patience)))
      while screen=$(tmux capture-pane -p) && ! { \(condition); } && ((SECONDS < end)); do
        sleep 0.03
      done
      printf '%s\\n' "$screen"
      ((SECONDS < end))
      """)
    return (result.output, result.code == 0)
  }

  private static func quoted(_ text: String) -> String {
    "'\(text.replacing("'", with: "'\\''"))'"
  }
}
