/// The name of a package of a user's own, kebab (`shopping-list`) or camel case (`ShoppingList`), and
/// what is called after it.
struct PackageName: Sendable, CustomStringConvertible {
  /// As it was given: the package, its folder, its executable.
  let description: String

  /// Reads `text`.
  ///
  /// - Throws: `Failure` with `.usage` that says what is wrong with it.
  init(_ text: String) throws {
    description = text
    if let reason = Self.objection(to: text) {
      throw Failure(
        .usage,
        "\"\(Printable.line(text))\" cannot be the name of a package: \(reason). "
          + "Give one such as shopping-list or ShoppingList.")
    }
  }

  /// Its words: `shopping`, `list`.
  private var words: [Substring] { description.split(separator: "-") }

  /// `ShoppingList`.
  var stem: String { words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined() }

  /// `ShoppingListReactor`.
  var reactorType: String { stem + "Reactor" }

  /// `ShoppingListTests`.
  var testTarget: String { stem + "Tests" }

  /// What Swift code imports: `shopping_list`.
  var module: String { words.joined(separator: "_") }

  /// What sessions are recorded under: `shopping-list`.
  var reactor: String {
    var name = ""
    var previous: Character?
    for character in description {
      if character.isUppercase, let previous, !previous.isUppercase, previous != "-" {
        name.append("-")
      }
      name.append(contentsOf: character.lowercased())
      previous = character
    }
    return name
  }
}

extension PackageName {
  private static let mostCharacters = 50

  private static func objection(to text: String) -> String? {
    let words = text.split(separator: "-", omittingEmptySubsequences: false)
    let isPlain = words.allSatisfy { word in
      !word.isEmpty && word.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
    }
    if !isPlain || text.first?.isLetter != true {
      return "it has to be letters and digits of ASCII, a letter first, words joined by single "
        + "dashes where there are several"
    }
    if text.count > mostCharacters { return "it is longer than \(mostCharacters) characters" }
    if keywords.contains(text) { return "it is a word of the Swift language" }
    if taken.contains(text.lowercased()) {
      return "a module that it would build upon is called that already"
    }
    if text.lowercased().hasSuffix("reactor") {
      return "the reactor in it is called so by itself; leave the ending out"
    }
    return nil
  }

  /// Modules that the package is linked with; `any`, whose reactor would be `AnyReactor`.
  private static let taken: Set<String> = [
    "any", "csqlite", "dispatch", "eventstorecore", "eventstoresqlite", "eventstoretesting",
    "foundation", "glibc", "jsontree", "packagedescription", "refold", "refoldtesting",
    "refoldtools", "samplereactors", "sections", "swift", "synchronization", "testing", "xctest",
  ]

  private static let keywords: Set<String> = [
    "as", "associatedtype", "break", "case", "catch", "class", "continue", "default", "defer",
    "deinit", "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for",
    "func", "guard", "if", "import", "in", "init", "inout", "internal", "is", "let", "nil",
    "operator", "precedencegroup", "private", "protocol", "public", "repeat", "rethrows", "return",
    "self", "static", "struct", "subscript", "super", "switch", "throw", "throws", "true", "try",
    "typealias", "var", "where", "while", "Any", "Self", "main", "test",
  ]
}
