// Playing a session: as it was recorded, faster or slower, or so many events a second.

class Player {
  /** A player that asks `position()` where it is, and tells `go(seq)` where to be. */
  constructor(log, clock, position, go) {
    Object.assign(this, { log, clock, position, go, isPlaying: false });
    this.button = byID("play");
    this.speed = byID("speed");
    this.button.addEventListener("click", () => this.toggle());
    this.speed.addEventListener("change", () => this.mark());
    // What was piped in is over in a blink: then by events a second.
    if (clock.length < 3e6) this.speed.value = "5/s";
  }

  toggle() {
    if (this.isPlaying) this.stop();
    else this.start();
  }

  start() {
    if (this.log.count === 0) return;
    if (this.position() >= this.log.last) this.go(this.log.before);
    this.isPlaying = true;
    this.button.textContent = "Pause";
    this.mark();
    requestAnimationFrame(() => this.advance());
  }

  stop() {
    this.isPlaying = false;
    this.button.textContent = "Play";
  }

  /** Plays at the next speed of the list, or at the one before. */
  change(by) {
    const last = this.speed.options.length - 1;
    this.speed.selectedIndex = Math.max(0, Math.min(last, this.speed.selectedIndex + by));
    this.mark();
  }

  /** Counts from here and now: after a start, a jump, or another speed. */
  mark() {
    this.from = this.position();
    this.since = performance.now();
    this.expected = this.from;
  }

  advance() {
    if (!this.isPlaying) return;
    if (this.position() !== this.expected) this.mark();
    const seq = Math.min(this.log.last, this.target(performance.now() - this.since));
    if (seq !== this.expected) {
      this.expected = seq;
      this.go(seq);
    }
    if (seq >= this.log.last) this.stop();
    else requestAnimationFrame(() => this.advance());
  }

  /** The position so many milliseconds after the mark. */
  target(elapsed) {
    const { log, clock, from } = this;
    const speed = Number.parseFloat(this.speed.value);
    if (this.speed.value.endsWith("/s")) return from + Math.floor((elapsed / 1000) * speed);
    const start = from > log.before ? clock.times[from - log.first] : 0;
    return Math.max(from, log.first + clock.indexAt(start + elapsed * 1000 * speed));
  }
}
