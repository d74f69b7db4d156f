import EventStoreTesting

/// What of a folder's files is on the disk, and what only the system's cache has.
struct DiskCache {
  typealias FileID = Int

  /// A change to a file's bytes.
  enum Change {
    case write(offset: Int, [UInt8])
    case cut(size: Int)
  }

  private struct File {
    var onDisk: [UInt8] = []
    var unsynced: [Change] = []
  }

  private var files: [File] = []
  /// Which file a name means, for whoever asks now.
  private var names: [String: FileID] = [:]
  /// Which one it means on the disk.
  private var namesOnDisk: [String: FileID] = [:]
  private var unsyncedNames: [(name: String, file: FileID?)] = []

  /// Takes in a file that is on the disk.
  mutating func load(_ name: String, _ bytes: [UInt8]) {
    names[name] = files.count
    namesOnDisk[name] = files.count
    files.append(File(onDisk: bytes))
  }

  /// The file called `name`; one that nobody knew has just been made.
  mutating func open(_ name: String) -> FileID {
    if let known = names[name] { return known }
    let file = files.count
    files.append(File())
    names[name] = file
    unsyncedNames.append((name, file))
    return file
  }

  mutating func change(_ file: FileID, _ change: Change) { files[file].unsynced.append(change) }

  mutating func sync(_ file: FileID) {
    for change in files[file].unsynced { Self.apply(change, to: &files[file].onDisk) }
    files[file].unsynced = []
  }

  mutating func delete(_ name: String) {
    guard names.removeValue(forKey: name) != nil else { return }
    unsyncedNames.append((name, nil))
  }

  mutating func syncFolder() {
    for (name, file) in unsyncedNames { namesOnDisk[name] = file }
    unsyncedNames = []
  }

  /// Each unsynced change of `file` is lost for good, or was written by itself before.
  mutating func forgetUnsynced(_ file: FileID, _ random: inout SeededGenerator) {
    for change in files[file].unsynced where random.chance(0.3) {
      Self.apply(change, to: &files[file].onDisk)
    }
    files[file].unsynced = []
  }

  // MARK: Loss of power

  /// The files that may be there after a loss of power: all that was synced, and of the rest any part,
  /// in sectors.
  func afterPowerLoss(
    _ random: inout SeededGenerator
  ) -> (files: [(name: String, bytes: [UInt8])], loss: PowerLoss) {
    var loss = PowerLoss()
    var found: [(name: String, bytes: [UInt8])] = []
    for name in Set(namesOnDisk.keys).union(unsyncedNames.map(\.name)).sorted() {
      let changes = unsyncedNames.filter { $0.name == name }
      let kept = random.below(changes.count + 1)
      loss.unsynced += changes.count
      loss.lost += changes.count - kept
      let file = kept == 0 ? namesOnDisk[name] : changes[kept - 1].file
      if let file { found.append((name, bytes(of: files[file], &random, &loss))) }
    }
    return (found, loss)
  }

  private func bytes(
    of file: File, _ random: inout SeededGenerator, _ loss: inout PowerLoss
  ) -> [UInt8] {
    var bytes = file.onDisk
    // Anything from nothing to everything, and often most: one missing write is the hardest to see.
    let chance = random.pick([0, 0.2, 0.5, 0.8, 0.95, 1])
    let reached = random.chance(0.3) ? random.below(file.unsynced.count + 1) : file.unsynced.count
    loss.unsynced += file.unsynced.count
    for (index, change) in file.unsynced.enumerated() {
      if index < reached, random.chance(chance) {
        if case .write(let offset, let written) = change, random.chance(0.2) {
          loss.lost += 1
          loss.torn += 1
          Self.tear(written, at: offset, into: &bytes, &random)
        } else {
          Self.apply(change, to: &bytes)
        }
      } else {
        loss.lost += 1
        // The new size may be there without what was written.
        if case .write(let offset, let written) = change, random.chance(0.3) {
          Self.extend(&bytes, to: offset + written.count)
        }
      }
    }
    return bytes
  }

  private static func tear(
    _ written: [UInt8], at offset: Int, into bytes: inout [UInt8], _ random: inout SeededGenerator
  ) {
    let sector = 512
    var start = offset
    while start < offset + written.count {
      let end = min((start / sector + 1) * sector, offset + written.count)
      if random.chance(0.5) {
        apply(.write(offset: start, Array(written[start - offset..<end - offset])), to: &bytes)
      }
      start = end
    }
  }

  private static func apply(_ change: Change, to bytes: inout [UInt8]) {
    switch change {
    case .write(let offset, let written):
      guard !written.isEmpty else { return }
      extend(&bytes, to: offset + written.count)
      bytes.withUnsafeMutableBytes { target in
        UnsafeMutableRawBufferPointer(rebasing: target[offset..<offset + written.count])
          .copyBytes(from: written)
      }
    case .cut(let size):
      if size < bytes.count {
        bytes.removeLast(bytes.count - size)
      } else {
        extend(&bytes, to: size)
      }
    }
  }

  private static func extend(_ bytes: inout [UInt8], to count: Int) {
    let more = count - bytes.count
    guard more > 0 else { return }
    // A hundred times as fast as repeating a 0, in a debug build.
    bytes += [UInt8](unsafeUninitializedCapacity: more) { zeros, filled in
      zeros.initialize(repeating: 0)
      filled = more
    }
  }
}
