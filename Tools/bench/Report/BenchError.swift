/// Why there are no figures.
package enum BenchError: Error, CustomStringConvertible {
  case usage(String)
  case wrongResult(String)
  case missing(path: String, remedy: String)
  case failedProcess(String, status: Int32)
  case system(operation: String, path: String, reason: String)
  case limit(operation: String, reason: String)
  case unreadable(String, reason: String)

  package var description: String {
    switch self {
    case .usage(let reason): "\(reason). See refold-bench --help."
    case .wrongResult(let reason): "a variant gave something wrong: \(reason)"
    case .missing(let path, let remedy): "there is no \(path). \(remedy)"
    case .failedProcess(let command, let status): "\(command) ended with status \(status)"
    case .system(let operation, let path, let reason): "cannot \(operation) \(path): \(reason)"
    case .limit(let operation, let reason): "the C limit cannot \(operation): \(reason)"
    case .unreadable(let what, let reason): "cannot make sense of \(what): \(reason)"
    }
  }
}
