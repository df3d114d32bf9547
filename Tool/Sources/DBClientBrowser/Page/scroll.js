// The place of a table in rows that may be more than the height of an element can be.

/** Browsers draw nothing beyond some million pixels. */
const tallest = 8_000_000;

export class Scroll {
  /** Follows the scrolling of an element, whose content has the height of another one. */
  constructor(viewport, body, rowHeight, onScroll) {
    Object.assign(this, { viewport, body, rowHeight, onScroll });
    this.count = 0;
    this.top = 0;
    this.last = 0;
    viewport.addEventListener("scroll", () => this.#scrolled(), { passive: true });
  }

  get height() {
    return this.count * this.rowHeight;
  }

  /** The height that is left for rows under the head. */
  get space() {
    return Math.max(this.viewport.clientHeight - this.headHeight, this.rowHeight);
  }

  get isScaled() {
    return this.height > tallest;
  }

  get first() {
    return Math.max(Math.floor(this.top / this.rowHeight), 0);
  }

  get visible() {
    return Math.ceil(this.space / this.rowHeight) + 1;
  }

  /** Tells the number of rows. */
  resize(count) {
    if (count === this.count) return;
    // What was scrolled is told later than it is done, and would be lost.
    this.#read();
    this.count = count;
    this.body.style.height = `${Math.min(this.height, tallest)}px`;
    const end = Math.max(this.height - this.space, 0);
    if (this.isScaled || this.top > end) this.to(Math.min(this.top, end));
  }

  /** Goes to a place in pixels of all rows. */
  to(top) {
    this.top = Math.min(Math.max(top, 0), Math.max(this.height - this.space, 0));
    this.#align();
  }

  /** Shows a row, in the middle where it is far away. */
  reveal(index) {
    const [from, to] = [index * this.rowHeight, (index + 1) * this.rowHeight];
    if (from >= this.top && to <= this.top + this.space) return;
    const isFar = to < this.top - this.space || from > this.top + 2 * this.space;
    if (isFar) this.to(from - this.space / 2);
    else this.to(from < this.top ? from : to - this.space);
  }

  /** Where a row stands in the body. */
  offset(index) {
    return index * this.rowHeight - this.top + this.last;
  }

  #align() {
    const scale = this.isScaled ? (tallest - this.space) / (this.height - this.space) : 1;
    this.viewport.scrollTop = this.top * scale;
    this.last = this.viewport.scrollTop;
  }

  #scrolled() {
    this.#read();
    this.onScroll();
  }

  /** Takes over where the viewport stands. */
  #read() {
    const now = this.viewport.scrollTop;
    const step = now - this.last;
    if (!this.isScaled) {
      this.top = this.last = now;
    } else if (step !== 0) {
      // Small steps are those of a wheel and go row by row; large ones are those of the bar.
      const isSmall = Math.abs(step) < this.space * 2;
      const scale = (this.height - this.space) / (tallest - this.space);
      this.top = Math.min(
        Math.max(isSmall ? this.top + step : now * scale, 0),
        this.height - this.space,
      );
      this.last = now;
      clearTimeout(this.timer);
      this.timer = setTimeout(() => {
        this.#align();
        this.onScroll();
      }, 150);
    }
  }
}
