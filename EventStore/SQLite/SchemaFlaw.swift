import EventStoreCore

/// Something in a file's schema that `Schema.create` does not make.
struct SchemaFlaw: Equatable {
  /// What it forbids, the worst last.
  enum Severity: Comparable {
    /// Nothing: a guard or an index is gone, or something was put beside the store's own.
    case harmless
    /// Writing: a trigger that is not ours could do anything with what is written.
    case writing
    /// Reading too: in the place of a table there may be a view that never ends.
    case reading
  }

  var severity: Severity
  /// The table of the store that cannot be read, where that is so.
  var table: String?
  /// What is off, with the object's name.
  var problem: String
}

extension Schema {
  /// One object of a schema, as `sqlite_schema` lists it.
  struct Object: Equatable {
    var type: String
    var name: String
    /// The table or view that it belongs to.
    var table: String
    /// The text by which it was created.
    var text: String
  }

  /// Every object that `create` makes.
  static let objects: [Object] = statements.map { statement in
    // SQLite keeps the text from CREATE on.
    let text = statement.split(separator: "\n").drop { $0.hasPrefix("--") }
      .joined(separator: "\n")
    let words = text.split { " (\n".contains($0) }.map(String.init)
    let type = words[1] == "UNIQUE" ? "index" : words[1].lowercased()
    let name = words[words[1] == "UNIQUE" ? 3 : 2]
    let owner = type == "index" || type == "trigger" ? words.firstIndex(of: "ON") : nil
    return Object(type: type, name: name, table: owner.map { words[$0 + 1] } ?? name, text: text)
  }

  private static let tables = Set(objects.lazy.filter { $0.type == "table" }.map(\.name))

  /// Whatever is off with the schema, by one query. People may add indexes and views.
  /// - Throws: `EventStoreError.damaged`, what SQLite says.
  static func flaws(of connection: Connection) throws -> [SchemaFlaw] {
    let found = try connection.all("SELECT type, name, tbl_name, sql FROM sqlite_schema") {
      Object(
        type: $0.text(0) ?? "?", name: $0.text(1) ?? "?",
        table: ($0.text(2) ?? "?").lowercased(), text: $0.text(3) ?? "")
    }
    return objects.compactMap { flaw(of: $0, in: found) }
      + (found.compactMap { flaw(of: $0) } + (try computingIndexes(connection)))
      .sorted { $0.problem < $1.problem }
  }

  /// Indexes that compute something of each row that is written, which may take for ever.
  private static func computingIndexes(_ connection: Connection) throws -> [SchemaFlaw] {
    let names = try tables.sorted().flatMap { table in
      try connection.all(
        """
        SELECT name FROM pragma_index_list(?1) AS list WHERE partial
          OR EXISTS (SELECT 1 FROM pragma_index_xinfo(list.name) WHERE cid = -2)
        """, .text(table)
      ) { $0.text(0) ?? "?" }
    }
    return names.map {
      SchemaFlaw(
        severity: .writing,
        problem: "the schema's index \($0) computes something of each row that is written")
    }
  }

  /// Refuses a store whose tables cannot be read.
  /// - Throws: `EventStoreError.damaged`, which names what is off.
  static func requireReadable(_ connection: Connection) throws {
    try require(connection, below: .reading)
  }

  /// Refuses a store that cannot be written without running what is not the store's own.
  /// - Throws: `EventStoreError.damaged`, which names what is off.
  static func requireWritable(_ connection: Connection) throws {
    try require(connection, below: .writing)
  }

  private static func require(
    _ connection: Connection, below severity: SchemaFlaw.Severity
  ) throws {
    let flaw = try flaws(of: connection).first { $0.severity >= severity }
    if let flaw { throw EventStoreError.damaged(path: connection.path, reason: flaw.problem) }
  }

  /// What is off with one of the store's own objects.
  private static func flaw(of expected: Object, in found: [Object]) -> SchemaFlaw? {
    let same = found.filter { $0.type == expected.type && $0.name == expected.name }
    if same.count == 1, same[0] == expected { return nil }
    let isTable = expected.type == "table"
    var problem = "the schema's \(expected.type) \(expected.name) "
    var severity: SchemaFlaw.Severity = isTable ? .reading : .harmless
    if same.isEmpty {
      problem += "is missing"
      let other = found.first { $0.name.lowercased() == expected.name }
      if let other { problem += ": what has its name is a \(other.type)" }
    } else {
      problem += "was changed"
      if expected.type == "trigger" { severity = .writing }
    }
    return SchemaFlaw(
      severity: severity, table: isTable ? expected.name : nil, problem: problem)
  }

  /// What is off with an object that is not one of the store's own, if anything.
  private static func flaw(of stranger: Object) -> SchemaFlaw? {
    let isOurs = objects.contains { $0.type == stranger.type && $0.name == stranger.name }
    guard !isOurs else { return nil }
    switch stranger.type {
    case "index", "view": return nil
    // SQLite makes such tables itself: the statistics of ANALYZE.
    case "table" where stranger.name.hasPrefix("sqlite_"): return nil
    case "trigger" where !tables.contains(stranger.table): return nil
    case let type:
      return SchemaFlaw(
        severity: type == "trigger" ? .writing : .harmless,
        problem: "the schema's \(type) \(stranger.name) does not belong there")
    }
  }
}
