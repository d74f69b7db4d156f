// What one event was and did, and what is known of the field that was chosen.

/** Characters of a payload or a value that are shown whole. */
const mostShown = 200000;

class StepView {
  /** The view of one event; `go(seq)` jumps, `reveal(path)` shows a field of the state. */
  constructor(log, about, go, reveal) {
    Object.assign(this, { log, about, go, reveal });
  }

  /** Shows the event `seq`, and what changed from `before` to `after`. */
  show(seq, before, after, since) {
    const index = seq - this.log.first;
    byID("step-title").textContent =
      index < 0 ? "Before the first event" : `Event ${grouped(seq)}: ${visible(this.log.name(index))}`;
    byID("step-facts").replaceChildren(...(index < 0 ? [] : this.facts(index)));
    this.showChanges(before, after, since, seq);
    this.showPayload(index);
  }

  facts(index) {
    const { log } = this;
    const cause = log.causes[index];
    const rows = [["kind", log.kind(index)], ["at", timeText(log.times[index])]];
    if (index > 0) {
      rows.push(["after", durationText(log.times[index] - log.times[index - 1])]);
    }
    const facts = rows.flatMap(([name, text]) => [element("dt", "", name), element("dd", "", text)]);
    if (cause > 0) {
      const value = element("dd");
      const isHere = cause >= log.first;
      const name = isHere ? ` ${visible(log.name(cause - log.first))}` : " (not on this page)";
      value.append(isHere
        ? button(`${grouped(cause)}${name}`, "link", () => this.go(cause))
        : `${grouped(cause)}${name}`);
      facts.push(element("dt", "", "cause"), value);
    }
    return facts;
  }

  showChanges(before, after, since, seq) {
    const list = byID("changes");
    const found = before === undefined ? [] : differences(before, after);
    const items = found.slice(0, mostDifferences).map((change) => this.change(change));
    if (found.length > mostDifferences) items.push(element("li", "note", "… and more"));
    if (items.length === 0) items.push(element("li", "note", "It changed nothing."));
    list.replaceChildren(...items);
    byID("changes-title").textContent = since !== null && since < seq - 1
      ? `Changed since ${grouped(since)}` : "Changed";
  }

  change({ path, old, new: fresh }) {
    const item = element("li", "change");
    const sign = old === undefined ? "added" : fresh === undefined ? "removed" : "replaced";
    item.classList.add(sign);
    const name = path.length === 0 ? "(all)" : visible(pointer(path));
    item.append(element("span", "sign", { added: "+", removed: "−", replaced: "~" }[sign]));
    item.append(fresh === undefined
      ? element("span", "path", name) : button(name, "path link", () => this.reveal(path)));
    item.firstChild.title = sign;
    const text = (value) => (value === undefined ? "" : compactJSON(value));
    const [before, after] = aroundDifference(text(old), text(fresh));
    if (old !== undefined) item.append(StepView.side("old", before, "was"));
    if (fresh !== undefined) item.append(StepView.side("new", after, "is"));
    return item;
  }

  static side(className, [before, changed, after], word) {
    const side = element("div", `side ${className}`);
    const mark = element(className === "old" ? "del" : "ins", "", visible(changed));
    side.append(element("span", "unseen", `${word} `), visible(before), mark, visible(after));
    return side;
  }

  showPayload(index) {
    const raw = byID("payload");
    if (index < 0) {
      raw.textContent = "";
      return;
    }
    const payload = this.log.payload(index);
    if (payload === null) {
      const size = byteText(this.log.omittedBytes(index));
      raw.textContent = `${size} that this page has not. See them with:\n`
        + `${this.about.tool} show ${shellWord(this.about.session)} ${this.log.first + index}`;
      return;
    }
    raw.textContent = visible(cut(StepView.pretty(payload), mostShown), true);
    byID("raw").textContent = visible(cut(this.line(index, payload), mostShown));
  }

  /** The event as the line that `log --json` prints. */
  line(index, payload) {
    const { log } = this;
    return `{"seq":${log.first + index},"kind":"${log.kind(index)}","cause":${log.causes[index]},`
      + `"at":"${timeText(log.times[index])}","payload":${payload}}`;
  }

  static pretty(text) {
    try {
      return prettyJSON(JSONReader.parse(text), mostShown);
    } catch {
      return text;
    }
  }
}

/** `text` as a word of a shell's command line. */
function shellWord(text) {
  return /^[\w.@/-]+$/.test(text) ? text : `'${visible(text).replaceAll("'", "'\\''")}'`;
}

/** The field that was chosen: its value whole, who set it, and who will set it next. */
class FieldView {
  constructor(log, timeline, go) {
    Object.assign(this, { log, timeline, go, path: null });
    this.blame = new Blame(timeline);
    byID("field-close").addEventListener("click", () => this.choose(null));
    byID("field-copy").addEventListener("click", () => {
      navigator.clipboard?.writeText(pointer(this.path));
      announce("Copied the pointer.");
    });
  }

  /** Chooses a field, or none. */
  choose(path) {
    this.path = path;
    byID("field").hidden = path === null;
    if (path) this.show(this.seq, this.value);
  }

  /** Shows what is known of the field at a position. */
  async show(seq, value) {
    [this.seq, this.value] = [seq, value];
    if (this.path === null) return;
    const field = valueAt(value, this.path);
    byID("field-pointer").textContent = visible(pointer(this.path)) || "(the whole state)";
    const text = typeof field === "string" ? field : prettyJSON(field ?? null, mostShown);
    byID("field-value").textContent =
      field === undefined ? "(not there)" : visible(cut(text, mostShown), true);
    byID("field-value").classList.toggle("text", typeof field === "string");
    await this.showBlame(seq);
  }

  async showBlame(seq) {
    const [before, after] = [byID("field-last"), byID("field-next")];
    for (const place of [before, after]) place.replaceChildren("…");
    const last = await this.blame.lastChange(this.path, seq);
    if (last === undefined) return;
    before.replaceChildren(...this.answer(last, "Set by", "So since before this page's first event."));
    const next = await this.blame.nextChange(this.path, seq);
    if (next === undefined) return;
    after.replaceChildren(...this.answer(next, "Next changed by", "It does not change later."));
  }

  answer(seq, words, otherwise) {
    if (seq === null) return [otherwise];
    const index = seq - this.log.first;
    const { stride } = this.timeline;
    const range = stride > 1 && seq < this.log.last
      ? ` (or one of the ${stride - 1} before it)` : "";
    const name = `${grouped(seq)} ${visible(this.log.name(index))}`;
    return [`${words} `, button(name, "link", () => this.go(seq)), range];
  }
}
