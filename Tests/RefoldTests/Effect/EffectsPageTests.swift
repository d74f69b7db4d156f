import Foundation
import Testing

@testable import Refold

/// docs/Effects.md says what happens.
@Suite("The page on effects")
struct EffectsPageTests {
  typealias Operator = @Sendable ([Effect<String>], Marbles) -> Effect<String>

  /// What the marbles of a row are applied to, by the row's first cell.
  static let rows: [String: Operator] = [
    "prefix(2)": { sources, _ in sources[0].prefix(2) },
    "scan(0, +)": { sources, _ in
      sources[0].scan(0) { $0 + (Int($1) ?? 0) }.map { "\($0)" }
    },
    "map": { sources, _ in sources[0].map { $0 == "1" ? "a" : "b" } },
    "distinctUntilChanged()": { sources, _ in sources[0].distinctUntilChanged() },
    "startWith(0)": { sources, _ in sources[0].startWith("0") },
    "ignoreElements()": { sources, _ in sources[0].ignoreElements() },
    "concat(a, b)": { sources, _ in .concat(sources) },
    "merge(a, b)": { sources, _ in .merge(sources) },
    "zip(a, b)": { sources, _ in
      .zip(sources[0], sources[1]) { joined[$0 + $1] ?? $0 + $1 }
    },
    "combineLatest(a, b)": { sources, _ in
      .combineLatest(sources[0], sources[1]) { latest[$0 + $1] ?? $0 + $1 }
    },
    "take(until: b)": { sources, _ in sources[0].take(until: sources[1]) },
    "ifEmpty(switchTo: b)": { sources, _ in sources[0].ifEmpty(switchTo: sources[1]) },
    "retry(3)": { sources, _ in
      let attempts = OperatorMemory(sources)
      return Effect.deferred { attempts.lend { $0.removeFirst() } }.retry(3)
    },
    "timeout(4)": { sources, stage in sources[0].timeout(.seconds(4), clock: stage.clock) },
    "delay(2)": { sources, stage in sources[0].delay(.seconds(2), clock: stage.clock) },
    "debounce(3)": { sources, stage in sources[0].debounce(.seconds(3), clock: stage.clock) },
    "throttle(3)": { sources, stage in sources[0].throttle(.seconds(3), clock: stage.clock) },
    "throttle(3, latest: false)": { sources, stage in
      sources[0].throttle(.seconds(3), latest: false, clock: stage.clock)
    },
  ]

  static let joined = ["1x": "α", "2y": "β"]
  static let latest = ["1x": "α", "2x": "β", "2y": "γ"]

  static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  func page() throws -> String {
    let file = Self.root.appendingPathComponent("docs/Effects.md")
    return try String(contentsOf: file, encoding: .utf8).replacing("\\|", with: "¦")
  }

  @Test func its_marbles_are_what_comes_out() async throws {
    var checked: Set<String> = []
    for line in try page().split(separator: "\n") where line.contains("→") {
      let cells = line.split(separator: "|").map { String($0).replacing("¦", with: "|") }
      let name = code(in: String(cells[0])).first ?? ""
      guard let apply = Self.rows[name] else { continue }
      let sides = cells[1].split(separator: "→").map(String.init)
      let stage = Marbles()
      let sources = code(in: sides[0]).map { stage.cold($0).effect }
      let expected = try #require(code(in: sides[1]).first)
      let given = await stage.run(apply(sources, stage), frames: 20)
      #expect(given == Marble.trimmed(expected), "\(name), a row of docs/Effects.md")
      checked.insert(name)
    }
    #expect(checked == Set(Self.rows.keys), "rows of docs/Effects.md are gone")
  }

  @Test func it_names_every_constructor_and_operator() throws {
    let page = try page()
    let folder = Self.root.appendingPathComponent("Sources/Refold/Effect")
    for file in try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    where file.hasPrefix("Effect+") {
      let text = try String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8)
      for declaration in text.matches(of: /public (?:static )?(?:func|var) `?(\w+)/) {
        let name = String(declaration.1)
        if ["callAsFunction", "description"].contains(name) { continue }
        let isNamed = page.contains("`\(name)")
        #expect(isNamed, "\(name), of \(file), is not in docs/Effects.md")
      }
    }
  }

  private func code(in text: String) -> [String] {
    text.split(separator: "`", omittingEmptySubsequences: false).enumerated()
      .filter { !$0.offset.isMultiple(of: 2) }.map { String($0.element) }
  }
}
