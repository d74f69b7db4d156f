import JSONTree

/// What of a tree is open: small things by themselves, and what a person opened or closed.
struct TreeFolding: Equatable, Sendable {
  /// How much is open by itself.
  enum Extent: Sendable, Equatable {
    case closed
    case small
    case large

    /// A container with at most so many nodes in it is open.
    var nodes: Int {
      switch self {
      case .closed: 0
      case .small: 60
      case .large: 5000
      }
    }

    /// And not deeper than this.
    var depth: Int {
      switch self {
      case .closed: 0
      case .small: 3
      case .large: .max
      }
    }
  }

  var extent = Extent.small
  /// Lines that a person opened or closed, by their ids.
  private var choices: [String: Bool] = [:]

  /// Opens or closes a line, whatever it would do by itself.
  mutating func set(_ id: String, open: Bool) { choices[id] = open }

  /// Opens or closes everything that is not too large for it.
  mutating func setAll(_ extent: Extent) { (self.extent, choices) = (extent, [:]) }

  func isOpen(_ id: String, nodes: Int, depth: Int) -> Bool {
    choices[id] ?? (depth == 0 || nodes <= extent.nodes && depth < extent.depth)
  }

  /// A range is there to hide things: it does not open by itself unless much is to be open.
  func isRangeOpen(_ id: String, nodes: Int) -> Bool {
    choices[id] ?? (extent == .large && nodes <= extent.nodes)
  }
}

/// The lines of a document as far as it is open, without their texts.
///
/// A long array, and an object with as many members, shows ranges of its children, ranges of ranges
/// where it is very long.
struct TreeLayout: Sendable {
  /// The most children that stand on lines of their own.
  static let rangeSize = 100

  private(set) var lines: [TreeLine] = []
  private let document: JSONDocument
  private let folding: TreeFolding

  /// Lays `document` out.
  /// - Complexity: O(k) for the k children of the containers that are open.
  init(_ document: JSONDocument, _ folding: TreeFolding) {
    (self.document, self.folding) = (document, folding)
    add(node: 0, key: nil, place: 0, depth: 0, pointer: "")
  }

  private mutating func add(node: Int, key: Int?, place: Int, depth: Int, pointer: String) {
    let content = document.nodes[node]
    let size = Int(content.next) - node - 1
    let canOpen = (content.kind == .array || content.kind == .object) && size > 0
    let isOpen = canOpen && folding.isOpen(pointer, nodes: size, depth: depth)
    lines.append(
      TreeLine(
        node: node, key: key, place: place, depth: depth, content: .value, pointer: pointer,
        id: pointer, canOpen: canOpen, isOpen: isOpen))
    guard isOpen else { return }
    let children = document.children(of: node)
    add(children[...], of: node, depth: depth + 1, pointer: pointer)
  }

  private mutating func add(
    _ children: ArraySlice<Int>, of container: Int, depth: Int, pointer: String
  ) {
    guard children.count > Self.rangeSize else {
      for place in children.indices { add(children[place], of: container, place, depth, pointer) }
      return
    }
    var size = Self.rangeSize
    while children.count > size * Self.rangeSize { size *= Self.rangeSize }
    for start in stride(from: children.startIndex, to: children.endIndex, by: size) {
      let range = start..<min(start + size, children.endIndex)
      let id = "\(pointer)#\(start)-\(range.upperBound)"
      let end = range.upperBound < children.endIndex ? children[range.upperBound] : children.last
      let nodes = (end ?? children[start]) - children[start]
      let isOpen = folding.isRangeOpen(id, nodes: nodes)
      lines.append(
        TreeLine(
          node: container, key: nil, place: start, depth: depth, content: .range(range),
          pointer: pointer, id: id, canOpen: true, isOpen: isOpen))
      if isOpen { add(children[range], of: container, depth: depth + 1, pointer: pointer) }
    }
  }

  private mutating func add(
    _ child: Int, of container: Int, _ place: Int, _ depth: Int, _ pointer: String
  ) {
    let isMember = document.nodes[container].kind == .object
    let token = isMember ? document.string(at: child) : String(place)
    add(
      node: isMember ? child + 1 : child, key: isMember ? child : nil, place: place, depth: depth,
      pointer: "\(pointer)\(JSONPointer(tokens: [token]))")
  }
}

extension TreeLayout {
  /// The ids of the lines that must be open for the line of `node` to be seen, and its pointer.
  static func way(to target: Int, in document: JSONDocument) -> (open: [String], pointer: String) {
    var (open, pointer, node) = ([String](), "", 0)
    while node != target {
      let children = document.children(of: node)
      let isMember = document.nodes[node].kind == .object
      guard let place = children.lastIndex(where: { $0 <= target }) else { break }
      open.append(pointer)
      open += ranges(around: place, of: children.count, pointer)
      let child = children[place]
      let token = isMember ? document.string(at: child) : String(place)
      pointer += "\(JSONPointer(tokens: [token]))"
      if isMember, child == target { break }
      node = isMember ? child + 1 : child
    }
    return (open, pointer)
  }

  private static func ranges(around place: Int, of count: Int, _ pointer: String) -> [String] {
    var (ids, first, last) = ([String](), 0, count)
    while last - first > rangeSize {
      var size = rangeSize
      while last - first > size * rangeSize { size *= rangeSize }
      let start = first + (place - first) / size * size
      (first, last) = (start, min(start + size, last))
      ids.append("\(pointer)#\(first)-\(last)")
    }
    return ids
  }
}

extension JSONDocument {
  /// The nodes of a container's elements, or of its members' keys.
  /// - Complexity: O(n) in them.
  func children(of container: Int) -> [Int] {
    switch nodes[container].kind {
    case .object: return index.keys(of: container)
    case .array:
      var (children, node) = ([Int](), container + 1)
      let end = Int(nodes[container].next)
      while node < end {
        children.append(node)
        node = Int(nodes[node].next)
      }
      return children
    case .null, .false, .true, .number, .string: return []
    }
  }
}
