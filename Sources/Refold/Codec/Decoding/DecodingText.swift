import JSONTree

/// One JSON text while it is decoded: its bytes, their index, and what of them was read.
///
/// A class, because every decoder and container of one decoding shares it, and marks in it what it
/// reads. It belongs to the one call that decodes, on the thread that called.
final class DecodingText {
  // Unchecked, for a tenth of the time of decoding an action: the methods of the index call nothing
  // of a type's own, so that no two accesses can overlap. Nor do those that touch the others.
  @exclusivity(unchecked) private(set) var index = JSONIndex()
  @exclusivity(unchecked) private(set) var bytes = UnsafeRawBufferPointer(start: nil, count: 0)
  /// Whether what was read is tracked.
  @exclusivity(unchecked) private(set) var isStrict = false
  @exclusivity(unchecked) private var sendableUserInfo: [CodingUserInfoKey: any Sendable] = [:]
  /// How many keys and elements were not read yet, where that is tracked.
  @exclusivity(unchecked) private(set) var unreadCount = 0
  @exclusivity(unchecked) private var shelf = ContainerShelf<ObjectPlace>()
  /// The keys that were asked for, by the object's node; nil where nobody wants to know.
  @exclusivity(unchecked) var askedKeys: [Int: [String]]?
  /// Where the last way to a node led through each container: a type that tries one decoding after
  /// another on every element of an array must not count the elements before it each time.
  @exclusivity(unchecked) var lastSteps: [Int: (child: Int, position: Int)] = [:]
  /// The innermost value whose type refused it with an error of its own.
  @exclusivity(unchecked) private var refusedNode: Int?

  /// Nothing to decode yet.
  init() {}

  /// Parses `bytes`, which must stay until `close()`.
  /// - Throws: `CodecError` where they are not JSON, or hold a duplicate key and are strict.
  func open(
    _ bytes: UnsafeRawBufferPointer, isStrict: Bool, userInfo: [CodingUserInfoKey: any Sendable]
  ) throws(CodecError) {
    (self.bytes, self.isStrict) = (bytes, isStrict)
    if !userInfo.isEmpty { sendableUserInfo = userInfo }
    do throws(JSONError) {
      guard bytes.count <= JSONIndex.maximumLength else {
        throw .tooLong(bytes: bytes.count, limit: JSONIndex.maximumLength)
      }
      try index.parse(unsafe: bytes)
    } catch {
      throw CodecError(
        kind: .notJSON(offset: error.offset ?? 0), pointer: JSONPointer(), expected: "JSON",
        found: error.description)
    }
    if isStrict {
      try refuseDuplicateKeys()
      unreadCount = index.partCount
    }
  }

  /// Forgets the bytes. Where somebody kept a container, that finds nothing but nulls from here on.
  /// - Returns: whether nobody did, so that another text can be opened.
  func close() -> Bool {
    bytes = UnsafeRawBufferPointer(start: nil, count: 0)
    if !sendableUserInfo.isEmpty { sendableUserInfo = [:] }
    if askedKeys != nil { askedKeys = nil }
    if !lastSteps.isEmpty { lastSteps = [:] }
    refusedNode = nil
    let isFree = shelf.takeBack { $0.keptText = self }
    if isFree { index.removeIfLarge() } else { index.blank() }
    return isFree
  }

  /// Leaves nothing but nulls, for a decoder that somebody kept.
  func forget() { index.blank() }

  var userInfo: [CodingUserInfoKey: Any] { sendableUserInfo.mapValues { $0 } }

  private func refuseDuplicateKeys() throws(CodecError) {
    guard let key = index.firstDuplicateKey(in: bytes) else { return }
    throw CodecError(
      kind: .duplicateKey(index.string(at: key, in: bytes)), pointer: pointer(to: key),
      expected: "every key once", found: "a duplicate key")
  }
}

extension DecodingText {
  /// The value at `node` as a `T`.
  func value<T: Decodable>(_ type: T.Type, at node: Int) throws -> T {
    do {
      if Self.isFoundationType(type) { return try foundationValue(type, at: node) }
      return try T(from: ValueDecoder(text: self, node: node))
    } catch {
      if refusedNode == nil, !(error is DecodingError) { refusedNode = node }
      throw error
    }
  }

  /// The error for whatever decoding threw.
  func codecError(_ error: any Error) -> CodecError {
    if let error = error as? CodecError { return error }
    guard let error = error as? DecodingError else {
      return CodecError(
        kind: .refused, pointer: pointer(to: refusedNode ?? 0), expected: "", found: "\(error)")
    }
    return decodingError(error)
  }
}

extension DecodingText {
  /// Reads the members of the object at `node`.
  /// - Throws: `DecodingError` where it is none.
  func openObject<Key>(_ node: Int, keyedBy: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard index.nodes[node].kind == .object else {
      throw mismatch([String: Any].self, at: node, expected: "an object")
    }
    index.resolveDuplicates(of: node, in: bytes)
    let key = ObjectIdentifier(Key.self)
    if let container = shelf.take(key, { $0.object = node }) {
      return container.taken(as: KeyedDecodingContainer<Key>.self)
    }
    return makeContainer(for: key, at: node)
  }

  private func makeContainer<Key>(
    for key: ObjectIdentifier, at node: Int
  ) -> KeyedDecodingContainer<Key> {
    let place = ObjectPlace(self, node)
    let container = KeyedDecodingContainer(MembersDecoder<Key>(place: place))
    // Read as the reference that it was seen to be.
    let isOnShelf =
      ContainerReference.isKnown
      && withUnsafeBytes(of: container) {
        shelf.keep($0.load(as: ContainerReference.self), key, place)
      }
    if !isOnShelf { place.keptText = self }
    return container
  }

  /// Reads the elements of the array at `node`.
  /// - Throws: `DecodingError` where it is none.
  func openArray(_ node: Int) throws -> ElementsDecoder {
    guard index.nodes[node].kind == .array else {
      throw mismatch([Any].self, at: node, expected: "an array")
    }
    return ElementsDecoder(text: self, array: node)
  }
}

extension DecodingText {
  /// The node of the key `name` in the object; nil where it has none.
  func findKey(_ name: String, of object: Int) -> Int? {
    if askedKeys != nil { noteAsked(name, of: object) }
    var name = name
    return name.withUTF8 {
      index.findKey(UnsafeRawBufferPointer($0), of: object, in: bytes)
    }
  }

  private func noteAsked(_ name: String, of object: Int) {
    guard askedKeys?[object]?.contains(name) != true else { return }
    askedKeys?[object, default: []].append(name)
  }

  /// Marks a key or an element as read.
  @inline(__always)
  func markRead(_ node: Int) {
    if isStrict, index.markRead(node) { unreadCount -= 1 }
  }

  /// The node of the value of the key `name`, which counts as read from here on.
  func readMember(_ name: String, of object: Int) -> Int? {
    guard let key = findKey(name, of: object) else { return nil }
    markRead(key)
    return key + 1
  }

  /// The key of an object that has this one alone, where it is short and without escapes.
  func onlyKey(of object: Int) -> KnownKeys.Name? {
    index.onlyKey(of: object, in: bytes).flatMap(KnownKeys.Name.init)
  }

  /// The keys of the object that count, in the order of the text.
  func keyNames(of object: Int) -> [String] {
    index.keys(of: object).filter { !index.nodes[$0].isShadowed }
      .map { index.string(at: $0, in: bytes) }
  }
}
