/// Rows of cells, the first one the head.
package struct Table {
  private let rows: [[String]]

  /// The columns of `rows`, which have as many cells each, but those that are empty below the head.
  package init(_ rows: [[String]]) {
    let columns = rows.first?.indices.filter { column in
      column == 0 || rows.dropFirst().contains { !$0[column].isEmpty }
    }
    self.rows = rows.map { row in (columns ?? []).map { row[$0] } }
  }

  /// As people read it on a terminal.
  package var text: String {
    lines(between: "   ").map { "  \($0)\n" }.joined()
  }

  /// As the README has it.
  package var markdown: String {
    guard let head = rows.first else { return "" }
    return ([head, head.map { _ in "---" }] + rows.dropFirst())
      .map { "| " + $0.joined(separator: " | ") + " |\n" }.joined()
  }

  private func lines(between gap: String) -> [String] {
    let widths = (rows.first ?? []).indices.map { column in
      rows.map { $0[column].count }.max() ?? 0
    }
    return rows.map { row in
      let cells = row.indices.map { column in
        row[column] + String(repeating: " ", count: widths[column] - row[column].count)
      }
      let line = cells.joined(separator: gap)
      return String(
        line[..<(line.lastIndex { $0 != " " }.map(line.index(after:)) ?? line.startIndex)])
    }
  }
}
