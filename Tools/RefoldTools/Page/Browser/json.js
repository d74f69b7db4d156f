// JSON that loses nothing: a number keeps its digits, since JavaScript's own would round it, and an
// object the order of its members.

/** A number, as its digits. */
class Numeral {
  constructor(text) {
    this.text = text;
  }
}

/** An object: a Map of its members. Whoever made it with this `owner` may change it in place. */
class Members {
  constructor(map, owner = null) {
    this.map = map;
    this.owner = owner;
    this.isSorted = true;
  }

  /** The keys, sorted as the codec sorts them: by code points, which is by bytes of UTF-8. */
  get keys() {
    if (!this.isSorted) {
      this.map = new Map([...this.map].sort((one, other) => compareText(one[0], other[0])));
      this.isSorted = true;
    }
    return [...this.map.keys()];
  }

  get size() {
    return this.map.size;
  }
}

/** An array. Whoever made it with this `owner` may change it in place. */
class Elements {
  constructor(list, owner = null) {
    this.list = list;
    this.owner = owner;
  }

  get size() {
    return this.list.length;
  }
}

/** Less than 0, 0, or more: the order of two texts by code points. */
function compareText(one, other) {
  if (one === other) return 0;
  let place = 0;
  while (place < one.length && one[place] === other[place]) place += 1;
  const [left, right] = [one.codePointAt(place) ?? -1, other.codePointAt(place) ?? -1];
  // Behind half a pair that both have, the halves compare as the pairs do.
  return left - right;
}

/** Reads one JSON value after the other from a text. */
class JSONReader {
  constructor(text, place = 0) {
    this.text = text;
    this.place = place;
  }

  /** The one value that `text` is; throws a SyntaxError where it is something else. */
  static parse(text) {
    const reader = new JSONReader(text);
    const value = reader.value();
    reader.skipSpace();
    if (reader.place < text.length) throw reader.error();
    return value;
  }

  value() {
    this.skipSpace();
    switch (this.text[this.place]) {
      case "{": return this.members();
      case "[": return this.elements();
      case '"': return this.string();
      case "t": return this.word("true", true);
      case "f": return this.word("false", false);
      case "n": return this.word("null", null);
      default: return this.number();
    }
  }

  members() {
    const map = new Map();
    this.place += 1;
    if (this.skips("}")) return new Members(map);
    do {
      this.skipSpace();
      const key = this.string();
      if (!this.skips(":")) throw this.error();
      map.set(key, this.value());
    } while (this.skips(","));
    if (!this.skips("}")) throw this.error();
    return new Members(map);
  }

  elements() {
    const list = [];
    this.place += 1;
    if (this.skips("]")) return new Elements(list);
    do list.push(this.value());
    while (this.skips(","));
    if (!this.skips("]")) throw this.error();
    return new Elements(list);
  }

  string() {
    if (this.text[this.place] !== '"') throw this.error();
    const start = this.place;
    let end = this.text.indexOf('"', start + 1);
    while (end > 0 && this.isEscaped(end)) end = this.text.indexOf('"', end + 1);
    if (end < 0) throw this.error();
    this.place = end + 1;
    const content = this.text.slice(start + 1, end);
    // A text without escapes is what stands there; those of the others are JavaScript's own.
    return content.includes("\\") ? JSON.parse(`"${content}"`) : content;
  }

  isEscaped(quote) {
    let before = quote;
    while (this.text[before - 1] === "\\") before -= 1;
    return (quote - before) % 2 === 1;
  }

  number() {
    const digits = /-?\d+(\.\d+)?([eE][-+]?\d+)?/y;
    digits.lastIndex = this.place;
    const match = digits.exec(this.text);
    if (!match) throw this.error();
    this.place = digits.lastIndex;
    return new Numeral(match[0]);
  }

  word(word, value) {
    if (!this.text.startsWith(word, this.place)) throw this.error();
    this.place += word.length;
    return value;
  }

  skips(sign) {
    this.skipSpace();
    if (this.text[this.place] !== sign) return false;
    this.place += 1;
    return true;
  }

  skipSpace() {
    for (;;) {
      const code = this.text.charCodeAt(this.place);
      if (code !== 0x20 && code !== 0x09 && code !== 0x0a && code !== 0x0d) return;
      this.place += 1;
    }
  }

  error() {
    return new SyntaxError(`no JSON at character ${this.place}`);
  }
}

/** The value as compact JSON, as the codec writes it. */
function compactJSON(value) {
  if (value instanceof Numeral) return value.text;
  if (value instanceof Elements) return `[${value.list.map(compactJSON).join(",")}]`;
  if (value instanceof Members) {
    const members = value.keys.map((key) =>
      `${JSON.stringify(key)}:${compactJSON(value.map.get(key))}`);
    return `{${members.join(",")}}`;
  }
  return JSON.stringify(value);
}

/** The value for people: a line for each member and element, cut off at about `limit` characters. */
function prettyJSON(value, limit, indent = "") {
  const inner = `${indent}  `;
  const lines = [];
  let length = 0;
  const add = (line) => {
    if (length > limit) return false;
    lines.push(inner + line);
    length += line.length;
    return true;
  };
  if (value instanceof Elements && value.size > 0) {
    value.list.every((element) => add(prettyJSON(element, limit - length, inner)));
    return `[\n${lines.join(",\n")}\n${indent}]`;
  }
  if (value instanceof Members && value.size > 0) {
    value.keys.every((key) =>
      add(`${JSON.stringify(key)}: ${prettyJSON(value.map.get(key), limit - length, inner)}`));
    return `{\n${lines.join(",\n")}\n${indent}}`;
  }
  return compactJSON(value);
}

/** Whether two values are the same; shared parts are not looked into. */
function areEqual(one, other) {
  if (one === other) return true;
  if (one instanceof Numeral && other instanceof Numeral) return one.text === other.text;
  if (one instanceof Elements && other instanceof Elements) {
    return one.size === other.size &&
      one.list.every((element, place) => areEqual(element, other.list[place]));
  }
  if (one instanceof Members && other instanceof Members) {
    if (one.size !== other.size) return false;
    for (const [key, value] of one.map) {
      if (!other.map.has(key) || !areEqual(value, other.map.get(key))) return false;
    }
    return true;
  }
  return false;
}
