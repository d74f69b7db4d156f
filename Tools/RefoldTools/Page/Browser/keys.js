// The keys: those of the time machine in a terminal.

class Keys {
  /** The keys that act on `page`. */
  constructor(page) {
    this.page = page;
    document.addEventListener("keydown", (event) => this.keyDown(event));
    byID("help-open").addEventListener("click", () => byID("help").showModal());
  }

  keyDown(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || byID("help").open) return;
    const { target, key } = event;
    if (target.closest("input:not([type=range], [type=checkbox]), select")) return;
    // A slider has its own arrows, a button its own space.
    if (target.closest("[type=range]") && key.length > 1) return;
    if (target.closest("button, summary, [type=checkbox]") && key === " ") return;
    const act = this.inTime(key) ?? this.onPage(key, target);
    if (!act) return;
    act();
    event.preventDefault();
  }

  /** What a key that travels does. */
  inTime(key) {
    const { page } = this;
    const step = (by) => () => page.go(page.seq + by);
    const screen = Math.max(1, page.events.rows.page - 1);
    const action = (direction) => () => page.goToAction(direction);
    const acts = {
      ArrowDown: step(1), j: step(1), ".": step(1), ArrowUp: step(-1), k: step(-1), ",": step(-1),
      ArrowRight: action(1), l: action(1), ">": action(1),
      ArrowLeft: action(-1), h: action(-1), "<": action(-1),
      PageDown: step(screen), PageUp: step(-screen),
      Home: () => page.jump(page.about.before), g: () => page.jump(page.about.before),
      End: () => page.jump(page.about.last), G: () => page.jump(page.about.last),
      "]": () => page.goToChange(1), "[": () => page.goToChange(-1),
      " ": () => page.player.toggle(),
      "+": () => page.player.change(1), "=": () => page.player.change(1),
      "-": () => page.player.change(-1),
    };
    return acts[key];
  }

  /** What a key does that moves the focus or shows something. */
  onPage(key, target) {
    const { page } = this;
    const acts = {
      "/": () => page.search.open(target.closest("#state") ? "state" : null),
      n: () => page.search.move(1), N: () => page.search.move(-1),
      f: () => byID("filter").focus(), ":": () => byID("position").select(),
      1: () => page.focusPane("state"), 2: () => page.focusPane("step"),
      3: () => page.focusPane("events"), "?": () => byID("help").showModal(),
    };
    return acts[key];
  }
}
