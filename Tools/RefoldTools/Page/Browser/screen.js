// The screen that a state shows, for reactors whose states have one.

class ScreenView {
  /** The screens of the page; without any, there is nothing to show and no tab for it. */
  constructor(about, scripts) {
    this.frame = byID("screen-frame");
    this.isThere = scripts.length > 0;
    if (!this.isThere) return;
    this.timeline = new Timeline(about, scripts);
    byID("tab-screen").hidden = false;
    byID("screen").classList.add("there");
    document.documentElement.classList.add("has-screen");
  }

  /** Shows the screen at a position, in a frame that runs nothing. */
  show(seq) {
    if (!this.isThere) return;
    this.seq = seq;
    this.turn ??= requestAnimationFrame(() => {
      this.turn = undefined;
      const markup = this.timeline.at(this.seq);
      if (markup !== this.frame.srcdoc) this.frame.srcdoc = markup;
    });
  }
}
