import Sections

/// What states look like on their screens: where a page has its pane Screen from.
struct PageScreens<State>: Sendable {
  /// The style sheet in every screen's markup; the page's policy allows no other.
  let style: String
  /// The screen of a state, given also the state before the last action, whose news are old: a whole
  /// document with `style`, to be shown in a frame that runs no scripts.
  let markup: @Sendable (_ state: State, _ earlier: State) throws -> String
}

extension PageScreens {
  /// The screens of states that present one; nil for states that do not.
  init?(of state: State) {
    guard state is any ScreenPresenting else { return nil }
    let style = ":root { color-scheme: light dark; }\nbody { margin: 0; }\n" + Screen.htmlStyle
    self.init(style: style) { state, earlier in
      let screen = (state as? any ScreenPresenting).map { Self.element(of: $0, since: earlier) }
      return "<!DOCTYPE html>\n<meta charset=\"utf-8\">\n<style>\(style)</style>\n\(screen ?? "")"
    }
  }

  /// One screen that cannot be drawn says so, and does not keep the others from being seen.
  private static func element(of state: any ScreenPresenting, since earlier: State) -> String {
    do {
      return try state.screen(sinceAny: earlier).html()
    } catch {
      return "<p>\(HTMLText.escaped("This state has no screen: \(error)"))</p>"
    }
  }
}
