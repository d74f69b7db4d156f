extension Screen {
  /// The screen as a whole page: no scripts, nothing from the network, light or dark as its reader
  /// has it.
  ///
  /// - Parameter caption: a line below the screen, such as the position that it is of; the page's
  ///   title has it, too.
  /// - Complexity: O(n) for n characters.
  public func htmlPage(caption: String? = nil) -> String {
    let heading = [title, caption].compactMap { $0 }.joined(separator: " – ")
    let footer = caption.map { "<footer class=\"caption\">\(HTMLText.escaped($0))</footer>\n" }
    return """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>\(HTMLText.escaped(heading))</title>
      <style>
      \(ScreenStyle.page)
      \(Self.htmlStyle)
      </style>
      </head>
      <body>
      \(html())\(footer ?? "")</body>
      </html>

      """
  }

  /// The style sheet that `html()` is drawn with, to stand once on a page. All of it is about what
  /// has the class `screen`, and what is in there.
  public static var htmlStyle: String { ScreenStyle.screen }

  /// The screen as an element of a page of your own, which has `htmlStyle`.
  ///
  /// Whatever the screen's texts hold is text there, and never markup.
  ///
  /// - Complexity: O(n) for n characters.
  public func html() -> String {
    let drawing = ScreenHTML()
    let parts =
      [drawing.header(of: self)] + notices.map(drawing.notice)
      + sections.enumerated().map { drawing.section($1, number: $0) }
      + [drawing.buttons(buttons)]
    return "<main class=\"screen\">\n" + parts.joined() + "</main>\n"
  }
}

/// What a screen looks like as HTML. Each function gives elements, a line each.
struct ScreenHTML {
  func header(of screen: Screen) -> String {
    let lines = [
      element("h1", screen.title), optional("p", "subtitle", screen.subtitle),
      optional("p", "account", screen.account),
    ]
    return "<header>\(lines.joined())</header>\n"
  }

  func notice(_ notice: Notice) -> String {
    let role = notice.kind == .error || notice.kind == .question ? "alert" : "status"
    let choices = notice.choices.map { element("span", $0, "choice") }.joined(separator: " ")
    return "<div class=\"notice \(notice.kind.rawValue)\" role=\"\(role)\">"
      + element("p", notice.text) + (choices.isEmpty ? "" : "<p class=\"choices\">\(choices)</p>")
      + "</div>\n"
  }

  func section(_ section: ScreenSection, number: Int) -> String {
    let label = HTMLText.escaped(section.title ?? section.id)
    return "<section class=\"\(section.layout.rawValue)\" aria-label=\"\(label)\">\n"
      + optional("h2", nil, section.title, end: "\n") + cells(of: section, label)
      + optional("p", "more", section.footer, end: "\n") + "</section>\n"
  }

  func buttons(_ buttons: [String]) -> String {
    if buttons.isEmpty { return "" }
    let items = buttons.reversed().map { element("span", $0, "button") }
    return "<div class=\"buttons\">\(items.joined())</div>\n"
  }

  private func cells(of section: ScreenSection, _ label: String) -> String {
    if section.cells.isEmpty { return "" }
    // What is scrolled has to be reached by keyboard as well.
    let focus = section.layout.isScrolled ? " tabindex=\"0\" aria-label=\"\(label)\"" : ""
    let items = section.cells.map { item($0, in: section.layout) }.joined()
    return "<ul\(focus)>\n\(items)</ul>\n"
  }

  private func item(_ cell: Cell, in layout: SectionLayout) -> String {
    if cell.look == .placeholder {
      return "<li class=\"placeholder\"><span>\(HTMLText.escaped(cell.title))</span></li>\n"
    }
    let mark = cell.look == .selected ? " class=\"selected\" aria-current=\"true\"" : ""
    let badge = cell.badge.map { element("span", $0.text, $0.isOn ? "badge on" : "badge") } ?? ""
    if layout.isOfWords {
      return "<li\(mark)>\(element("span", cell.title))\(badge)</li>\n"
    }
    let art = layout.isOfTiles ? self.art(of: cell) : ""
    let lines = cell.lines.map { element("p", $0) }.joined()
    return "<li\(mark)><article>\(art)\(element("h3", cell.title))\(badge)\(lines)</article></li>\n"
  }

  /// What stands for a tile's picture: its symbol on a colour that is the same for the same cell.
  private func art(of cell: Cell) -> String {
    // FNV-1a: ids that differ in a digit get colours that differ.
    let hash = cell.id.utf8.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 }
    let hue = (hash >> 16) % 360
    let symbol = HTMLText.escaped(cell.symbol ?? "")
    return "<div class=\"art\" style=\"--hue:\(hue)\" aria-hidden=\"true\">\(symbol)</div>"
  }

  private func element(_ name: String, _ text: String, _ kind: String? = nil) -> String {
    let attribute = kind.map { " class=\"\($0)\"" } ?? ""
    return "<\(name)\(attribute)>\(HTMLText.escaped(text))</\(name)>"
  }

  private func optional(
    _ name: String, _ kind: String?, _ text: String?, end: String = ""
  ) -> String {
    text.map { element(name, $0, kind) + end } ?? ""
  }
}
