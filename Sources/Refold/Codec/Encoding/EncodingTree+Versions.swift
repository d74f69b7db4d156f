import JSONTree

/// The arrays of one encoding as they were, to tell in the next one those that are the same still
/// from their storage alone: a copy of a state shares what did not change.
///
/// Holding an array keeps it from being changed in place, so that one in the same storage has the
/// same elements.
package final class ArrayVersions {
  private struct Entry {
    let array: Any
    let storage: StorageIdentity
    let bytes: [UInt8]
    let version: Int
  }

  private var entries: [JSONPointer: Entry] = [:]

  /// Nothing is known yet.
  package init() {}

  /// A number that is that of the encoding before exactly if the array is encoded to the same bytes.
  fileprivate func version(
    of array: some SharedStorage, at place: JSONPointer, _ encode: () throws -> [UInt8]
  ) throws -> Int {
    let storage = array.storage
    let former = entries[place]
    if let former, former.storage == storage { return former.version }
    let bytes = try encode()
    let isSame = former?.bytes == bytes
    let version = (former?.version ?? 0) + (isSame ? 0 : 1)
    entries[place] = Entry(array: array, storage: storage, bytes: bytes, version: version)
    return version
  }
}

/// Where an array's elements lie.
private struct StorageIdentity: Equatable {
  let type: ObjectIdentifier
  let address: UnsafeRawPointer?
  let count: Int
}

/// An array, whatever its elements.
private protocol SharedStorage {
  var storage: StorageIdentity { get }
  var count: Int { get }
}

extension Array: SharedStorage {
  fileprivate var storage: StorageIdentity {
    withUnsafeBufferPointer {
      StorageIdentity(
        type: ObjectIdentifier(Element.self), address: UnsafeRawPointer($0.baseAddress),
        count: $0.count)
    }
  }
}

extension EncodingTree {
  /// Fewer elements are encoded as quickly as looked up.
  private static let fewElements = 8

  /// Encodes an array's version in its place.
  /// - Returns: whether `value` is an array, and the way does not lead into it.
  func encodeVersion<T: Encodable>(of value: T, at node: Int) throws -> Bool {
    guard let versions, storage.nodes[node].reach == .whole,
      let array = value as? any SharedStorage,
      array.count > Self.fewElements
    else { return false }
    let place = JSONPointer(codingPath: codingPath(to: node))
    var codec = EventCodec()
    codec.userInfo = sendableUserInfo
    let version = try versions.version(of: array, at: place) { try codec.encode(value) }
    try encode(integer: version, at: node)
    return true
  }
}

extension EventCodec {
  /// Bytes that are those of the last call with these `versions` and this `pointer` exactly if what
  /// lies there is encoded to the same bytes; nil where nothing does.
  ///
  /// - Throws: `CodecError`, as for `encode(_:at:)`.
  /// - Complexity: as for `encode(_:at:)`, but O(1) for an array that shares its storage with the one
  ///   of the last call.
  package func fingerprint<T: Encodable>(
    of value: T, at pointer: JSONPointer, _ versions: ArrayVersions
  ) throws(CodecError) -> [UInt8]? {
    var bytes: [UInt8] = []
    let tree = EncodingTree(userInfo: userInfo, way: Way(pointer), versions: versions)
    do {
      try tree.encode(value, at: EncodingTree.root)
      return try tree.write(into: &bytes) ? bytes : nil
    } catch {
      throw tree.codecError(error)
    }
  }
}
