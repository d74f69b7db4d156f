import EventStoreTesting
import JSONTree

/// A pointer reads back as itself, and leads to what its tokens lead to, one after the other.
///
/// Input: a pointer, a line feed, a document.
enum PointerProperties {
  static func check(_ input: [UInt8]) throws {
    let (first, second) = parts(of: input)
    let text = String(decoding: first, as: UTF8.self)
    let pointer: JSONPointer
    do throws(JSONError) {
      pointer = try JSONPointer(text)
    } catch {
      return try requireMessage("\(error)", for: first)
    }
    try require(
      pointer.description.utf8.elementsEqual(text.utf8),
      "\(shown(first)) is written as \(pointer.description.debugDescription)")
    try checkRelations(of: pointer)
    guard let document = try? JSONValue(parsing: second) else { return }
    try checkEvaluation(of: pointer, in: document)
  }

  private static func checkRelations(of pointer: JSONPointer) throws {
    guard let (parent, token) = pointer.parent else {
      return try require(pointer.isRoot, "only the root has no parent")
    }
    try require(parent.appending(token) == pointer, "\(pointer) is not where its parent leads")
    try require(parent.contains(pointer), "\(parent) does not contain \(pointer)")
    try require(!pointer.contains(parent), "\(pointer) contains \(parent)")
    try require(parent < pointer, "\(pointer) comes before \(parent)")
  }

  private static func checkEvaluation(of pointer: JSONPointer, in document: JSONValue) throws {
    let found = document[pointer]
    var walked: JSONValue? = document
    for token in pointer.tokens { walked = walked?[JSONPointer(tokens: [token])] }
    try require(found == walked, "\(pointer) is not what its tokens lead to")
    do {
      try require(try document.value(at: pointer) == found, "\(pointer) gives two values")
    } catch let error as JSONError {
      try require(found == nil, "\(pointer) gives a value, and \(error)")
      try requireMessage("\(error)", for: Array(pointer.description.utf8))
    }
    try require(
      (found != nil) == (try JSONPredicate("exists \(fragment(pointer))").holds(for: document)),
      "a predicate finds something else at \(pointer)")
  }

  /// The pointer as a predicate may hold it, whatever is in it.
  private static func fragment(_ pointer: JSONPointer) -> String {
    "#"
      + pointer.description.utf8.map {
        "%" + String($0 >> 4, radix: 16) + String($0 & 15, radix: 16)
      }.joined()
  }
}
