/// A text that is edited often and copied often: its offsets are Unicode scalars, its content is
/// kept as UTF-8 in chunks of bounded size.
///
///     var text = TextBuffer("hello")
///     text.replaceScalars(in: 0..<1, with: "J")     // Jello
///
/// A value: a copy shares every chunk, and the first edit afterwards copies the list of chunks and
/// the one chunk that it touches. Two buffers are equal when their scalars are; canonically
/// equivalent texts such as "é" and "e\u{301}" are not. Coded as a string.
public struct TextBuffer: Sendable {
  /// How many Unicode scalars the text has.
  public private(set) var scalarCount = 0
  /// How many bytes of UTF-8 it has.
  public private(set) var utf8Count = 0
  private(set) var chunks: [Chunk] = []

  /// An empty text.
  public init() {}

  /// The text of `string`.
  /// - Complexity: O(n).
  public init(_ string: String) {
    replaceScalars(in: 0..<0, with: string)
  }

  /// Replaces the scalars of `range` by `text`. Whatever part of `range` lies outside the text is
  /// left out, so every range is allowed.
  /// - Complexity: O(n / 1024 + m) for n bytes of text and m bytes put in or taken out.
  public mutating func replaceScalars(in range: Range<Int>, with text: String) {
    let range = range.clamped(to: 0..<scalarCount)
    var text = text
    text.makeContiguousUTF8()
    let inserted = text.utf8
    let insertedScalars = Chunk.scalarCount(of: inserted)
    let place = place(of: range)
    if place.index < chunks.count,
      let change = chunks[place.index].replaceScalars(
        from: range.lowerBound - place.start, count: range.count, with: inserted, insertedScalars)
    {
      utf8Count += change
    } else {
      rebuild(range, from: place, with: inserted)
    }
    scalarCount += insertedScalars - range.count
    mergeSmall(at: place.index)
  }

  /// The chunk that an edit of `range` begins in, and the offset of its first scalar. An insertion
  /// between two chunks belongs to the earlier one; in an empty text the index is 0.
  private func place(of range: Range<Int>) -> (index: Int, start: Int) {
    // The offset of the last scalar before an insertion, else of the first one to be replaced.
    let offset = range.isEmpty ? max(range.lowerBound - 1, 0) : range.lowerBound
    var start = 0
    for index in chunks.indices {
      let end = start + chunks[index].scalarCount
      if offset < end { return (index, start) }
      start = end
    }
    return (chunks.count, start)
  }

  /// The edit of several chunks, or of one that grows too large or disappears: what is left of them
  /// and `inserted` are cut into chunks anew.
  private mutating func rebuild(
    _ range: Range<Int>, from place: (index: Int, start: Int), with inserted: String.UTF8View
  ) {
    var bytes: [UInt8] = []
    var (last, start) = place
    if last < chunks.count {
      bytes += chunks[last].bytes(beforeScalar: range.lowerBound - start)
      while start + chunks[last].scalarCount < range.upperBound {
        start += chunks[last].scalarCount
        last += 1
      }
    }
    bytes += inserted
    var end = last
    if last < chunks.count {
      bytes += chunks[last].bytes(fromScalar: range.upperBound - start)
      end += 1
    }
    for index in place.index..<end { utf8Count -= chunks[index].bytes.count }
    utf8Count += bytes.count
    chunks.replaceSubrange(place.index..<end, with: Chunk.cut(bytes))
  }

  /// Joins the chunk at `index` with its neighbours where both together are small, so that many
  /// deletions do not leave many crumbs.
  private mutating func mergeSmall(at index: Int) {
    for left in [index, index - 1] where left >= 0 && left + 1 < chunks.count {
      guard Chunk.areSmall(chunks[left], chunks[left + 1]) else { continue }
      let right = chunks.remove(at: left + 1)
      chunks[left].append(right)
    }
  }
}

extension TextBuffer {
  /// The whole text.
  /// - Complexity: O(n).
  public var string: String {
    String(unsafeUninitializedCapacity: utf8Count) { buffer in
      var end = 0
      for chunk in chunks {
        _ = buffer[end...].update(fromContentsOf: chunk.bytes)
        end += chunk.bytes.count
      }
      return end
    }
  }

  /// What is wrong with the buffer, for tests: nil as long as every promise of its parts holds.
  var brokenInvariant: String? {
    if chunks.reduce(0, { $0 + $1.scalarCount }) != scalarCount { return "scalarCount" }
    if chunks.reduce(0, { $0 + $1.bytes.count }) != utf8Count { return "utf8Count" }
    for (index, chunk) in chunks.enumerated() {
      if let broken = chunk.brokenInvariant { return "chunk \(index): \(broken)" }
      if index > 0, Chunk.areSmall(chunks[index - 1], chunk) { return "crumbs at \(index)" }
    }
    return nil
  }
}

extension TextBuffer: Equatable {
  /// Whether both have the same scalars, however they are cut into chunks.
  /// - Complexity: O(n) where the lengths are equal.
  public static func == (left: TextBuffer, right: TextBuffer) -> Bool {
    left.utf8Count == right.utf8Count
      && left.chunks.lazy.flatMap(\.bytes).elementsEqual(right.chunks.lazy.flatMap(\.bytes))
  }
}

extension TextBuffer: Codable {
  /// Reads a string.
  public init(from decoder: any Decoder) throws {
    self.init(try decoder.singleValueContainer().decode(String.self))
  }

  /// Writes a string.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(string)
  }
}
