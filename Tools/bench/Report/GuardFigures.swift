import Foundation

/// How many instructions each piece of work took where that was written down, by what it was built
/// with: another compiler or SQLite gives other figures.
package struct GuardFigures: Codable, Equatable {
  /// Instructions an operation, by the name of the work.
  package typealias Counts = [String: Double]

  private var figures: [String: Counts]

  package init(_ figures: [String: Counts] = [:]) { self.figures = figures }

  /// What was built with is the key: "Swift version 6.3 …, x86_64, SQLite 3.40.1".
  package subscript(key: String) -> Counts? {
    get { figures[key] }
    set { figures[key] = newValue }
  }

  package var keys: [String] { figures.keys.sorted() }

  /// What a count is, beside the one written down.
  package enum Outcome: Equatable {
    case same
    /// The change costs something.
    case more
    /// It saves something: the figure is to be renewed, so that this is not lost unnoticed.
    case less
    /// Nothing was written down.
    case new
  }

  /// One count beside the figure.
  package struct Comparison: Equatable {
    package let name: String
    package let count: Double
    package let figure: Double?
    package let outcome: Outcome

    /// One line.
    package var text: String {
      let words = "\(name): \(Figures.count(Int(count))) instructions"
      guard let figure else { return "new     \(words), no figure yet" }
      let percent = (count / figure - 1) * 100
      let change =
        "\(Figures.count(Int(figure))) written down, \(percent < 0 ? "" : "+")"
        + "\(Figures.number(percent, digits: 1)) %"
      switch outcome {
      case .same, .new: return "same    \(words), \(change)"
      case .more: return "MORE    \(words), \(change)"
      case .less: return "less    \(words), \(change)"
      }
    }
  }

  /// Compares `counts` with the figures of `key`, in the order of their names.
  ///
  /// - Parameter tolerance: how much of a figure a count may be off; of the work that is done by
  ///   several threads, whose turns are never the same.
  package func compare(
    _ counts: Counts, key: String, tolerance: Double
  ) -> [Comparison] {
    let known = figures[key] ?? [:]
    return counts.sorted { $0.key < $1.key }.map { name, count in
      let figure = known[name].flatMap { $0 > 0 ? $0 : nil }
      let outcome: Outcome =
        switch figure {
        case nil: .new
        case let figure? where count > figure * (1 + tolerance): .more
        case let figure? where count < figure * (1 - tolerance): .less
        case _?: .same
        }
      return Comparison(name: name, count: count, figure: figure, outcome: outcome)
    }
  }

  /// How they lie in a file: sorted, a line each.
  package func json() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(figures), as: UTF8.self) + "\n"
  }

  /// Those of the file at `path`; none where there is none.
  package init(path: String) throws {
    guard let data = FileManager.default.contents(atPath: path) else {
      self.init()
      return
    }
    do {
      self.init(try JSONDecoder().decode([String: Counts].self, from: data))
    } catch {
      throw BenchError.unreadable(path, reason: "\(error)")
    }
  }
}
