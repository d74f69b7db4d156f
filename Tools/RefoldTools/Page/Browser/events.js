// The list of events.

/** Characters of a payload that a row shows: more than fit. */
const shownOfPayload = 160;

class EventList {
  /** A list of the events of `log` that tells `choose(seq)` of the one that was clicked. */
  constructor(log, timeline, choose) {
    this.log = log;
    this.choose = choose;
    this.changes = new Uint8Array(log.count);
    for (const part of timeline.parts) {
      for (const seq of part.seqs) if (seq > log.before) this.changes[seq - log.first] = 1;
    }
    this.folded = new Set();
    this.isGrouped = true;
    this.filter = "";
    this.current = -1;
    this.view = byID("event-rows");
    this.rows = new Rows(this.view, 30, (row) => this.draw(row));
    this.listen();
    this.fillFilter();
    this.arrange();
  }

  /** Shows the event with this index as the current one. */
  setCurrent(index) {
    this.current = index;
    const row = index < 0 ? -1 : this.rowOf(index);
    if (row >= 0) {
      this.view.setAttribute("aria-activedescendant", `event-${index}`);
      this.rows.reveal(row);
    } else {
      this.view.removeAttribute("aria-activedescendant");
      this.rows.show();
    }
  }

  listen() {
    byID("grouping").addEventListener("change", (event) => {
      this.isGrouped = event.target.checked;
      this.arrange();
    });
    byID("filter").addEventListener("change", (event) => {
      this.filter = event.target.value;
      this.arrange();
    });
    this.view.addEventListener("click", (event) => {
      const row = event.target.closest("[data-index]");
      if (!row) return;
      const index = Number(row.dataset.index);
      if (event.target.closest(".fold")) this.toggle(index);
      else this.choose(this.log.first + index);
    });
  }

  /** Folds or unfolds what an action led to. */
  toggle(index) {
    if (!this.folded.delete(index)) this.folded.add(index);
    this.arrange();
  }

  fillFilter() {
    const counts = new Map();
    for (let index = 0; index < this.log.count; index += 1) {
      const kind = this.log.kind(index);
      for (const key of [kind, `${kind} ${this.log.name(index)}`]) {
        counts.set(key, (counts.get(key) ?? 0) + 1);
      }
    }
    const group = (label, kind) => {
      const keys = [...counts.keys()].filter((key) => key.startsWith(`${kind} `));
      const options = keys.sort(compareText)
        .map((key) => [key, key.slice(kind.length + 1), counts.get(key)]);
      return EventList.optionGroup(label, options);
    };
    const groups = [
      EventList.optionGroup("Kinds", Object.values(kinds)
        .filter((kind) => counts.has(kind)).map((kind) => [kind, kind, counts.get(kind)])),
      group("Actions, and what they led to", "action"), group("Mutations", "mutation"),
    ];
    byID("filter").append(...groups.filter((made) => made.children.length > 0));
  }

  static optionGroup(label, options) {
    const made = element("optgroup");
    made.label = label;
    for (const [value, text, count] of options) {
      const option = element("option", "", `${visible(cut(text, 60))} (${grouped(count)})`);
      option.value = value;
      made.append(option);
    }
    return made;
  }

  /** Whether the filter lets an event through; that of an action, whatever it led to, too. */
  isShown(index) {
    if (this.filter === "") return true;
    const [kind, name] = [this.filter.split(" ", 1)[0], this.filter.indexOf(" ")];
    if (name < 0) return this.log.kind(index) === kind;
    const asked = this.filter.slice(name + 1);
    const subject = kind === "action" ? this.log.roots[index] : index;
    return this.log.kind(subject) === kind && this.log.name(subject) === asked;
  }

  /** Puts the events in order: as recorded, or those that one action led to behind it. */
  arrange() {
    const { count, roots } = this.log;
    const order = this.isGrouped ? EventList.groupedOrder(roots) : null;
    const shown = new Uint32Array(count);
    this.rowAt = new Int32Array(count).fill(-1);
    let rows = 0;
    for (let place = 0; place < count; place += 1) {
      const index = order ? order[place] : place;
      const isFolded = order && roots[index] !== index && this.folded.has(roots[index]);
      if (isFolded || !this.isShown(index)) continue;
      shown[rows] = index;
      this.rowAt[index] = rows;
      rows += 1;
    }
    this.order = shown.subarray(0, rows);
    byID("event-count").textContent = rows === count
      ? counted(count, "event") : `${grouped(rows)} of ${counted(count, "event")}`;
    this.rows.setCount(rows);
    if (this.current >= 0) this.setCurrent(this.current);
  }

  /** The events sorted by what they began with, and those of one beginning as recorded. */
  static groupedOrder(roots) {
    const starts = new Uint32Array(roots.length + 1);
    for (const root of roots) starts[root + 1] += 1;
    for (let root = 0; root < roots.length; root += 1) starts[root + 1] += starts[root];
    const order = new Uint32Array(roots.length);
    roots.forEach((root, index) => {
      order[starts[root]] = index;
      starts[root] += 1;
    });
    return order;
  }

  /** The row of an event, or of the action that it is folded into; -1 where neither is shown. */
  rowOf(index) {
    const row = this.rowAt[index];
    return row < 0 && this.isGrouped ? this.rowAt[this.log.roots[index]] : row;
  }

  draw(rowNumber) {
    const { log } = this;
    const index = this.order[rowNumber];
    const kind = log.kind(index);
    const row = element("div", `row event ${kind}`);
    const isRoot = log.roots[index] === index;
    row.id = `event-${index}`;
    row.dataset.index = index;
    row.setAttribute("role", "option");
    row.setAttribute("aria-setsize", this.order.length);
    row.setAttribute("aria-posinset", rowNumber + 1);
    row.setAttribute("aria-selected", index === this.current);
    if (!isRoot) row.classList.add("caused");
    row.append(
      this.foldMark(index, isRoot), element("span", "seq", grouped(log.first + index)),
      element("span", "kind", kind));
    if (log.name(index) !== kind) row.append(element("span", "name", visible(log.name(index))));
    row.append(element("span", "payload", this.payloadText(index)));
    if (this.changes[index]) row.append(element("span", "changed", "changed"));
    return row;
  }

  foldMark(index, isRoot) {
    const mark = element("span", "fold");
    const hasMore = isRoot && this.isGrouped && this.log.roots[index + 1] === index;
    if (!hasMore) {
      mark.classList.remove("fold");
      mark.classList.add("nofold");
      return mark;
    }
    mark.textContent = this.folded.has(index) ? "▸" : "▾";
    mark.title = this.folded.has(index) ? "Unfold what it led to" : "Fold what it led to";
    return mark;
  }

  /** What a payload says beside its name. */
  payloadText(index) {
    const payload = this.log.payload(index);
    if (payload === null) return `(${byteText(this.log.omittedBytes(index))} left out)`;
    const kind = this.log.kind(index);
    const prefix = `{"${this.log.name(index)}":`;
    const isNamed = kind === "action" || kind === "mutation";
    if (isNamed && payload.startsWith(prefix)) {
      return visible(cut(payload.slice(prefix.length, -1), shownOfPayload));
    }
    return payload === `"${this.log.name(index)}"` ? "" : visible(cut(payload, shownOfPayload));
  }
}
