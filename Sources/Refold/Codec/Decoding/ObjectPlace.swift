/// What a container of members reads: an object of a text.
///
/// Of its own, so that a container that is handed out again can be told another object.
final class ObjectPlace {
  /// Alive as long as anybody can ask: while its decoding runs, and later because of `keptText`.
  private let unmanagedText: Unmanaged<DecodingText>
  /// Set where the container may outlive the decoding.
  var keptText: DecodingText?
  @exclusivity(unchecked) var object: Int
  /// The keys that were listed for objects of one member before.
  @exclusivity(unchecked) var knownKeys = KnownKeys()

  var text: DecodingText {
    @inline(__always) get { unmanagedText._withUnsafeGuaranteedRef { $0 } }
  }

  init(_ text: DecodingText, _ object: Int) {
    (unmanagedText, self.object) = (.passUnretained(text), object)
  }
}

/// What `allKeys` was for objects with one member, by the bytes of that member's key: an enum is
/// asked for its keys each time, and making the array takes longer than all else.
struct KnownKeys {
  /// The bytes of a key, at most 15, and their number in the last.
  struct Name: Equatable {
    fileprivate var low: UInt64 = 0
    fileprivate var high: UInt64 = 0

    init?(_ bytes: UnsafeRawBufferPointer) {
      guard bytes.count < 16 else { return nil }
      for byte in bytes.prefix(8).reversed() { low = low << 8 | UInt64(byte) }
      for byte in bytes.dropFirst(8).reversed() { high = high << 8 | UInt64(byte) }
      high |= UInt64(bytes.count) << 56
    }

    fileprivate var slot: Int {
      Int(truncatingIfNeeded: ((low ^ high &* 31) &* 0x9E37_79B9_7F4A_7C15) >> 61)
    }
  }

  private var names: [Name] = []
  private var lists: [AnyObject?] = []

  /// The keys for `name`, which a container of keys of this type has noted.
  @inline(__always)
  func keys<Key>(_ name: Name) -> [Key]? {
    guard !names.isEmpty, names[name.slot] == name, let list = lists[name.slot] else { return nil }
    // A place belongs to containers of one type of keys, and nobody else notes anything here.
    return unsafeDowncast(list, to: KeyList<Key>.self).keys
  }

  mutating func note<Key>(_ keys: [Key], for name: Name) {
    if names.isEmpty {
      guard let none = Name(UnsafeRawBufferPointer(start: nil, count: 0)) else { return }
      names = Array(repeating: none, count: 8)
      lists = Array(repeating: nil, count: 8)
    }
    names[name.slot] = name
    lists[name.slot] = KeyList(keys)
  }

  private final class KeyList<Key> {
    let keys: [Key]

    init(_ keys: [Key]) { self.keys = keys }
  }
}
