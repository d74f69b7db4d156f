// Which event changed a field last, and which will next.

/** How long a search may take at a stretch, in milliseconds, before the page gets its turn. */
const longestStretch = 25;

/** A turn for the page. */
function pause() {
  return new Promise((resume) => {
    setTimeout(resume, 0);
  });
}

class Blame {
  constructor(timeline) {
    this.timeline = timeline;
    this.question = 0;
  }

  /**
   * The seq at or before `seq` at which the value at `path` became what it is at `seq`; null where
   * it was so from the first position of the page. Undefined where another question came in.
   */
  async lastChange(path, seq) {
    return this.find(path, this.timeline.line(seq), -1);
  }

  /** The seq after `seq` at which the value at `path` changes; null where it does not. */
  async nextChange(path, seq) {
    return this.find(path, this.timeline.line(seq) + 1, 1);
  }

  async find(path, start, direction) {
    this.question += 1;
    const question = this.question;
    let stretch = performance.now();
    for (let line = start; line > 0 && line < this.timeline.lineCount; line += direction) {
      if (this.mayChange(line, path) && this.changes(line, path)) return this.timeline.seq(line);
      if (performance.now() - stretch > longestStretch) {
        await pause();
        if (question !== this.question) return undefined;
        stretch = performance.now();
      }
    }
    return null;
  }

  /** Whether the patch on a line names `path`, something in it, or something that it lies in. */
  mayChange(line, path) {
    if (path.length === 0 || this.timeline.isKeyframe(line)) return true;
    const text = this.timeline.lineText(line);
    const start = JSON.stringify(pointer(path.slice(0, 1))).slice(0, -1);
    if (!text.includes(start) && !text.includes('"=",""') && !text.includes('"~",""')) return false;
    return JSONReader.parse(text).list.some(({ list: [operation, place] }) =>
      Blame.touches(operation, tokens(place), path));
  }

  static touches(operation, place, path) {
    const shorter = Math.min(place.length, path.length);
    const same = place.slice(0, shorter).findIndex((token, depth) => token !== path[depth]);
    if (same < 0) return true;
    // An element that is put in or taken out moves those behind it.
    const moves = operation === "+" || operation === "-";
    return moves && same === place.length - 1 && Number(place[same]) < Number(path[same]);
  }

  changes(line, path) {
    const [before, after] = [this.timeline.atLine(line - 1), this.timeline.atLine(line)];
    return !areEqual(valueAt(before, path), valueAt(after, path));
  }
}
