/// What screens look like in a browser.
enum ScreenStyle {
  /// For a page that holds nothing but a screen.
  static let page = """
    :root { color-scheme: light dark; }
    body { margin: 0; background: #f4f4f6; }
    .caption { padding: 0 1rem 2rem; text-align: center; color: #6b6b72;
      font: 0.8rem/1.4 system-ui, sans-serif; overflow-wrap: anywhere; }
    @media (prefers-color-scheme: dark) {
      body { background: #101014; }
      .caption { color: #9a9aa3; }
    }
    """

  /// For a screen, wherever it stands.
  static let screen = """
    .screen { --ink: #1b1b1f; --faint: #66666e; --paper: #f4f4f6; --card: #fff; --line: #e2e2e8;
      --accent: #2a5bd7; --on-accent: #fff; --like: #c81e48; --wrong: #9b1c1c; --wrong-paper: #fdecec;
      --tone: 62%;
      max-width: 60rem; margin: 0 auto; padding: 1.25rem 1rem 2rem; box-sizing: border-box;
      background: var(--paper); color: var(--ink); font: 1rem/1.45 system-ui, sans-serif;
      overflow-wrap: anywhere; }
    @media (prefers-color-scheme: dark) {
      .screen { --ink: #f2f2f5; --faint: #a0a0aa; --paper: #101014; --card: #1c1c22; --line: #33333c;
        --accent: #8fb0ff; --on-accent: #0d1430; --like: #ff7d99; --wrong: #ffb4b4;
        --wrong-paper: #3a1a1d; --tone: 34%; }
    }
    .screen * { box-sizing: border-box; }
    .screen h1, .screen h2, .screen h3, .screen p, .screen ul { margin: 0; padding: 0; }
    .screen ul { list-style: none; }
    .screen header { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 1rem;
      margin-bottom: 1rem; }
    .screen h1 { flex: 1 1 auto; font-size: 1.6rem; line-height: 1.2; }
    .screen .account { font-weight: 600; color: var(--accent); }
    .screen .subtitle { order: 1; flex-basis: 100%; color: var(--faint); }
    .screen section { margin-top: 1.5rem; }
    .screen h2 { margin-bottom: 0.6rem; font-size: 1.15rem; }
    .screen h3 { font-size: 1rem; line-height: 1.3; }
    .screen .more { padding: 0.9rem 0 0; color: var(--faint); text-align: center; }
    .screen .notice { margin: 0.6rem 0; padding: 0.7rem 1rem; border-radius: 0.8rem;
      background: var(--card); border: 1px solid var(--line); }
    .screen .notice.error { background: var(--wrong-paper); color: var(--wrong);
      border-color: transparent; }
    .screen .notice.news { border-left: 0.3rem solid var(--accent); }
    .screen .notice.progress { color: var(--faint); }
    .screen .notice.question { text-align: center; font-weight: 600; }
    .screen .choices { display: flex; justify-content: center; gap: 0.6rem; margin-top: 0.7rem; }
    .screen .choice { padding: 0.45rem 1.1rem; border-radius: 2rem; border: 1px solid var(--accent);
      color: var(--accent); }
    .screen .choice:first-child { background: var(--accent); color: var(--on-accent); }
    .screen .badge { color: var(--faint); font-variant-numeric: tabular-nums; white-space: nowrap; }
    .screen .badge.on { color: var(--like); font-weight: 600; }
    .screen .placeholder { min-height: 4.4rem; border-radius: 0.9rem; background:
      linear-gradient(100deg, var(--line) 30%, var(--card) 50%, var(--line) 70%); }
    .screen .placeholder span { position: absolute; width: 1px; height: 1px; overflow: hidden;
      clip-path: inset(50%); }
    .screen .chips ul { display: flex; flex-wrap: wrap; gap: 0.45rem; }
    .screen .chips li { padding: 0.35rem 0.9rem; border-radius: 2rem; background: var(--card);
      border: 1px solid var(--line); }
    .screen .chips .badge { margin-left: 0.4rem; }
    .screen .chips .placeholder { width: 5rem; min-height: 2.1rem; border-radius: 2rem; }
    .screen .chips .selected { background: var(--accent); color: var(--on-accent);
      border-color: var(--accent); font-weight: 600; }
    .screen .banner ul { display: grid; gap: 0.6rem; }
    .screen .banner article { padding: 1.1rem 1.2rem; border-radius: 1.1rem; color: #fff;
      background: linear-gradient(110deg, #2a4fc4, #7a3fb8); }
    .screen .banner h3 { font-size: 1.2rem; }
    .screen .list ul { display: grid; gap: 0.6rem;
      grid-template-columns: repeat(auto-fill, minmax(min(100%, 19rem), 1fr)); }
    .screen .list article { display: grid; grid-template-columns: 1fr auto; gap: 0.15rem 0.8rem;
      height: 100%; padding: 0.85rem 1rem; border-radius: 0.9rem; background: var(--card);
      border: 1px solid var(--line); align-content: start; }
    .screen .list h3 { grid-column: 1; }
    .screen .list p { grid-column: 1 / -1; color: var(--faint); }
    .screen .list .selected article { border-color: var(--accent); }
    .screen .shelf ul { display: flex; gap: 0.8rem; overflow-x: auto; scroll-snap-type: x proximity;
      margin: 0 -1rem; padding: 0 1rem 0.6rem; }
    .screen .shelf li { flex: 0 0 9.5rem; scroll-snap-align: start; scroll-margin: 1rem; }
    .screen .grid ul { display: grid; gap: 1rem 0.8rem;
      grid-template-columns: repeat(auto-fill, minmax(9rem, 1fr)); }
    .screen .shelf .placeholder, .screen .grid .placeholder { aspect-ratio: 1 / 1.25; }
    .screen .art { display: grid; place-items: center; aspect-ratio: 1; margin-bottom: 0.45rem;
      border-radius: 0.8rem; font-size: 2.2rem; color: #fff; background:
      linear-gradient(135deg, hsl(var(--hue) 50% var(--tone)),
      hsl(calc(var(--hue) + 40) 55% calc(var(--tone) - 14%))); }
    .screen .selected .art { box-shadow: inset 0 0 0 0.25rem var(--accent); }
    .screen .shelf h3, .screen .grid h3 { font-size: 0.95rem; display: -webkit-box;
      -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden; }
    .screen .shelf p, .screen .grid p { font-size: 0.85rem; color: var(--faint); }
    .screen .buttons { position: sticky; bottom: 1rem; display: flex; flex-wrap: wrap;
      justify-content: flex-end; align-items: center; gap: 0.6rem; margin-top: 1.2rem; }
    .screen .button { min-width: 3.2rem; padding: 0.8rem 1.1rem; border-radius: 2rem;
      background: var(--accent); color: var(--on-accent); font-weight: 600; text-align: center;
      box-shadow: 0 0.2rem 0.8rem #0004; }
    """
}
