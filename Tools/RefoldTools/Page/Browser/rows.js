// A list of any length of which only the rows in sight are in the page.

/** The most pixels that a list is high: browsers draw nothing beyond some ten millions. */
const mostPixels = 8e6;
/** Rows beyond either end of what is in sight, so that scrolling shows no gap. */
const rowsBeyond = 6;

/** The rows of the scrolling element `view`, each `rowHeight` pixels high, drawn by `draw(index)`. */
class Rows {
  constructor(view, rowHeight, draw) {
    this.view = view;
    this.rowHeight = rowHeight;
    this.draw = draw;
    this.count = 0;
    this.space = element("div", "space");
    this.space.setAttribute("role", "presentation");
    view.replaceChildren(this.space);
    // Asking the browser for these would have it lay the page out anew.
    [this.scroll, this.viewHeight, this.height] = [0, view.clientHeight, 0];
    view.addEventListener("scroll", () => {
      this.scroll = view.scrollTop;
      this.show();
    }, { passive: true });
    new ResizeObserver(() => this.resize()).observe(view);
  }

  /** The view has another height, or is in sight again. */
  resize() {
    [this.viewHeight, this.scroll] = [this.view.clientHeight, this.view.scrollTop];
    if (this.viewHeight > 0 && this.missed !== undefined) this.reveal(this.missed);
    this.show();
  }

  /** Draws anew, with so many rows. */
  setCount(count) {
    this.count = count;
    this.height = Math.min(count * this.rowHeight, mostPixels);
    this.space.style.height = `${this.height}px`;
    // The browser scrolls back where the end has come nearer.
    this.scroll = Math.max(0, Math.min(this.scroll, this.height - this.viewHeight));
    this.show();
  }

  /** How many rows are in sight. */
  get page() {
    return Math.max(1, Math.floor(this.viewHeight / this.rowHeight));
  }

  /** The row at the top, a fraction where it is partly out of sight. */
  get top() {
    const most = this.height - this.viewHeight;
    if (this.height < mostPixels || most <= 0) return this.scroll / this.rowHeight;
    return (this.scroll / most) * (this.count - this.viewHeight / this.rowHeight);
  }

  set top(row) {
    const most = Math.max(0, this.height - this.viewHeight);
    const scroll = this.height < mostPixels
      ? row * this.rowHeight : (row / (this.count - this.viewHeight / this.rowHeight)) * most;
    this.scroll = Math.max(0, Math.min(scroll, most));
    this.view.scrollTop = this.scroll;
  }

  /** Scrolls as little as it takes to have a row in sight, with a row of room around it. */
  reveal(index) {
    // What is out of sight cannot scroll.
    this.missed = this.viewHeight > 0 ? undefined : index;
    if (this.viewHeight === 0) return;
    const [top, page] = [this.top, this.page];
    if (index < top + 1) this.top = Math.max(0, index - 1);
    else if (index > top + page - 2) this.top = index - page + 2;
    this.show();
  }

  /** Draws what is in sight, in the browser's next frame, however often it is asked until then. */
  show() {
    this.frame ??= requestAnimationFrame(() => {
      this.frame = undefined;
      this.drawInSight();
    });
  }

  drawInSight() {
    const { top } = this;
    const first = Math.max(0, Math.floor(top) - rowsBeyond);
    const end = Math.min(this.count, Math.ceil(top) + this.page + rowsBeyond);
    const drawn = [];
    for (let index = first; index < end; index += 1) {
      const row = this.draw(index);
      const offset = this.scroll + (index - top) * this.rowHeight;
      row.style.transform = `translateY(${Math.round(offset)}px)`;
      drawn.push(row);
    }
    this.space.replaceChildren(...drawn);
  }
}
