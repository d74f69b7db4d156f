import EventStoreTesting
import JSONTree

/// A patch between two documents leads from one to the other, in each of its forms.
///
/// Input: a document, a line feed, another document, which may be a patch.
enum PatchProperties {
  static func check(_ input: [UInt8]) throws {
    let (first, second) = parts(of: input)
    guard let old = try? JSONValue(parsing: first) else { return }
    guard let new = try? JSONValue(parsing: second) else { return }
    let patch = try checkDiff(from: old, to: new)
    try checkTexts(from: old, to: new, against: patch)
    _ = try checkDiff(from: new, to: old)
    try checkForeignPatch(new, on: old)
  }

  private static func checkDiff(from old: JSONValue, to new: JSONValue) throws -> JSONPatch {
    let patch = JSONPatch(from: old, to: new)
    do {
      try require(
        try patch.applied(to: old) == new,
        "\(patch) leads from \(old) to something else than \(new)")
      try require(try JSONPatch(patch.json) == patch, "\(patch) reads back as another patch")
    } catch let error as JSONError {
      throw BrokenPromise("\(patch) does not lead from \(old) to \(new): \(error)")
    }
    try require(patch.operations.isEmpty == (old == new), "\(patch) between \(old) and \(new)")
    return patch
  }

  /// The patch between texts, which most states go through.
  private static func checkTexts(
    from old: JSONValue, to new: JSONValue, against patch: JSONPatch
  ) throws {
    var (one, two) = (IndexedJSON(), IndexedJSON())
    try one.read { old.append(to: &$0) }
    try two.read { new.append(to: &$0) }
    let texts = JSONPatch(from: one, to: two)
    try require(try texts.applied(to: old) == new, "\(texts) between the texts of \(old), \(new)")
    var text: [UInt8] = []
    JSONPatch.append(from: one, to: two, to: &text)
    try require(try JSONPatch(JSONValue(parsing: text)) == texts, "written as \(shown(text))")
  }

  /// Whatever a patch from elsewhere does, it gives a document that can be written and read.
  private static func checkForeignPatch(_ json: JSONValue, on document: JSONValue) throws {
    let patch: JSONPatch
    do throws(JSONError) {
      patch = try JSONPatch(json)
    } catch {
      return try requireMessage("\(error)", for: json.serialized)
    }
    do {
      let patched = try patch.applied(to: document)
      try require(
        try JSONValue(parsing: patched.serialized) == patched, "\(patch) on \(document)")
    } catch let error as JSONError {
      try requireMessage("\(error)", for: json.serialized)
    }
  }
}
