import Foundation
import Testing

/// What people write, and what a file holds, is bound to a statement and never part of its text.
@Suite("SQL")
struct SQLTextTests {
  /// What may stand in the text of a statement: constants of ours.
  static let constants: [String: String] = [
    "values": "question marks", "level": "FULL or NORMAL", "Self.journalBytes": "a number",
    "pages": "a number", "table": "one of the schema's tables", "change": "UPDATE or DELETE",
    "change.lowercased()": "update or delete", "applicationID": "a number", "version": "a number",
    "Self.sessionColumns": "names of columns", "$0": "one of the schema's tables",
    "snapshotRows": "a constant", "Self.snapshotRows": "a constant", "session": "a constant",
    "PageLimits.events": "a number", "SnapshotLimits.ofOtherFolds": "a number",
    "inRange": "a constant",
  ]

  @Test func is_constant_text() throws {
    let words = #/\b(?:SELECT|INSERT|DELETE|UPDATE|PRAGMA|CREATE|DROP|ATTACH|VALUES|VACUUM)\b/#
    var statements = 0
    for file in try SourceTree.files(below: "EventStore/SQLite") {
      for literal in literals(of: file.text) where literal.contains(words) {
        statements += 1
        for value in interpolations(in: literal) where Self.constants[value] == nil {
          Issue.record("\(file): \\(\(value)) stands in the text of a statement: bind it")
        }
      }
    }
    #expect(statements > 60, "\(statements) statements were found: has the folder moved?")
  }

  @Test func goes_to_SQLite_in_one_place() throws {
    for file in try SourceTree.files(below: "EventStore/SQLite")
    where file.path != "EventStore/SQLite/Connection.swift" {
      for call in ["sqlite3_exec", "sqlite3_prepare", "sqlite3_load_extension"] {
        #expect(!file.text.contains("\(call)("), "\(file) calls \(call)")
      }
    }
  }

  @Test func of_another_value_would_be_found() {
    let text = #"try connection.execute("DELETE FROM events WHERE name = '\(name.rawValue)'")"#
    #expect(literals(of: text).flatMap(interpolations) == ["name.rawValue"])
  }

  private func literals(of text: String) -> [Substring] {
    text.matches(of: #/(?s)"{3}(.*?)"{3}|"((?:\\.|[^"\\\n])*)"/#).compactMap {
      $0.output.1 ?? $0.output.2
    }
  }

  private func interpolations(in literal: Substring) -> [String] {
    literal.matches(of: #/\\\(((?:[^()]|\([^()]*\))*)\)/#).map { String($0.output.1) }
  }
}
