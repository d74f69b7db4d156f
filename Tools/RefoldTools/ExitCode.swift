/// What a command says with its exit status; the numbers above 1 are those of sysexits.h.
enum ExitCode: Int32 {
  case done = 0
  /// The answer is no: a check found something, a search found nothing.
  case no = 1
  /// The command line itself is wrong.
  case usage = 64
  /// The input is.
  case badInput = 65
  /// No such session, reactor or file.
  case notFound = 66
  /// The store is locked or unavailable.
  case unavailable = 69
  /// Reading or writing failed.
  case inputOutput = 74
  /// The store was written by a newer version, or is not a Refold store.
  case foreignStore = 78
  /// The terminal has gone.
  case hungUp = 129
  case interrupted = 130
  case terminated = 143
}
