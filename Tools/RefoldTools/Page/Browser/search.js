// Search in the events and in the state.

/** The most hits in a state that are looked for. */
const mostHits = 10000;

class Search {
  /** A search in `log` and in the state that `state()` gives. */
  constructor(log, tree, { position, state, go }) {
    Object.assign(this, { log, tree, position, state, go, hits: [], hit: -1, countRun: 0 });
    this.input = byID("search");
    this.scope = byID("search-scope");
    this.input.addEventListener("input", () => this.begin());
    this.scope.addEventListener("change", () => this.begin());
    this.input.addEventListener("keydown", (event) => this.keyDown(event));
    byID("search-next").addEventListener("click", () => this.move(1));
    byID("search-previous").addEventListener("click", () => this.move(-1));
  }

  get needle() {
    return this.input.value.toLowerCase();
  }

  keyDown(event) {
    if (event.key === "Enter") this.move(event.shiftKey ? -1 : 1);
    else if (event.key === "Escape") this.input.blur();
    else return;
    event.preventDefault();
  }

  /** Gives the search the focus, in `scope` where one is named. */
  open(scope) {
    if (scope && scope !== this.scope.value) {
      this.scope.value = scope;
      this.begin();
    }
    this.input.focus();
    this.input.select();
  }

  begin() {
    this.hits = [];
    this.hit = -1;
    this.countRun += 1;
    this.tell("");
    if (this.scope.value === "state") this.findInState();
    else this.tree.hits = new Set();
    this.tree.rows.show();
    if (this.needle !== "" && this.scope.value === "events") this.countEvents(this.countRun);
  }

  /** The state has changed: hits in it are looked for anew. */
  refresh() {
    if (this.scope.value !== "state" || this.needle === "") return;
    const place = this.hits[this.hit];
    this.findInState();
    this.hit = place === undefined ? -1 : this.hits.indexOf(place);
  }

  /** Goes to the next hit, or to the previous one. */
  move(direction) {
    if (this.needle === "") return this.input.focus();
    if (this.scope.value === "events") return this.moveInEvents(direction);
    if (this.hits.length === 0) return this.tell("Not in this state");
    this.hit = this.hit < 0 && direction < 0
      ? this.hits.length - 1 : (this.hit + direction + this.hits.length) % this.hits.length;
    this.tree.reveal(tokens(this.hits[this.hit]));
    return this.tell(`${grouped(this.hit + 1)} of ${grouped(this.hits.length)}`);
  }

  moveInEvents(direction) {
    const { count, first } = this.log;
    const matches = this.matcher();
    let index = this.position() - first;
    for (let looked = 0; looked < count; looked += 1) {
      index = (index + direction + count) % count;
      if (index >= 0 && matches(index)) return this.go(first + index);
    }
    return this.tell("In no event");
  }

  /** Whether an event has the text, as it stands in its payload or as it reads. */
  matcher() {
    const { needle } = this;
    const escaped = JSON.stringify(needle).slice(1, -1);
    return (index) => {
      const text = (this.log.payload(index) ?? this.log.name(index)).toLowerCase();
      return text.includes(needle) || text.includes(escaped) || this.log.kind(index) === needle;
    };
  }

  async countEvents(run) {
    const matches = this.matcher();
    let [found, stretch] = [0, performance.now()];
    for (let index = 0; index < this.log.count; index += 1) {
      if (matches(index)) found += 1;
      if (index % 256 === 0 && performance.now() - stretch > longestStretch) {
        await pause();
        if (run !== this.countRun) return;
        stretch = performance.now();
      }
    }
    this.tell(found === 0 ? "In no event" : `In ${counted(found, "event")}`);
  }

  findInState() {
    this.hits = [];
    if (this.needle !== "") this.look(this.state(), [], this.needle);
    this.tree.hits = new Set(this.hits);
    if (this.needle === "") return;
    this.tell(this.hits.length === 0 ? "Not in this state" : counted(this.hits.length, "hit"));
  }

  look(value, path, needle) {
    if (this.hits.length >= mostHits) return;
    const isContainer = value instanceof Members || value instanceof Elements;
    const text = value instanceof Numeral ? value.text : isContainer ? "" : String(value);
    const name = path.at(-1) ?? "";
    const isNamed = name.toLowerCase().includes(needle) && !/^\d+$/.test(name);
    if (isNamed || text.toLowerCase().includes(needle)) this.hits.push(pointer(path));
    if (value instanceof Members) {
      for (const key of value.keys) this.look(value.map.get(key), [...path, key], needle);
    } else if (value instanceof Elements) {
      value.list.forEach((element, place) => this.look(element, [...path, String(place)], needle));
    }
  }

  tell(text) {
    byID("search-result").textContent = text;
  }
}
