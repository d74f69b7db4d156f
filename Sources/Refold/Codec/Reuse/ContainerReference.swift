/// A container of the standard library's, as the one reference that it is: only ever counted, never
/// looked into. Nothing is made of this class.
///
/// `KeyedDecodingContainer` and `KeyedEncodingContainer` are structs around one object, which takes
/// an allocation and the lookup of four generic types to make, and a small action needs two of them.
/// So a coder keeps the object of a container that it has handed out, and hands it out again when
/// nobody else holds it any more.
final class ContainerReference {
  private init() {}

  /// Whether containers really are one strong reference each, as in every Swift so far. Where that
  /// were not so, containers would be made anew each time.
  static let isKnown =
    isReference(
      KeyedDecodingContainer(MembersDecoder<PathKey>(place: ObjectPlace(DecodingText(), 0))))
    && isReference(
      KeyedEncodingContainer(MembersEncoder<PathKey>(place: NodePlace(EncodingTree(), 0))))

  /// Whether `container` has the size of a reference, one field, and in that an object at the address
  /// that it holds.
  static func isReference<Container>(_ container: Container) -> Bool {
    let fields = Array(Mirror(reflecting: container).children)
    guard MemoryLayout<Container>.size == MemoryLayout<ContainerReference>.size,
      fields.count == 1, type(of: fields[0].value) is AnyClass
    else { return false }
    // Of the size of an address, as was just seen.
    let address = withUnsafeBytes(of: container) { $0.load(as: UInt.self) }
    let object = Unmanaged.passUnretained(fields[0].value as AnyObject).toOpaque()
    return address == UInt(bitPattern: object)
  }
}

extension Unmanaged<ContainerReference> {
  /// The container that the reference is; its count is the container's from here on.
  ///
  /// `Container` must be the type that the reference was kept as, and `isKnown`.
  @inline(__always)
  consuming func taken<Container>(as type: Container.Type) -> Container {
    // Of the same size, or this traps.
    unsafeBitCast(takeRetainedValue(), to: type)
  }
}
