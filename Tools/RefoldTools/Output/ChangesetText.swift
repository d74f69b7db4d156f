import JSONTree
import Sections

/// What changed in the sections between two states: for people a line a change, or as JSON.
struct ChangesetText<ID, Item>
where
  ID: Hashable & Sendable & CustomStringConvertible,
  Item: Identifiable & Equatable & Sendable & CustomStringConvertible,
  Item.ID: Sendable & CustomStringConvertible
{
  typealias Sections = [SectionModel<ID, Item>]

  private let console: Console

  init(_ console: Console) { self.console = console }

  /// The lines of `changesets`, which begin at `sections`.
  func lines(_ changesets: [Changeset<ID, Item>], from sections: Sections) -> String {
    var before = sections
    return changesets.enumerated().map { index, changeset in
      defer { before = changeset.finalSections }
      let heading = "changeset \(index + 1): \(Self.subject(of: changeset))"
      return ([console.styled(heading, .bold)] + lines(changeset, before)).joined(separator: "\n")
    }.joined(separator: "\n") + "\n"
  }

  private static func subject(of changeset: Changeset<ID, Item>) -> String {
    if !changeset.insertedSections.isEmpty || !changeset.movedSections.isEmpty {
      return "sections inserted and moved"
    }
    if !changeset.insertedItems.isEmpty || !changeset.movedItems.isEmpty {
      return "items inserted and moved"
    }
    return "deletes and updates"
  }

  private func lines(_ changeset: Changeset<ID, Item>, _ before: Sections) -> [String] {
    let after = changeset.finalSections
    let deleted =
      changeset.deletedSections.map { removed("\(Self.name(before, $0)) \(Self.size(before[$0]))") }
      + changeset.deletedItems.map { removed(Self.text(Self.item(before, $0), at: $0, before)) }
    let updated = changeset.updatedItems.map { update in
      let (old, new) = (Self.item(before, update.path), update.item)
      let place = "\(Self.place(before, update.path)) \(Self.line(new.id))"
      let change = "\(Self.line(old)) -> \(Self.line(new))"
      return console.styled("~ \(place): \(change)", .yellow)
    }
    let sections =
      changeset.insertedSections.map {
        added("\(Self.name(after, $0.index)) \(Self.size($0.section))")
      }
      + changeset.movedSections.map { "> \(Self.name(before, $0.from)) -> \($0.to)" }
    let items =
      changeset.insertedItems.map { added(Self.text($0.item, at: $0.path, after)) }
      + changeset.movedItems.map { move in
        let from = Self.text(Self.item(before, move.from), at: move.from, before, content: false)
        return "> \(from) -> \(Self.place(after, move.to))"
      }
    return deleted + updated + sections + items
  }

  private func removed(_ text: String) -> String { console.styled("- \(text)", .red) }
  private func added(_ text: String) -> String { console.styled("+ \(text)", .green) }
}

// Names and places, made fit for a terminal.
extension ChangesetText {
  private static func line(_ value: some CustomStringConvertible) -> String {
    Printable.line(value.description)
  }

  private static func item(_ sections: Sections, _ path: ItemPath) -> Item {
    sections[path.section].items[path.item]
  }

  /// `section[2] posts`.
  private static func name(_ sections: Sections, _ index: Int) -> String {
    "section[\(index)] \(line(sections[index].id))"
  }

  /// `posts[3]`.
  private static func place(_ sections: Sections, _ path: ItemPath) -> String {
    "\(line(sections[path.section].id))[\(path.item)]"
  }

  /// `(1 item)`.
  private static func size(_ section: SectionModel<ID, Item>) -> String {
    "(\(Printable.counted(section.items.count, "item")))"
  }

  /// `posts[3] p4 ♥ 12`.
  private static func text(
    _ item: Item, at path: ItemPath, _ sections: Sections, content: Bool = true
  ) -> String {
    let words = [place(sections, path), line(item.id)] + (content ? [line(item)] : [])
    return words.filter { !$0.isEmpty }.joined(separator: " ")
  }
}

// The same as data.
extension ChangesetText {
  /// An array of changesets, each with those of its lists that are not empty.
  static func json(_ changesets: [Changeset<ID, Item>], from sections: Sections) -> JSONValue {
    var before = sections
    return .array(
      changesets.map { changeset in
        defer { before = changeset.finalSections }
        return json(changeset, before)
      })
  }

  private static func json(_ changeset: Changeset<ID, Item>, _ before: Sections) -> JSONValue {
    let after = changeset.finalSections
    let lists: [(String, [JSONValue])] = [
      (
        "deletedSections",
        changeset.deletedSections.map { ["index": number($0), "section": text(before[$0].id)] }
      ),
      (
        "deletedItems",
        changeset.deletedItems.map { json(item(before, $0), at: $0, before) }
      ),
      (
        "updatedItems",
        changeset.updatedItems.map { json($0.item, at: $0.path, before) }
      ),
      (
        "insertedSections",
        changeset.insertedSections.map { insert in
          [
            "index": number(insert.index), "section": text(insert.section.id),
            "items": .array(insert.section.items.map(json)),
          ]
        }
      ),
      (
        "movedSections",
        changeset.movedSections.map { move in
          ["from": number(move.from), "to": number(move.to), "section": text(after[move.to].id)]
        }
      ),
      (
        "insertedItems",
        changeset.insertedItems.map { json($0.item, at: $0.path, after) }
      ),
      (
        "movedItems",
        changeset.movedItems.map { move in
          [
            "from": json(move.from, before), "to": json(move.to, after),
            "id": text(item(before, move.from).id),
          ]
        }
      ),
    ]
    var object = JSONObject()
    for (name, list) in lists where !list.isEmpty { object[name] = .array(list) }
    return .object(object)
  }

  private static func number(_ value: Int) -> JSONValue { .number(JSONNumber(value)) }

  private static func text(_ value: some CustomStringConvertible) -> JSONValue {
    .string(value.description)
  }

  private static func json(_ path: ItemPath, _ sections: Sections) -> JSONValue {
    ["section": text(sections[path.section].id), "index": number(path.item)]
  }

  private static func json(_ item: Item) -> JSONValue {
    ["id": text(item.id), "content": text(item)]
  }

  private static func json(
    _ item: Item, at path: ItemPath, _ sections: Sections
  ) -> JSONValue {
    [
      "section": text(sections[path.section].id), "index": number(path.item),
      "id": text(item.id), "content": text(item),
    ]
  }
}
