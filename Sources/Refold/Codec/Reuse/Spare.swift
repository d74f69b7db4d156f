import Synchronization

/// Something costly to make, kept for whoever needs one next, on any thread.
///
/// Sendable although the value is not: it is in nobody else's hands while it lies here, and taking it
/// out leaves nothing behind.
struct Spare<Value: AnyObject>: ~Copyable, @unchecked Sendable {
  /// The bits of a counted reference, 0 for none. Two, for a reader and a writer at once.
  private let first = Atomic<UInt>(0)
  private let second = Atomic<UInt>(0)

  deinit {
    _ = take()
    _ = take()
  }

  /// The value, which is the caller's alone, where there is one.
  @inline(__always)
  func take() -> Value? {
    var bits = first.exchange(0, ordering: .acquiring)
    if bits == 0 { bits = second.exchange(0, ordering: .acquiring) }
    guard let address = UnsafeRawPointer(bitPattern: bits) else { return nil }
    // Only `put(_:)` writes bits, of a reference that it has counted.
    return Unmanaged<Value>.fromOpaque(address).takeRetainedValue()
  }

  /// Keeps `value`, which must be the caller's alone, unless there is enough.
  @inline(__always)
  func put(_ value: Value) {
    let counted = Unmanaged.passRetained(value)
    let bits = UInt(bitPattern: counted.toOpaque())
    if first.compareExchange(expected: 0, desired: bits, ordering: .releasing).exchanged { return }
    if second.compareExchange(expected: 0, desired: bits, ordering: .releasing).exchanged { return }
    counted.release()
  }
}
