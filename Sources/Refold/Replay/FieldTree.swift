import EventStoreCore
import JSONTree

/// A field of a state and the event that last changed it.
package struct FieldBlame: Hashable, Sendable {
  /// Where the field is.
  package let pointer: JSONPointer
  /// The event; `Seq.zero` where the field is as in the initial state.
  package let seq: Seq
}

/// The fields of a state, each open until the event that last changed it is known.
struct FieldTree {
  private var root: Node

  /// How a value is found in what holds it.
  private enum Step {
    case key(String)
    case index(Int)
    /// The item with this `id`, wherever it stands.
    case item(JSONValue)
  }

  private struct Node {
    let step: Step
    let pointer: JSONPointer
    var children: [Node] = []
    /// The event that changed the field; for what has children nothing.
    var seq: Seq?
    /// The last event so far, of those that are looked at, that changed the field.
    var candidate: Seq?

    var isOpen: Bool { children.isEmpty ? seq == nil : children.contains(where: \.isOpen) }
  }

  /// The fields of `state`, no more than `depth` levels down.
  init(_ state: JSONValue, depth: Int) {
    root = Self.node(.key(""), JSONPointer(), state, depth)
  }

  private static func node(
    _ step: Step, _ pointer: JSONPointer, _ value: JSONValue, _ depth: Int
  ) -> Node {
    var node = Node(step: step, pointer: pointer)
    guard depth > 0 else { return node }
    switch value {
    case .object(let object):
      node.children = object.members.map {
        Self.node(.key($0.key), pointer.appending($0.key), $0.value, depth - 1)
      }
    case .array(let elements) where elements.allSatisfy(\.isObject):
      let ids = ids(of: elements)
      node.children = elements.indices.map { index in
        Node(step: ids.map { .item($0[index]) } ?? .index(index), pointer: pointer.appending(index))
      }
    case .null, .bool, .number, .string, .array: break
    }
    return node
  }

  /// The `id` of each element, nil where any has none or shares it.
  private static func ids(of elements: [JSONValue]) -> [JSONValue]? {
    let ids = elements.compactMap(\.itemID)
    return ids.count == elements.count && Set(ids).count == ids.count ? ids : nil
  }
}

extension FieldTree {
  /// Whether there are fields of which nobody knows yet what changed them.
  var isOpen: Bool { root.isOpen }

  /// The top-level members with open fields, or the root where there are none.
  var openMembers: [JSONPointer] {
    guard root.isOpen else { return [] }
    guard case .key? = root.children.first?.step else { return [root.pointer] }
    return root.children.filter(\.isOpen).map(\.pointer)
  }

  /// Notes that the event `seq` turned what lies at `member`, one of `openMembers`, from `old` to
  /// `new`.
  mutating func compare(_ old: JSONValue?, _ new: JSONValue?, at member: JSONPointer, seq: Seq) {
    guard !member.isRoot else { return Self.compare(&root, old, new, seq) }
    guard let place = root.children.firstIndex(where: { $0.pointer == member }) else { return }
    Self.compare(&root.children[place], old, new, seq)
  }

  private static func compare(_ node: inout Node, _ old: JSONValue?, _ new: JSONValue?, _ seq: Seq)
  {
    guard !node.children.isEmpty else {
      if node.seq == nil, old != new { node.candidate = seq }
      return
    }
    let (old, new) = (Lookup(old, node.children), Lookup(new, node.children))
    for index in node.children.indices where node.children[index].isOpen {
      let step = node.children[index].step
      compare(&node.children[index], old[step], new[step], seq)
    }
  }

  /// Finds children of one value.
  private struct Lookup {
    private let value: JSONValue?
    private var items: [JSONValue: JSONValue] = [:]

    init(_ value: JSONValue?, _ children: [Node]) {
      self.value = value
      guard case .item? = children.first?.step, case .array(let elements)? = value else { return }
      for element in elements { if let id = element.itemID { items[id] = element } }
    }

    subscript(step: Step) -> JSONValue? {
      switch step {
      case .key(let key): value?[key]
      case .index(let index): value?[index]
      case .item(let id): items[id]
      }
    }
  }

  /// Closes the fields that an event was noted for.
  mutating func settle() { Self.settle(&root) }

  private static func settle(_ node: inout Node) {
    if node.seq == nil { node.seq = node.candidate }
    for index in node.children.indices { settle(&node.children[index]) }
  }

  /// Every field, in order; those still open are as in the initial state.
  var blames: [FieldBlame] { Self.blames(root) }

  private static func blames(_ node: Node) -> [FieldBlame] {
    node.children.isEmpty
      ? [FieldBlame(pointer: node.pointer, seq: node.seq ?? .zero)]
      : node.children.flatMap(blames)
  }
}

extension JSONValue {
  fileprivate var isObject: Bool { if case .object = self { true } else { false } }

  /// What tells an item of an array from the others.
  fileprivate var itemID: JSONValue? {
    switch self["id"] {
    case .string(let text): .string(text)
    case .number(let number): .number(number)
    case .null, .bool, .array, .object, nil: nil
    }
  }
}
