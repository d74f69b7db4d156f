import Foundation

/// What a process finds when it begins, made fit for a command: who starts it may have closed its
/// standard streams, or left it nothing to open.
enum Surroundings {
  /// So many files are open at once at most, besides those of sessions that an envelope names. The
  /// libraries below end the process where there is none left for them.
  private static let descriptorsNeeded = 24

  /// - Throws: `Failure`.
  static func prepare() throws {
    signal(SIGPIPE, SIG_IGN)
    // A file beyond what `ulimit -f` allows is an error of the write, like a full disk.
    signal(SIGXFSZ, SIG_IGN)
    occupyStandardStreams()
    try requireText()
    try requireDescriptors()
  }

  /// A file that is opened must not get the number of a stream that is closed: what is meant for people
  /// would be written into it. Reading and writing the stream fails as before.
  private static func occupyStandardStreams() {
    let wrongWays = [STDIN_FILENO: O_WRONLY, STDOUT_FILENO: O_RDONLY, STDERR_FILENO: O_RDONLY]
    for stream in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO]
    where fcntl(stream, F_GETFD) < 0 {
      // The lowest number that is free is this one's.
      _ = open("/dev/null", wrongWays[stream] ?? O_RDONLY)
    }
  }

  /// Swift repairs words that are not UTF-8, which makes of a file's name that of another.
  private static func requireText() throws {
    for (index, word) in CommandLine.arguments.enumerated().dropFirst() {
      guard let bytes = CommandLine.unsafeArgv[index], String(validatingCString: bytes) == nil
      else { continue }
      throw Failure(
        .usage, "argument \(index) is not UTF-8: \(word). Names and paths have to be.")
    }
    if let store = getenv("REFOLD_STORE"), String(validatingCString: store) == nil {
      throw Failure(
        .usage, "REFOLD_STORE is not UTF-8: \(String(cString: store)). Paths have to be.")
    }
  }

  private static func requireDescriptors() throws {
    var taken: [Int32] = []
    defer { for descriptor in taken { close(descriptor) } }
    while taken.count < descriptorsNeeded {
      let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
      guard descriptor < 0 else {
        taken.append(descriptor)
        continue
      }
      guard errno == EMFILE || errno == ENFILE else { return }
      throw Failure(
        .inputOutput,
        "\(String(cString: strerror(errno))): \(descriptorsNeeded) more are needed, and \(taken.count) "
          + "are allowed. Allow more, for instance with ulimit -n 64.")
    }
  }

  /// Runs `body` on a thread of its own, which may block.
  /// - Throws: `Failure` where the system has no thread to give.
  static func startThread(_ body: @escaping @Sendable () -> Void) throws {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setstacksize(&attributes, 8 << 20)
    let work = Unmanaged.passRetained(Work(body))
    var thread = pthread_t()
    // The thread takes over the reference, and has it released before it ends.
    let code = pthread_create(
      &thread, &attributes,
      { work in
        if let work { Unmanaged<Work>.fromOpaque(work).takeRetainedValue().body() }
        return nil
      }, work.toOpaque())
    guard code != 0 else { return }
    work.release()
    throw Failure.system("start", "a thread", code)
  }

  private final class Work: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }
}
