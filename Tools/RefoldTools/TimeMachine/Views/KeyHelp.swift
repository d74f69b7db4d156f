/// Every key and what it does: the one list that the help screen and the documentation show.
enum KeyHelp {
  static let sections: [(title: String, keys: [(keys: String, effect: String)])] = [
    (
      "in time, wherever the focus is",
      [
        (". ,", "one event forward, one back"),
        ("> <", "one action forward, one back"),
        (":", "go to a seq, -N from the end, end, or a time"),
        ("] [", "next event that changes the selected field, the one before"),
        ("Space", "play and pause"),
        ("+ -", "play faster, slower: 1x to 100x; idle time is cut to 2 s"),
        ("F", "follow the session as it grows"),
      ]
    ),
    (
      "in the list of events",
      [
        ("j k ↓ ↑", "one event forward, one back"),
        ("l h → ←", "one action forward, one back"),
        ("PgDn PgUp ^D ^U", "a screen forward, back"),
        ("g G Home End", "the first position, the last"),
        ("f", "filter by kinds (action failed), @cause, words; empty: all"),
      ]
    ),
    (
      "in the tabs",
      [
        ("Tab", "from the list to the tab, and back"),
        ("1 2 3", "state, changes, event; 0 for the next tab"),
        ("j k ↓ ↑ PgDn PgUp", "lines down and up"),
        ("l h → ←", "open and close"),
        ("Enter", "open or close; a text on a screen of its own"),
        ("O o c", "open much, little, nothing"),
      ]
    ),
    (
      "finding and comparing",
      [
        ("/", "search the events; with the focus on a tab, what it shows"),
        ("n N", "the next hit, the one before"),
        ("m '", "set or remove a bookmark here; list them"),
        ("v", "mark this end of a range: changes are then shown from here"),
        ("Esc", "forget the mark, the search, what is being looked for"),
      ]
    ),
    (
      "taking along",
      [
        ("e", "export this state to a file, as refold export --at"),
        ("b", "branch: fork a session that shares the past up to here"),
        ("^L", "draw anew"),
        ("^Z", "suspend"),
        ("?", "this help"),
        ("q ^C", "quit"),
      ]
    ),
  ]

  /// The help as lines.
  static var lines: [StyledText] {
    let width = sections.flatMap(\.keys).map(\.keys.count).max() ?? 0
    return sections.flatMap { section in
      [StyledText(section.title, .bold)]
        + section.keys.map {
          StyledText("  " + Printable.padded($0.keys, to: width + 2) + $0.effect)
        } + [StyledText("")]
    }
  }
}
