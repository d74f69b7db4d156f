/// Rows under a header, in columns as wide as their longest text.
struct TextTable {
  let header: [String]
  let rows: [[String]]
  let rightAligned: Set<Int>

  func text(for console: Console) -> String {
    let widths = header.indices.map { column in
      ([header] + rows).map { DisplayWidth.of($0[column]) }.max() ?? 0
    }
    let lines = rows.map { line($0, widths) }
    return ([console.styled(line(header, widths), .bold)] + lines).joined(separator: "\n") + "\n"
  }

  private func line(_ cells: [String], _ widths: [Int]) -> String {
    let padded = cells.enumerated().map { column, cell in
      Printable.padded(cell, to: widths[column], right: rightAligned.contains(column))
    }
    let line = padded.joined(separator: "  ")
    return String(line.reversed().drop { $0 == " " }.reversed())
  }
}
