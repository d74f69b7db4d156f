// A value at every position: keyframes, and the patches between them.

/** Every so many patches a value is kept, so that a step back does not begin at the keyframe. */
const patchesBetweenKept = 64;
/** The most parts whose values are kept. */
const mostKeptParts = 16;

/** The values of a page's parts called "states" or "screens". */
class Timeline {
  constructor(about, scripts) {
    this.before = about.before;
    this.last = about.last;
    this.stride = about.stateStride;
    this.parts = [];
    this.kept = new Map();
    let lines = 0;
    for (const script of scripts) {
      this.parts.push(Timeline.read(partText(script), lines));
      lines += this.parts.at(-1).seqs.length;
    }
    this.lineCount = lines;
  }

  static read(text, firstLine) {
    const [seqs, starts] = [[], []];
    let place = 0;
    while (place < text.length) {
      const space = text.indexOf(" ", place);
      seqs.push(Number(text.slice(place, space)));
      starts.push(space + 1);
      place = text.indexOf("\n", space) + 1;
    }
    return { text, seqs, starts, firstLine };
  }

  /** The position at or before `seq` that the page has a value of. */
  position(seq) {
    if (seq >= this.last) return this.last;
    return seq - ((seq - this.before) % this.stride);
  }

  /** The position before `seq` that the page has a value of. */
  positionBefore(seq) {
    return this.position(Math.max(this.before, seq - 1));
  }

  /** The value at `seq`, or at the last position before it that the page has one of. */
  at(seq) {
    return this.atLine(this.line(seq));
  }

  /** The seq of the change on a line. */
  seq(line) {
    const part = this.part(line);
    return part.seqs[line - part.firstLine];
  }

  /** The last line of a change at or before `seq`. */
  line(seq) {
    const part = this.parts[lastIndex(this.parts, (part) => part.seqs[0] <= seq)];
    return part.firstLine + lastIndex(part.seqs, (other) => other <= seq);
  }

  /** The text behind the seq on a line: a patch, or the value where a part begins. */
  lineText(line) {
    const part = this.part(line);
    const start = part.starts[line - part.firstLine];
    return part.text.slice(start, part.text.indexOf("\n", start));
  }

  /** Whether a part begins with this line, so that it does not tell what changed. */
  isKeyframe(line) {
    return this.part(line).firstLine === line;
  }

  part(line) {
    return this.parts[lastIndex(this.parts, (part) => part.firstLine <= line)];
  }

  /** The value after the change on a line. */
  atLine(line) {
    const part = this.part(line);
    const kept = this.keptValues(part);
    let from = line - part.firstLine;
    while (from > 0 && !kept.has(from)) from -= 1;
    if (!kept.has(from)) kept.set(from, JSONReader.parse(this.lineText(part.firstLine)));
    let [value, owner] = [kept.get(from), {}];
    for (let place = from + 1; place <= line - part.firstLine; place += 1) {
      const patch = JSONReader.parse(this.lineText(part.firstLine + place));
      value = patched(value, patch, owner);
      if (place % patchesBetweenKept === 0 || place === line - part.firstLine) {
        kept.set(place, value);
        owner = {};
      }
    }
    this.forgetSome(part, kept, line - part.firstLine);
    return value;
  }

  keptValues(part) {
    const kept = this.kept.get(part) ?? new Map();
    this.kept.delete(part);
    this.kept.set(part, kept);
    return kept;
  }

  /** Keeps the latest few values beside those at regular places, and the latest few parts. */
  forgetSome(part, kept, latest) {
    const extra = [...kept.keys()].filter((place) => place % patchesBetweenKept !== 0);
    for (const place of extra.slice(0, -8)) if (place !== latest) kept.delete(place);
    if (this.kept.size > mostKeptParts) this.kept.delete(this.kept.keys().next().value);
  }
}

/** The index of the last element of a list for which `holds`, which it does up to some place. */
function lastIndex(list, holds) {
  let [low, high] = [0, list.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (holds(list[middle])) low = middle;
    else high = middle - 1;
  }
  return low;
}
