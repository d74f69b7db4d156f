import Foundation

/// Which code folds a session: the name that its snapshots are kept under.
///
/// It is the reactor's name and the GNU build id of the image, executable or library, that holds the
/// reactor's conformance to `Reactor`, and so its `reduce`. The linker computes that id from all that
/// it links, so that other code has another one: `counter@dfbeac0f3b4a903f…`.
package enum FoldID {
  /// The fold id of `reactor`; nil where its image has no build id. Code that cannot be told from
  /// other code has no snapshots: a stale one would give a wrong state.
  package static func of(_ reactor: any Reactor) -> String? {
    guard let conformance = conformance(of: reactor), let image = LoadedImage(holding: conformance),
      let id = image.buildID
    else { return nil }
    let digits = id.map { byte in
      let digits = String(byte, radix: 16)
      return digits.count < 2 ? "0" + digits : digits
    }
    return "\(type(of: reactor).name)@\(digits.joined())"
  }

  /// An address inside the image that makes the type of `reactor` a Reactor.
  ///
  /// A type's own metadata lies on the heap where the type is generic; so does its witness table, but
  /// the conformance descriptor, which that begins with, is always part of an image. The table is the
  /// fifth word of an existential: three for the value, one for its type.
  private static func conformance(of reactor: any Reactor) -> UnsafeRawPointer? {
    guard MemoryLayout<any Reactor>.size == 5 * MemoryLayout<UnsafeRawPointer>.size else {
      return nil
    }
    return withUnsafePointer(to: reactor) { existential in
      let table = UnsafeRawPointer(existential).load(
        fromByteOffset: 4 * MemoryLayout<UnsafeRawPointer>.size, as: UnsafeRawPointer?.self)
      return table?.load(as: UnsafeRawPointer?.self)
    }
  }
}

/// A part of this process that was loaded from a file, as the dynamic linker lists it.
///
/// Read from memory, not from the file, which somebody may have built anew since.
private struct LoadedImage {
  private let segments: [Segment]

  /// A program header: a range of the image that was loaded, or that holds notes.
  private struct Segment {
    let type: UInt32
    let start: UInt
    let size: UInt

    static let load: UInt32 = 1
    static let note: UInt32 = 4

    func holds(_ address: UInt) -> Bool { address >= start && address - start < size }
  }

  /// The image that `address` lies in, or nil.
  init?(holding address: UnsafeRawPointer) {
    guard let image = Self.all().first(where: { $0.holds(UInt(bitPattern: address)) }) else {
      return nil
    }
    self = image
  }

  private init(segments: [Segment]) { self.segments = segments }

  private func holds(_ address: UInt) -> Bool {
    segments.contains { $0.type == Segment.load && $0.holds(address) }
  }

  /// The bytes that the linker told this image from others by, or nil.
  var buildID: [UInt8]? {
    for notes in segments where notes.type == Segment.note && holds(notes.start) {
      if let id = Self.buildID(in: notes) { return id }
    }
    return nil
  }

  /// Notes are a header of three words, a name and a content, both padded to whole words.
  private static func buildID(in notes: Segment) -> [UInt8]? {
    guard let base = UnsafeRawPointer(bitPattern: notes.start) else { return nil }
    let bytes = UnsafeRawBufferPointer(start: base, count: Int(notes.size))
    var place = 0
    while place + 12 <= bytes.count {
      let nameSize = Int(bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self))
      let contentSize = Int(bytes.loadUnaligned(fromByteOffset: place + 4, as: UInt32.self))
      let type = bytes.loadUnaligned(fromByteOffset: place + 8, as: UInt32.self)
      let name = place + 12
      let content = name + padded(nameSize)
      guard content + contentSize <= bytes.count else { return nil }
      let isOfGNU = bytes[name..<name + nameSize].elementsEqual("GNU\0".utf8)
      if type == gnuBuildID, isOfGNU, contentSize > 0 {
        return Array(bytes[content..<content + contentSize])
      }
      place = content + padded(contentSize)
    }
    return nil
  }

  private static let gnuBuildID: UInt32 = 3

  private static func padded(_ size: Int) -> Int { (size + 3) & ~3 }
}

// dl_iterate_phdr is not imported into Swift, so it is looked up by its name, and what it lends,
// `struct dl_phdr_info` and the `ElfW(Phdr)` in it, is read by its places (64-bit).
extension LoadedImage {
  private typealias Visitor =
    @convention(c) (UnsafeRawPointer?, Int, UnsafeMutableRawPointer?) -> CInt
  private typealias Iteration = @convention(c) (Visitor, UnsafeMutableRawPointer?) -> CInt

  private static func all() -> [LoadedImage] {
    guard MemoryLayout<UInt>.size == 8, let symbol = dlsym(nil, "dl_iterate_phdr") else {
      return []
    }
    var images: [LoadedImage] = []
    withUnsafeMutablePointer(to: &images) { images in
      let visit: Visitor = { lent, _, images in
        if let lent {
          images?.assumingMemoryBound(to: [LoadedImage].self).pointee
            .append(LoadedImage(lent: lent))
        }
        return 0
      }
      _ = unsafeBitCast(symbol, to: Iteration.self)(visit, images)
    }
    return images
  }

  private init(lent: UnsafeRawPointer) {
    let base = lent.load(as: UInt.self)
    let headers = lent.load(fromByteOffset: 16, as: UnsafeRawPointer?.self)
    let count = lent.load(fromByteOffset: 24, as: UInt16.self)
    segments = (0..<Int(count)).compactMap { index in
      guard let header = headers?.advanced(by: index * 56) else { return nil }
      return Segment(
        type: header.load(as: UInt32.self),
        start: base &+ header.load(fromByteOffset: 16, as: UInt.self),
        size: header.load(fromByteOffset: 40, as: UInt.self))
    }
  }
}
