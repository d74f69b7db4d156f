import EventStoreCore
import Foundation
import JSONTree
import Sections

/// What stands around the data of a page: markup, style sheet and scripts, all of it in the page
/// itself, and the policy by which a browser runs these scripts and nothing else.
struct PageFrame {
  private let title: String
  private let screenStyle: String?

  /// The frame of a page called `title`; `screenStyle` is the style sheet of its screens.
  init(title: String, screenStyle: String?) {
    self.title = title
    self.screenStyle = screenStyle
  }

  /// Up to where the data begins.
  var head: [UInt8] { Array(filled(markup.head).utf8) }

  /// From where the data ends.
  var foot: [UInt8] { Array(filled(markup.foot).utf8) }

  /// The scripts in the order in which they build on one another.
  private static let scripts: [[UInt8]] = [
    PackageResources.json_js, PackageResources.patch_js, PackageResources.difference_js,
    PackageResources.text_js, PackageResources.log_js, PackageResources.timeline_js,
    PackageResources.blame_js, PackageResources.rows_js, PackageResources.events_js,
    PackageResources.tree_js, PackageResources.step_js, PackageResources.chart_js,
    PackageResources.player_js, PackageResources.search_js, PackageResources.screen_js,
    PackageResources.keys_js, PackageResources.page_js,
  ]

  private var script: String {
    let parts = Self.scripts.map { String(decoding: $0, as: UTF8.self) }
    return "\"use strict\";\n(() => {\n" + parts.joined(separator: "\n") + "\n})();\n"
  }

  private static let styles: [[UInt8]] = [
    PackageResources.colors_css, PackageResources.controls_css, PackageResources.panes_css,
    PackageResources.step_css, PackageResources.widths_css,
  ]

  private var style: String {
    Self.styles.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "\n")
  }

  private var markup: (head: Substring, foot: Substring) {
    let page = String(decoding: PackageResources.page_html, as: UTF8.self)
    guard let place = page.range(of: "{{data}}") else { return (page[...], "") }
    return (page[..<place.lowerBound], page[place.upperBound...])
  }

  /// Nothing is loaded from anywhere, sent anywhere, or run but what is here, known by its digest.
  private var policy: String {
    let styles = [style, screenStyle].compactMap { $0 }.map(Self.source(of:)).joined(separator: " ")
    return [
      "default-src 'none'", "script-src \(Self.source(of: script))", "style-src \(styles)",
      "base-uri 'none'", "form-action 'none'",
    ].joined(separator: "; ")
  }

  private func filled(_ markup: Substring) -> String {
    let contents: [(mark: String, text: String)] = [
      ("{{policy}}", policy), ("{{style}}", style), ("{{script}}", script),
      ("{{title}}", HTMLText.escaped(title)),
    ]
    var rest = markup
    var filled = ""
    // In one go, so that no text is looked into that was filled in.
    while let start = rest.range(of: "{{") {
      filled += rest[..<start.lowerBound]
      rest = rest[start.lowerBound...]
      let content = contents.first { rest.hasPrefix($0.mark) }
      filled += content?.text ?? "{{"
      rest = rest.dropFirst(content?.mark.count ?? 2)
    }
    return filled + rest
  }

  private static func source(of text: String) -> String {
    "'sha256-\(Data(SHA256.digest(of: text.utf8).bytes).base64EncodedString())'"
  }
}
