// The events of the page.

/** The text of a part of the page, as it was before it was escaped. */
function partText(script) {
  const text = script.textContent.slice(1);
  if (!text.includes("~")) return text;
  const escaped = { "~0": "~", "~1": "<", "~2": "\r", "~3": "\0" };
  return text.replace(/~[0-3]/g, (sign) => escaped[sign]);
}

const kinds = {
  a: "action", m: "mutation", p: "pending", d: "completed", c: "cancelled", f: "failed",
};

/** The events, by their index from 0; that of an event is its seq less the first one's. */
class Log {
  constructor(about, scripts) {
    this.before = about.before;
    this.last = about.last;
    this.count = about.last - about.before;
    this.parts = [];
    this.firstOfPart = [];
    this.starts = new Uint32Array(this.count);
    this.ends = new Uint32Array(this.count);
    this.kinds = new Uint8Array(this.count);
    this.causes = new Uint32Array(this.count);
    this.times = new Float64Array(this.count);
    this.nameOf = new Uint32Array(this.count);
    this.names = [];
    this.numberOfName = new Map();
    this.filled = 0;
    this.time = 0;
    for (const script of scripts) this.read(partText(script));
    this.roots = this.findRoots();
  }

  get first() {
    return this.before + 1;
  }

  /** The name of the kind of an event. */
  kind(index) {
    return kinds[String.fromCharCode(this.kinds[index])];
  }

  /** What an action or a mutation is called; of other events, their kind. */
  name(index) {
    return this.names[this.nameOf[index]];
  }

  /** The payload of an event as it is in the log; null where the page has it not. */
  payload(index) {
    const text = this.rest(index);
    return text.startsWith("!") ? null : text;
  }

  /** How many bytes a payload has that the page has not. */
  omittedBytes(index) {
    return Number(this.rest(index).slice(1).split(" ")[0]);
  }

  rest(index) {
    let part = this.firstOfPart.length - 1;
    if (this.firstOfPart[part] > index) {
      let low = 0;
      while (low < part) {
        const middle = (low + part + 1) >> 1;
        if (this.firstOfPart[middle] <= index) low = middle;
        else part = middle - 1;
      }
    }
    return this.parts[part].slice(this.starts[index], this.ends[index]);
  }

  /** The index of the last event recorded at or before `time`; -1 before the first. */
  indexAt(time) {
    let [low, high] = [0, this.count];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.times[middle] <= time) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  read(text) {
    this.parts.push(text);
    this.firstOfPart.push(this.filled);
    let place = 0;
    while (place < text.length) {
      const end = text.indexOf("\n", place);
      this.readLine(text, place, end);
      place = end + 1;
    }
  }

  readLine(text, start, end) {
    const index = this.filled;
    const causeEnd = text.indexOf(" ", start + 2);
    const timeEnd = text.indexOf(" ", causeEnd + 1);
    this.kinds[index] = text.charCodeAt(start);
    this.causes[index] = Number(text.slice(start + 2, causeEnd));
    this.time += Number(text.slice(causeEnd + 1, timeEnd));
    this.times[index] = this.time;
    this.starts[index] = timeEnd + 1;
    this.ends[index] = end;
    this.nameOf[index] = this.numberOf(this.readName(text, timeEnd + 1, end, index));
    this.filled += 1;
  }

  readName(text, start, end, index) {
    const kind = this.kind(index);
    if (kind !== "action" && kind !== "mutation") return kind;
    if (text[start] === "!") return text.slice(text.indexOf(" ", start) + 1, end);
    const quote = text.indexOf('"', start);
    const close = text.indexOf('"', quote + 1);
    return quote < 0 || close < 0 || close >= end ? kind : text.slice(quote + 1, close);
  }

  numberOf(name) {
    let number = this.numberOfName.get(name);
    if (number === undefined) {
      number = this.names.push(name) - 1;
      this.numberOfName.set(name, number);
    }
    return number;
  }

  /** For each event the index of the action that it all began with, itself where it has none. */
  findRoots() {
    const roots = new Uint32Array(this.count);
    for (let index = 0; index < this.count; index += 1) {
      const cause = this.causes[index] - this.first;
      roots[index] = cause >= 0 && cause < index ? roots[cause] : index;
    }
    return roots;
  }
}
