import Testing

@Suite("Lengths")
struct LengthTests {
  /// Files that are longer than a file should be, and why.
  static let longFiles: [String: String] = [:]

  @Test func files_have_at_most_400_lines() throws {
    for file in try SourceTree.allFiles() where Self.longFiles[file.path] == nil {
      #expect(
        file.lines.count <= 401, "\(file) has \(file.lines.count) lines. Split it by what it does.")
    }
  }

  @Test func functions_have_at_most_70_lines() throws {
    for file in try SourceTree.allFiles() {
      for (name, length) in functions(of: file) {
        #expect(length <= 70, "\(file): \(name) has \(length) lines. Name its parts.")
      }
    }
  }

  /// The functions of a formatted file: a declaration ends at the brace below it that is indented
  /// as it is. One that has no body has no length.
  private func functions(of file: SourceTree.File) -> [(name: String, length: Int)] {
    file.lines.indices.compactMap { start in
      let line = file.lines[start]
      guard !line.contains("///"), line.hasSuffix("{") || line.hasSuffix("("),
        line.contains("func ") || line.contains("init(")
      else { return nil }
      let closing = line.prefix { $0 == " " } + "}"
      guard let end = file.lines[start...].firstIndex(where: { $0 == closing }) else { return nil }
      let body = file.lines[start..<end]
      let opening = body.firstIndex { $0.hasSuffix("{") } ?? end
      let hasBody = !body[..<opening].contains { $0.isEmpty }
      return hasBody ? (String(line.drop { $0 == " " }), end - start + 1) : nil
    }
  }
}

@Suite("Traps")
struct TrapTests {
  @Test func nothing_forces_a_try_a_cast_or_an_end() throws {
    // Written apart, so that this file passes its own test.
    let forbidden = ["try" + "!", " as" + "! ", "fatal" + "Error("]
    for file in try SourceTree.allFiles() {
      for word in forbidden where file.text.contains(word) {
        let lines = file.lines.indices.filter { file.lines[$0].contains(word) }.map { $0 + 1 }
        Issue.record("\(file), lines \(lines): \(word) can be reached by input")
      }
    }
  }
}
