// Events over time, and the way from a moment to a position.

/** Bars of the chart, and how long a wait is drawn where waits are cut, in microseconds. */
const [barCount, longestWait] = [160, 2e6];
/** The width of the mark, in bars. */
const cursorWidth = 0.3;
const svg = "http://www.w3.org/2000/svg";

/** The time of each event, in microseconds since the first, with long waits cut or whole. */
class Clock {
  constructor(log) {
    this.whole = Clock.times(log, Infinity);
    this.cut = Clock.times(log, longestWait);
    this.cutsWaits = true;
  }

  static times(log, longest) {
    const times = new Float64Array(log.count);
    for (let index = 1; index < log.count; index += 1) {
      times[index] = times[index - 1] + Math.min(log.times[index] - log.times[index - 1], longest);
    }
    return times;
  }

  get times() {
    return this.cutsWaits ? this.cut : this.whole;
  }

  get length() {
    return this.times.at(-1) ?? 0;
  }

  /** The index of the last event at or before `time`; 0 before the first. */
  indexAt(time) {
    return lastIndex(this.times, (other) => other <= time);
  }
}

class Chart {
  /** The chart of a log; tells `go(seq)` which moment was clicked. */
  constructor(log, clock, go) {
    Object.assign(this, { log, clock });
    this.view = byID("chart");
    this.view.addEventListener("click", (event) => {
      const box = this.view.getBoundingClientRect();
      const time = ((event.clientX - box.left) / box.width) * clock.length;
      if (log.count > 0) go(log.first + clock.indexAt(time));
    });
    this.draw();
  }

  draw() {
    const { log, clock } = this;
    this.view.setAttribute("viewBox", `0 0 ${barCount} 40`);
    const bars = Array.from({ length: barCount }, () => ({ all: 0, failed: 0 }));
    const scale = clock.length > 0 ? barCount / clock.length : 0;
    for (let index = 0; index < log.count; index += 1) {
      const bar = bars[Math.min(barCount - 1, Math.floor(clock.times[index] * scale))];
      bar.all += 1;
      if (log.kind(index) === "failed") bar.failed += 1;
    }
    const most = Math.max(1, ...bars.map((bar) => bar.all));
    // By square roots, so that a few events are seen beside very many.
    const height = (count) => (count === 0 ? 0 : Math.max(1.5, 38 * Math.sqrt(count / most)));
    this.view.replaceChildren();
    bars.forEach((bar, place) => {
      this.rectangle("bar", place + 0.1, 40 - height(bar.all), 0.8, height(bar.all));
      if (bar.failed) this.rectangle("bar failed", place + 0.1, 0, 0.8, 5);
    });
    this.cursor = this.rectangle("cursor", 0, 0, cursorWidth, 40);
    this.describe(most);
  }

  rectangle(className, x, y, width, height) {
    const made = document.createElementNS(svg, "rect");
    made.setAttribute("class", className);
    Object.entries({ x, y, width, height }).forEach(([name, value]) =>
      made.setAttribute(name, value));
    this.view.append(made);
    return made;
  }

  describe(most) {
    const { log, clock } = this;
    if (log.count === 0) return;
    const [start, end] = [timeText(log.times[0]), timeText(log.times[log.count - 1])];
    byID("chart-start").textContent = `${start.slice(0, 19)}Z`;
    byID("chart-end").textContent = `${end.slice(0, 19)}Z`;
    const whole = durationText(clock.whole.at(-1));
    const shown = durationText(clock.length);
    byID("chart-length").textContent = whole === shown ? whole : `${whole}, shown as ${shown}`;
    this.view.setAttribute("aria-label", `Events over time: ${counted(log.count, "event")} in ${whole}, `
      + `at most ${grouped(most)} in one bar`);
  }

  /** Marks the moment of the event with this index. */
  setCurrent(index) {
    const { clock } = this;
    const share = index > 0 && clock.length > 0 ? clock.times[index] / clock.length : 0;
    this.cursor.setAttribute("x", share * (barCount - cursorWidth));
  }
}
