/// An array that owns its memory alone and keeps it when it is emptied: for what a coder fills again
/// for every value, where an array's look at its count of references costs as much as the store.
struct Growing<Element: BitwiseCopyable>: ~Copyable {
  // The first `count` of `capacity` elements are initialized; each access below is checked against
  // one or the other. Nothing needs deinitializing in elements that are copied bit by bit.
  private var base: UnsafeMutablePointer<Element>
  private var capacity: Int
  private(set) var count = 0

  init(capacity: Int) {
    base = .allocate(capacity: capacity)
    self.capacity = capacity
  }

  deinit { base.deallocate() }

  subscript(place: Int) -> Element {
    @inline(__always) _read {
      precondition(UInt(bitPattern: place) < UInt(bitPattern: count))
      yield base[place]
    }
    @inline(__always) _modify {
      precondition(UInt(bitPattern: place) < UInt(bitPattern: count))
      yield &base[place]
    }
  }

  @inline(__always)
  mutating func append(_ element: Element) {
    if count == capacity { grow(1) }
    (base + count).initialize(to: element)
    count += 1
  }

  /// Appends all elements of `elements`, which do not lie in this array.
  @inline(__always)
  mutating func append(contentsOf elements: UnsafeBufferPointer<Element>) {
    guard let source = elements.baseAddress else { return }
    if capacity - count < elements.count { grow(elements.count) }
    (base + count).initialize(from: source, count: elements.count)
    count += elements.count
  }

  /// Takes back all but the first `count` elements.
  mutating func shorten(to count: Int) { self.count = min(self.count, max(0, count)) }

  /// Forgets the elements, and the memory where it is for more than `most`.
  mutating func removeAll(keeping most: Int) {
    count = 0
    guard capacity > most else { return }
    base.deallocate()
    base = .allocate(capacity: most)
    capacity = most
  }

  /// The elements, while `body` runs.
  @inline(__always)
  borrowing func withElements<Result, Failure: Error>(
    _ body: (UnsafeBufferPointer<Element>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(UnsafeBufferPointer(start: base, count: count))
  }

  @inline(never)
  private mutating func grow(_ room: Int) {
    let larger = max(2 * capacity, count + room)
    let memory = UnsafeMutablePointer<Element>.allocate(capacity: larger)
    memory.initialize(from: base, count: count)
    base.deallocate()
    (base, capacity) = (memory, larger)
  }
}
