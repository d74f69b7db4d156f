/// The containers that a coder has handed out, by the type of their keys, to hand them out again.
///
/// A container is handed out again only while the shelf alone holds it, so that two that are in use
/// at a time, or one that a type kept, are never the same. Each stands for a place, an object of the
/// coder's that says what the container reads or writes, and is told anew each time.
struct ContainerShelf<Place: AnyObject>: ~Copyable {
  private struct Slot {
    var key: ObjectIdentifier?
    var container: ContainerReference?
    var place: Place?
  }

  // Memory of its own instead of an array, which would count each reference that is looked at. All
  // of its `size` slots are initialized as long as the shelf lives, and indices are taken modulo
  // `size`.
  private let slots: UnsafeMutablePointer<Slot>
  /// A bit for each slot whose container was handed out since `takeBack()`.
  private var lent: UInt32 = 0
  private var isRetired = false

  private static var size: Int { 32 }
  /// How many slots a type of keys may take: for containers inside one another with the same keys.
  private static var reach: Int { 4 }

  init() {
    slots = .allocate(capacity: Self.size)
    slots.initialize(repeating: Slot(), count: Self.size)
  }

  deinit {
    slots.deinitialize(count: Self.size)
    slots.deallocate()
  }

  /// Metadata lies at multiples of 8, mostly of 16 and more.
  private static func start(_ key: ObjectIdentifier) -> Int {
    let bits = UInt(bitPattern: key)
    return Int(bitPattern: bits >> 4 ^ bits >> 9)
  }

  /// A container for keys of this type that nobody holds, with a count for whoever takes it.
  @inline(__always)
  mutating func take(
    _ key: ObjectIdentifier, _ set: (Place) -> Void
  ) -> Unmanaged<ContainerReference>? {
    let start = Self.start(key)
    for step in 0..<Self.reach {
      let slot = (start &+ step) & (Self.size - 1)
      guard slots[slot].key == key, isKnownUniquelyReferenced(&slots[slot].container),
        let container = slots[slot].container, let place = slots[slot].place
      else { continue }
      set(place)
      lent |= 1 << UInt32(truncatingIfNeeded: slot)
      return Unmanaged.passRetained(container)
    }
    return nil
  }

  /// Keeps `container`, which was just made and is handed out now, for later.
  /// - Returns: whether there was room.
  mutating func keep(_ container: ContainerReference, _ key: ObjectIdentifier, _ place: Place)
    -> Bool
  {
    if isRetired { return false }
    let start = Self.start(key)
    let probes = (0..<Self.reach).map { (start &+ $0) & (Self.size - 1) }
    guard
      let slot = probes.first(where: { slots[$0].key == nil })
        ?? probes.first(where: { isKnownUniquelyReferenced(&slots[$0].container) })
    else { return false }
    slots[slot] = Slot(key: key, container: container, place: place)
    lent |= 1 << UInt32(truncatingIfNeeded: slot)
    return true
  }

  /// Sees after what was handed out. What somebody still holds is theirs from now on: `isKept` is
  /// told its place.
  /// - Returns: whether everything is back.
  mutating func takeBack(_ isKept: (Place) -> Void) -> Bool {
    var isComplete = true
    while lent != 0 {
      let slot = lent.trailingZeroBitCount
      lent &= lent - 1
      if isKnownUniquelyReferenced(&slots[slot].container) { continue }
      isComplete = false
      if let place = slots[slot].place { isKept(place) }
      slots[slot] = Slot()
    }
    return isComplete
  }

  /// Lets go of all containers, and keeps none from here on.
  mutating func retire() {
    isRetired = true
    for slot in 0..<Self.size { slots[slot] = Slot() }
  }
}
