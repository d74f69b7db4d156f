import CFuzzer
import Foundation
import FuzzProperties

// refold-fuzz TARGET [what libFuzzer takes]: runs one target under libFuzzer. `refold-fuzz --list`
// names them, with the longest input of each. Tools/fuzz calls it.

/// The target that the command line names. libFuzzer's callback takes no context, and finds it here.
enum Chosen {
  static let target = CommandLine.arguments.dropFirst().first.flatMap(FuzzTarget.named)
}

if CommandLine.arguments.dropFirst().first == "--list" {
  for target in FuzzTarget.all { print(target.name, target.longest) }
  exit(0)
}
if Chosen.target == nil {
  print("refold-fuzz: which target? refold-fuzz --list names them")
  exit(64)
}

let callback: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt = { data, count in
  let input = Array(UnsafeBufferPointer(start: data, count: count))
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
var words = ([CommandLine.arguments[0]] + CommandLine.arguments.dropFirst(2)).map { strdup($0) }
words.append(nil)
var count = CInt(words.count - 1)
// The array is not changed while its address is in use, and libFuzzer does not return before its end.
let status = words.withUnsafeMutableBufferPointer { words in
  var start = words.baseAddress
  return LLVMFuzzerRunDriver(&count, &start, callback)
}
exit(status)
