import CFaultyVFS
import EventStoreTesting
import Foundation

/// What decides over each call, and what is kept of it.
struct DiskState {
  var cache: DiskCache
  var random: SeededGenerator
  /// The change from which on every call fails.
  var stop: Int?
  var changes = 0
  var isStopped = false
  var fault: DiskFault?
  /// How many calls there were of the fault's kind, and how many failed.
  var matched = 0
  var failed = 0
  var liesAboutSyncs = false

  private var handles: [Int64: Handle] = [:]
  /// Counts the processes that used the disk.
  private var process = 0

  /// What an open file is to the disk.
  private struct Handle {
    /// nil for a temporary file.
    var file: DiskCache.FileID?
    var process: Int
  }

  init(cache: DiskCache, random: SeededGenerator) {
    self.cache = cache
    self.random = random
  }

  mutating func restart() {
    process += 1
    (stop, isStopped) = (nil, false)
  }

  mutating func losePower() -> ([(name: String, bytes: [UInt8])], PowerLoss) {
    isStopped = true
    return cache.afterPowerLoss(&random)
  }

  mutating func before(_ call: refold_call) -> refold_answer {
    guard let kind = DiskFault.Call(call.kind) else { return refold_answer() }
    if isDead(call) { return Self.dead }
    if kind.isChange {
      changes += 1
      if let stop, changes >= stop { return stopped(at: call) }
    }
    if let failure = failure(of: kind, call) { return failure }
    var answer = refold_answer()
    if kind == .open { answer.file = open(call) }
    answer.skips = kind == .sync && liesAboutSyncs
    return answer
  }

  mutating func after(_ call: refold_call) {
    if call.kind == REFOLD_DELETE, let path = call.path {
      cache.delete(Self.name(of: path))
      if call.syncs_folder { cache.syncFolder() }
    }
    guard let file = handles[call.file]?.file else { return }
    switch call.kind {
    case REFOLD_WRITE:
      // The bytes are those of SQLite's call, which is still running.
      let bytes = UnsafeRawBufferPointer(start: call.bytes, count: Int(call.count))
      cache.change(file, .write(offset: Int(call.offset), Array(bytes)))
    case REFOLD_TRUNCATE: cache.change(file, .cut(size: Int(call.count)))
    case REFOLD_SYNC:
      cache.sync(file)
      if call.syncs_folder { cache.syncFolder() }
    default: break
    }
  }

  private static let dead = refold_answer(
    code: 10, error: EIO, written: 0, reads_half: false, skips: false, file: 0)

  private func isDead(_ call: refold_call) -> Bool {
    if isStopped { return true }
    return handles[call.file].map { $0.process != process } ?? false
  }

  private mutating func stopped(at call: refold_call) -> refold_answer {
    isStopped = true
    var answer = Self.dead
    if call.kind == REFOLD_WRITE {
      answer.written = random.pick([0, call.count / 2, call.count])
    }
    return answer
  }

  private mutating func failure(of kind: DiskFault.Call, _ call: refold_call) -> refold_answer? {
    guard let fault, fault.call == kind else { return nil }
    matched += 1
    guard fault.lasts ? matched >= fault.number : matched == fault.number else { return nil }
    failed += 1
    if kind == .sync, let file = handles[call.file]?.file {
      // The system takes its pages for clean after it could not write them: no later sync will.
      cache.forgetUnsynced(file, &random)
    }
    return fault.answer(to: call)
  }

  private mutating func open(_ call: refold_call) -> Int64 {
    let number = Int64(handles.count) + 1
    let file = call.path.map { cache.open(Self.name(of: $0)) }
    handles[number] = Handle(file: file, process: process)
    return number
  }

  /// All files lie in one folder.
  private static func name(of path: UnsafePointer<CChar>) -> String {
    String(String(cString: path).split(separator: "/").last ?? "")
  }
}
