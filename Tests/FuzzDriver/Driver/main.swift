import CFuzzer
import Foundation
import FuzzProperties

// refold-fuzz TARGET [what libFuzzer takes]: runs one target under libFuzzer. `refold-fuzz --list`
// names them, with the longest input of each. Tools/fuzz calls it.

/// The target, where libFuzzer's callback, which takes no context, finds it. By the environment for
/// the processes that libFuzzer starts, which get its own arguments alone.
enum Chosen {
  static let variable = "REFOLD_FUZZ_TARGET"
  static let isChild = getenv(variable) != nil
  static let name =
    getenv(variable).map { String(cString: $0) } ?? CommandLine.arguments.dropFirst().first ?? ""
  static let target = FuzzTarget.named(name)
}

if Chosen.name == "--list" {
  for target in FuzzTarget.all { print(target.name, target.longest) }
  exit(0)
}
if Chosen.target == nil {
  print("refold-fuzz: which target? refold-fuzz --list names them")
  exit(64)
}
let arguments = CommandLine.arguments.dropFirst(Chosen.isChild ? 1 : 2)
setenv(Chosen.variable, Chosen.name, 1)

/// How many bytes were tried. libFuzzer calls back on one thread, and `exit` ends that thread's work.
nonisolated(unsafe) var tried = 0
// Beside what libFuzzer prints of its own accord (-print_final_stats=1), which has no bytes.
atexit { FileHandle.standardError.write(Data("stat::number_of_bytes: \(tried)\n".utf8)) }

let callback: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt = { data, count in
  let input = Array(UnsafeBufferPointer(start: data, count: count))
  tried += count
  do {
    try Chosen.target?.check(input)
  } catch {
    print("BROKEN PROMISE: \(error)")
    fflush(nil)
    // How libFuzzer is told that this input is to be kept.
    abort()
  }
  return 0
}

// The arguments behind the target's name, in C's form and behind the program's own.
var words = ([CommandLine.arguments[0]] + arguments).map { strdup($0) }
words.append(nil)
var count = CInt(words.count - 1)
// The array is not changed while its address is in use, and libFuzzer does not return before its end.
let status = words.withUnsafeMutableBufferPointer { words in
  var start = words.baseAddress
  return LLVMFuzzerRunDriver(&count, &start, callback)
}
exit(status)
