// The state as a tree.

/** Arrays with more elements are shown in ranges of so many, and these in ranges of ranges. */
const rangeSize = 100;
/** Containers with at most so many children are open at first, down to `openDepth` levels. */
const [openSize, openDepth] = [25, 2];
/** The most rows that "Open all" gives. */
const mostOpenRows = 200000;

class StateTree {
  /** A tree that tells `select(path)` which field was chosen. */
  constructor(select) {
    this.select = select;
    this.toggled = new Map();
    this.opensAll = false;
    this.lines = [];
    this.active = 0;
    this.selected = null;
    this.hits = new Set();
    this.view = byID("tree-rows");
    this.rows = new Rows(this.view, 26, (row) => this.draw(row));
    this.listen();
  }

  /** Shows `value`; what differs from `before` is marked. */
  show(value, before) {
    [this.value, this.before] = [value, before];
    this.arrange();
  }

  listen() {
    byID("open-all").addEventListener("click", () => this.setAll(true));
    byID("close-all").addEventListener("click", () => this.setAll(false));
    this.view.addEventListener("keydown", (event) => this.keyDown(event));
    this.view.addEventListener("click", (event) => {
      const row = event.target.closest("[data-row]");
      if (!row) return;
      this.active = Number(row.dataset.row);
      const line = this.lines[this.active];
      if (event.target.closest(".fold") || line.range) this.toggle(line);
      else this.choose(line);
    });
  }

  setAll(opens) {
    this.toggled.clear();
    this.opensAll = opens;
    if (!opens) this.toggled.set("", true);
    this.closesAll = !opens;
    this.arrange();
  }

  choose(line) {
    if (line.range) return;
    this.selected = pointer(line.path);
    this.rows.show();
    this.select(line.path);
  }

  /** Opens what `path` lies in, and shows and chooses it. */
  reveal(path, chooses = true) {
    for (let depth = 0; depth < path.length; depth += 1) {
      this.toggled.set(pointer(path.slice(0, depth)), true);
      const parent = valueAt(this.value, path.slice(0, depth));
      if (parent instanceof Elements) this.openRanges(path.slice(0, depth), parent, path[depth]);
    }
    this.arrange();
    const asked = pointer(path);
    const row = this.lines.findIndex((line) => !line.range && pointer(line.path) === asked);
    if (row < 0) return;
    this.setActive(row);
    if (chooses) this.choose(this.lines[row]);
  }

  openRanges(path, array, token) {
    for (let size = rangeSize; size < array.size; size *= rangeSize) {
      const start = Math.floor(Number(token) / size) * size;
      this.toggled.set(`${pointer(path)}#${start}+${size}`, true);
    }
  }

  toggle(line) {
    if (line.isOpen === undefined) return;
    this.toggled.set(line.key, !line.isOpen);
    this.arrange();
  }

  arrange() {
    this.lines = [];
    this.add({ path: [], label: "state", value: this.value, old: this.before, depth: 0 });
    this.active = Math.min(this.active, this.lines.length - 1);
    this.rows.setCount(this.lines.length);
    this.markActive();
  }

  /** Adds the line of a value and, where it is open, those of its parts. */
  add({ path, label, value, old, depth, place = 1, siblings = 1 }) {
    const isContainer = value instanceof Members || value instanceof Elements;
    const key = isContainer ? pointer(path) : "";
    const isOpen = isContainer && value.size > 0 ? this.isOpen(key, value.size, depth) : undefined;
    const isChanged = this.before !== undefined && value !== old && !areEqual(value, old);
    this.lines.push({ path, label, value, depth, key, isOpen, isChanged, place, siblings });
    if (!isOpen) return;
    if (value instanceof Elements) return this.addRange(path, value, old, depth + 1);
    const { keys } = value;
    keys.forEach((name, index) => this.add({
      path: [...path, name], label: name, value: value.map.get(name),
      old: old instanceof Members ? old.map.get(name) : undefined, depth: depth + 1,
      place: index + 1, siblings: keys.length,
    }));
  }

  /** Adds the lines of the elements from `start` on, in ranges where they are many. */
  addRange(path, array, old, depth, start = 0, end = array.size) {
    let size = 1;
    while (size * rangeSize < end - start) size *= rangeSize;
    const siblings = Math.ceil((end - start) / size);
    for (let from = start, place = 1; from < end; from += size, place += 1) {
      const to = Math.min(from + size, end);
      if (size === 1) {
        this.add({
          path: [...path, String(from)], label: String(from), value: array.list[from],
          old: old instanceof Elements ? old.list[from] : undefined, depth, place, siblings,
        });
        continue;
      }
      const key = `${pointer(path)}#${from}+${size}`;
      const isOpen = this.toggled.get(key) ?? this.opensAll;
      this.lines.push({
        path, label: `${grouped(from)} … ${grouped(to - 1)}`, depth, key, isOpen, range: [from, to],
        isChanged: this.before !== undefined && StateTree.differs(array, old, from, to),
        place, siblings,
      });
      if (isOpen) this.addRange(path, array, old, depth + 1, from, to);
    }
  }

  static differs(array, old, from, to) {
    if (!(old instanceof Elements)) return true;
    for (let place = from; place < to; place += 1) {
      if (!areEqual(array.list[place], old.list[place])) return true;
    }
    return false;
  }

  isOpen(key, size, depth) {
    const toggled = this.toggled.get(key);
    if (toggled !== undefined) return toggled;
    if (this.opensAll) return this.lines.length < mostOpenRows;
    return !this.closesAll && (depth === 0 || (depth <= openDepth && size <= openSize));
  }

  keyDown(event) {
    const line = this.lines[this.active];
    if (!line || event.altKey || event.ctrlKey || event.metaKey) return;
    const keys = {
      ArrowDown: () => this.setActive(this.active + 1),
      ArrowUp: () => this.setActive(this.active - 1),
      PageDown: () => this.setActive(this.active + this.rows.page),
      PageUp: () => this.setActive(this.active - this.rows.page),
      Home: () => this.setActive(0),
      End: () => this.setActive(this.lines.length - 1),
      ArrowRight: () => (line.isOpen === false ? this.toggle(line) : this.setActive(this.active + 1)),
      ArrowLeft: () => (line.isOpen ? this.toggle(line) : this.setActive(this.parentRow())),
      Enter: () => (line.range ? this.toggle(line) : this.choose(line)),
    };
    const names = { j: "ArrowDown", k: "ArrowUp", l: "ArrowRight", h: "ArrowLeft" };
    const act = keys[names[event.key] ?? event.key];
    if (!act) return;
    act();
    event.preventDefault();
    event.stopPropagation();
  }

  parentRow() {
    let row = this.active;
    while (row > 0 && this.lines[row].depth >= this.lines[this.active].depth) row -= 1;
    return row;
  }

  setActive(row) {
    this.active = Math.max(0, Math.min(row, this.lines.length - 1));
    this.rows.reveal(this.active);
    this.markActive();
  }

  markActive() {
    this.view.setAttribute("aria-activedescendant", `field-${this.active}`);
    this.rows.show();
  }

  draw(number) {
    const line = this.lines[number];
    const row = element("div", "row field");
    row.id = `field-${number}`;
    row.dataset.row = number;
    row.setAttribute("role", "treeitem");
    row.setAttribute("aria-level", line.depth + 1);
    row.setAttribute("aria-posinset", line.place);
    row.setAttribute("aria-setsize", line.siblings);
    const place = line.range ? null : pointer(line.path);
    row.setAttribute("aria-selected", place !== null && place === this.selected);
    if (line.isOpen !== undefined) row.setAttribute("aria-expanded", line.isOpen);
    if (number === this.active) row.classList.add("active");
    if (line.isChanged) row.classList.add("differs");
    if (place !== null && this.hits.has(place)) row.classList.add("hit");
    row.style.setProperty("--depth", Math.min(line.depth, 30));
    row.append(...StateTree.cells(line));
    return row;
  }

  static cells(line) {
    const mark = element("span", line.isOpen === undefined ? "nofold" : "fold");
    if (line.isOpen !== undefined) mark.textContent = line.isOpen ? "▾" : "▸";
    const cells = [mark, element("span", "key", visible(line.label))];
    if (!line.range) cells.push(StateTree.valueText(line.value, 200));
    if (line.isChanged) cells.push(element("span", "changed", "changed"));
    return cells;
  }

  /** A value in a line, in the colour of its type. */
  static valueText(value, length) {
    const types = new Map([[Numeral, "number"], [Members, "container"], [Elements, "container"]]);
    const type = types.get(value?.constructor) ?? (typeof value === "string" ? "string" : "word");
    return element("span", `value ${type}`, summary(value, length));
  }
}
