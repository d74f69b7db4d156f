import Foundation
import Testing

/// A disk of a few KiB, for a line of shell: a file system in memory that only the shell and what it
/// starts can see.
struct SmallDisk {
  /// Words that give a command a mount table of its own, where the system lets this user have one.
  private static let words: String? = ["unshare -m", "unshare -rm"].first { words in
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = [
      "-c", "\(words) sh -c 'mount -t tmpfs -o size=64k none /mnt' 2> /dev/null",
    ]
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }

  static let isThere = words != nil
  static let absence: Comment =
    "mounting is not permitted here: the tests of full disks are skipped"

  let shell: Shell

  /// Runs `script` with a disk of `kibibytes` in the folder `disk`, and the store on it. There, `refold`
  /// is the tool, `acts N` gives N actions, and `grow` makes the disk as large as anybody likes.
  func bash(kibibytes: Int, _ script: String) async throws -> Shell.Result {
    try shell.write(
      """
      set -o pipefail; mkdir -p disk; mount -t tmpfs -o size=\(kibibytes)k none disk || exit 99
      export REFOLD_STORE="$PWD/disk/s.sqlite"
      refold() { "$REFOLD" "$@"; }
      acts() { for ((i = 0; i < $1; i++)); do echo '{"increase":{"by":1}}'; done; }
      grow() { mount -o remount,size=64m disk; }
      \(script)
      """, to: "script.sh")
    return try await shell.bash("\(Self.words ?? "exit 99;") bash script.sh")
  }
}
