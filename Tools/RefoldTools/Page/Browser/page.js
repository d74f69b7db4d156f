// The page: one position, and everything that shows it.

/** Tells a screen reader. */
function announce(text) {
  byID("announcement").textContent = text;
}

class Page {
  constructor() {
    const parts = (name) => [...document.querySelectorAll(`script[data-part="${name}"]`)];
    const about = JSON.parse(partText({ textContent: `\n${byID("about").textContent}` }));
    this.about = about;
    this.log = new Log(about, parts("events"));
    this.timeline = new Timeline(about, parts("states"));
    const go = (seq) => this.jump(seq);
    this.clock = new Clock(this.log);
    this.chart = new Chart(this.log, this.clock, go);
    this.events = new EventList(this.log, this.timeline, go);
    this.field = new FieldView(this.log, this.timeline, go);
    this.tree = new StateTree((path) => this.field.choose(path));
    this.step = new StepView(this.log, about, go, (path) => this.revealField(path));
    this.screen = new ScreenView(about, parts("screens"));
    const position = () => this.seq;
    this.player = new Player(this.log, this.clock, position, (seq) => this.go(seq));
    this.search = new Search(this.log, this.tree, { position, state: () => this.state, go });
    for (const script of document.querySelectorAll("script[data-part]")) script.remove();
    this.showAbout();
    this.listen();
    this.go(this.askedPosition() ?? about.position);
  }

  /** The position that the address names. */
  askedPosition() {
    const asked = /(?:^#|&)seq=(\d{1,10})/.exec(location.hash);
    return asked ? Number(asked[1]) : null;
  }

  /** Goes to a position, as one step of many. */
  go(seq) {
    this.show(seq);
    clearTimeout(this.noting);
    // A browser refuses to note every one of very many positions.
    this.noting = setTimeout(() => this.note("replaceState"), 200);
  }

  /** Jumps to a position, so that the back button leads back here. */
  jump(seq) {
    clearTimeout(this.noting);
    this.note("replaceState");
    this.show(seq);
    this.note("pushState");
  }

  note(how) {
    if (this.askedPosition() !== this.seq) window.history[how](null, "", `#seq=${this.seq}`);
  }

  show(asked) {
    const seq = Math.max(this.about.before, Math.min(asked, this.about.last));
    if (seq === this.seq) return;
    this.seq = seq;
    const { timeline } = this;
    const at = timeline.position(seq);
    const since = seq > this.about.before ? timeline.positionBefore(at) : null;
    this.state = timeline.at(at);
    const before = since === null ? undefined : timeline.at(since);
    this.tree.show(this.state, before);
    this.step.show(seq, before, this.state, since);
    this.field.show(at, this.state);
    this.search.refresh();
    this.screen.show(at);
    const index = seq - this.log.first;
    this.events.setCurrent(index);
    this.chart.setCurrent(index);
    this.showPosition(index, at);
  }

  showPosition(index, at) {
    const slider = byID("slider");
    slider.value = this.seq;
    const name = index < 0 ? "before the first event" : visible(this.log.name(index));
    slider.setAttribute("aria-valuetext", `${this.seq}, ${name}`);
    byID("position").value = this.seq;
    byID("state-title").textContent = at === this.seq
      ? `State after ${grouped(at)}` : `State after ${grouped(at)}, the last before that the page has`;
    byID("state-note").hidden = at === this.seq;
    clearTimeout(this.announcing);
    this.announcing = setTimeout(() =>
      announce(`Position ${this.seq} of ${this.about.last}: ${name}`), 400);
  }

  showAbout() {
    const { about, log } = this;
    byID("session").textContent = visible(about.session);
    byID("reactor").textContent = visible(about.reactor);
    const whole = about.before === 0 && about.last === about.end;
    byID("extent").textContent = whole ? counted(about.last, "event")
      : `events ${grouped(about.before + 1)} to ${grouped(about.last)} of ${grouped(about.end)}`;
    byID("digest").textContent = about.digest;
    const slider = byID("slider");
    [slider.min, slider.max] = [about.before, about.last];
    byID("position").min = about.before;
    byID("position").max = about.last;
    byID("position-last").textContent = `of ${grouped(about.last)}`;
    this.showNotice();
    if (log.count === 0) byID("play").disabled = true;
  }

  /** Says what the page has not, and how to get it. */
  showNotice() {
    const { about } = this;
    const name = shellWord(about.session);
    const missing = [];
    if (about.stateStride > 1) {
      missing.push(`a state only after one event in ${grouped(about.stateStride)}`);
    }
    if (about.payloadStride > 1) {
      missing.push(`a payload only of one event in ${grouped(about.payloadStride)}`);
    }
    if (missing.length === 0) return;
    const span = Math.max(1000, Math.floor(this.log.count / about.stateStride / about.payloadStride));
    byID("notice-text").textContent =
      `This session is too long for one page. Every event is here, but ${missing.join(", and ")}. `
      + "Between those you see the last one before. For each step of a stretch:";
    byID("notice-command").textContent = `${about.tool} export ${name} --as html `
      + `--from ${about.before + 1} --to ${Math.min(about.last, about.before + span)} -o part.html`;
    byID("notice").hidden = false;
  }

  /** Goes to the next action, or to the one before; to the end where there is none. */
  goToAction(direction) {
    const { log } = this;
    let index = this.seq - log.first + direction;
    while (index >= 0 && index < log.count && log.kind(index) !== "action") index += direction;
    this.go(log.first + index);
  }

  /** Goes to the next event that changes the chosen field, or to the one before. */
  async goToChange(direction) {
    const { field, seq } = this;
    if (field.path === null) return announce("Choose a field of the state first.");
    const found = direction > 0
      ? await field.blame.nextChange(field.path, seq)
      : await field.blame.lastChange(field.path, Math.max(this.about.before, seq - 1));
    if (found === null) return announce("The field does not change there.");
    return found === undefined ? undefined : this.jump(found);
  }

  revealField(path) {
    this.showPane("state");
    this.tree.reveal(path);
  }

  listen() {
    byID("searching").addEventListener("submit", (event) => event.preventDefault());
    byID("slider").addEventListener("input", (event) => this.go(Number(event.target.value)));
    byID("position").addEventListener("change", (event) => this.jump(Number(event.target.value)));
    byID("first").addEventListener("click", () => this.jump(this.about.before));
    byID("previous").addEventListener("click", () => this.go(this.seq - 1));
    byID("next").addEventListener("click", () => this.go(this.seq + 1));
    byID("last").addEventListener("click", () => this.jump(this.about.last));
    byID("cut-waits").addEventListener("change", (event) => {
      this.clock.cutsWaits = event.target.checked;
      this.chart.draw();
      this.chart.setCurrent(this.seq - this.log.first);
      this.player.mark();
    });
    for (const tab of document.querySelectorAll("[data-shows]")) {
      tab.addEventListener("click", () => this.showPane(tab.dataset.shows));
    }
    window.addEventListener("popstate", () => this.show(this.askedPosition() ?? this.about.position));
    this.keys = new Keys(this);
  }

  /** Shows a pane and gives it the focus. */
  focusPane(name) {
    this.showPane(name);
    document.querySelector(`#${name} [tabindex]`).focus();
  }

  /** Shows one of the panes where there is no room for all. */
  showPane(name) {
    document.documentElement.dataset.pane = name;
    for (const tab of document.querySelectorAll("[data-shows]")) {
      tab.setAttribute("aria-pressed", tab.dataset.shows === name);
    }
    for (const rows of [this.events.rows, this.tree.rows]) rows.show();
  }
}

const page = new Page();
document.documentElement.classList.add("ready");
// For tests: the state as the page has it, as compact JSON, and how long it takes to get there.
window.refold = {
  state: () => compactJSON(page.state),
  position: () => page.seq,
  go: (seq) => page.go(seq),
};
