// The rows of a table that are here: one run of them, which follows what is looked at and what is committed.

import { call } from "./api.js";
import { events } from "./events.js";

const page = 100;
/** The most rows that are kept, which is the most that the server observes. */
const most = 500;
/** How near the end of the rows the view may come before more are fetched. */
const margin = 40;

export const keyOf = (row) => JSON.stringify(row.k);
const placeOf = (row) => ({ k: row.k, s: row.s ?? null });

export class Segment {
  /**
   * Describes the rows of a table.
   *
   * `onChange` is called with the keys that came, changed, moved and went; `onState` with "on", "waiting" or a
   * failure, and with whether it will be tried again.
   */
  constructor(table, { onChange, onState, onNotes }) {
    Object.assign(this, { table, onChange, onState, onNotes });
    this.rows = [];
    this.start = 0;
    this.prior = null;
    this.hasMore = false;
    this.total = null;
    this.isLoading = false;
    this.abort = new AbortController();
  }

  /** Fetches the first rows, or those at a position. */
  async load(position) {
    await this.#load({ position }, (answer) => {
      this.onNotes(answer.notes);
      this.#replace(answer, position);
    });
  }

  /** Begins to follow what is committed. */
  follow() {
    this.#observe();
    this.counting = events.observe({ total: this.table }, ({ count }) => this.#takeCount(count));
  }

  close() {
    this.isClosed = true;
    this.counting?.close();
    this.abort.abort();
    clearTimeout(this.timer);
    this.live?.close();
  }

  /** The number of rows as far as it is known. */
  get count() {
    const known = this.start + this.rows.length;
    return Math.max(this.total ?? known + (this.hasMore ? page : 0), known);
  }

  get end() {
    return this.start + this.rows.length;
  }

  /** The row at a position; undefined where it is not here. */
  row(index) {
    return this.rows[index - this.start];
  }

  /** The position of the row with a key; -1 where it is not here. */
  indexOf(key) {
    const found = this.rows.findIndex((row) => keyOf(row) === key);
    return found < 0 ? -1 : this.start + found;
  }

  /** Fetches what is missing around the rows that are looked at. */
  async want(first, count) {
    this.wanted = { first, count };
    if (this.isLoading) return;
    const { start, end } = this;
    const last = Math.min(first + count, this.count);
    try {
      if (first > end + page || last < start - page) {
        const position = Math.max(Math.min(first, this.count - count) - margin, 0);
        await this.#load({ position, total: this.total }, (answer) => {
          this.#replace(answer, position);
        });
      } else if (this.prior && first - margin < start) {
        await this.#load({ before: this.#first() }, (answer) => this.#prepend(answer));
      } else if (this.hasMore && last + margin > end) {
        await this.#load({ after: placeOf(this.rows.at(-1)) }, (answer) => this.#append(answer));
      } else {
        return;
      }
    } catch (failure) {
      if (failure.name === "AbortError") return;
      this.onState(failure);
      this.#observeSoon();
      return;
    }
    this.#observeSoon();
    if (this.wanted) await this.want(this.wanted.first, this.wanted.count);
  }

  #first() {
    return this.rows.length > 0 ? placeOf(this.rows[0]) : this.prior;
  }

  async #load(where, use) {
    this.isLoading = true;
    // What is observed is not what is here any more, and is observed anew afterwards.
    this.live?.close();
    this.live = null;
    try {
      const answer = await call(
        "rows",
        { table: this.table, limit: page, ...where },
        this.abort.signal,
      );
      if (this.isClosed) return;
      use(answer);
      this.onChange({});
    } finally {
      this.isLoading = false;
    }
  }

  #replace(answer, position) {
    this.rows = answer.rows;
    this.prior = answer.prior ? placeOf(answer.prior) : null;
    this.hasMore = answer.hasMore;
    this.start = this.prior ? position : 0;
    // So many rows have gone meanwhile that there is none at the position.
    if (answer.rows.length === 0 && position > 0) this.total = null;
    else this.#settle();
  }

  #prepend(answer) {
    this.rows = [...answer.rows, ...this.rows];
    this.start -= answer.rows.length;
    this.prior = answer.prior ? placeOf(answer.prior) : null;
    // The positions were counted before others wrote.
    if (!this.prior) this.start = 0;
    else if (this.start < 1) this.start = 1;
    if (this.rows.length > most) {
      this.rows.length = most;
      this.hasMore = true;
    }
  }

  #append(answer) {
    this.rows = [...this.rows, ...answer.rows];
    this.hasMore = answer.hasMore;
    const extra = this.rows.length - most;
    if (extra > 0) {
      this.prior = placeOf(this.rows[extra - 1]);
      this.rows = this.rows.slice(extra);
      this.start += extra;
    }
    this.#settle();
  }

  /** Takes the number of rows and the position of the last one to be the same, where both are known. */
  #settle() {
    if (this.hasMore) return;
    if (!this.prior) this.total = this.rows.length;
    else if (this.total !== null) this.start = Math.max(this.total - this.rows.length, 1);
  }

  // Live

  #observeSoon() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.#observe(), 150);
  }

  #observe() {
    if (this.isClosed || this.isLoading) return;
    this.live?.close();
    const limit = this.hasMore ? this.rows.length : Math.min(this.rows.length + page, most);
    this.limit = Math.max(limit, 1);
    this.onState("waiting");
    this.live = events.observe(
      { rows: { table: this.table, after: this.prior, limit: this.limit } },
      (event) => this.#take(event),
      (state, isTriedAgain) => this.onState(state, isTriedAgain),
    );
  }

  #take(event) {
    this.onState("on");
    if (event.type === "rows") this.#takeRows(event.rows);
    else this.#takeChange(event);
  }

  #takeRows(rows) {
    const former = new Map(this.rows.map((row) => [keyOf(row), row]));
    const present = new Set(rows.map(keyOf));
    const change = { added: [], changed: [], gone: [], moved: [] };
    for (const row of rows) {
      const old = former.get(keyOf(row));
      if (!old) change.added.push(keyOf(row));
      else if (JSON.stringify(old.v) !== JSON.stringify(row.v)) change.changed.push(keyOf(row));
    }
    for (const [index, row] of this.rows.entries()) {
      if (!present.has(keyOf(row))) change.gone.push({ index: this.start + index, row });
    }
    this.#adopt(rows);
    this.onChange(change);
  }

  #takeChange({ deletions, insertions, updates, moves }) {
    const rows = [...this.rows];
    const moved = new Set(moves.map(([from]) => from));
    const gone = deletions
      .filter((index) => !moved.has(index))
      .map((index) => ({ index: this.start + index, row: rows[index] }));
    for (const index of [...deletions].reverse()) rows.splice(index, 1);
    for (const { at, row } of insertions) rows.splice(at, 0, row);
    for (const { at, row } of updates) rows[at] = row;
    const arrivals = new Set(moves.map(([, to]) => to));
    this.#adopt(rows);
    this.onChange({
      gone,
      added: insertions.filter(({ at }) => !arrivals.has(at)).map(({ row }) => keyOf(row)),
      moved: insertions.filter(({ at }) => arrivals.has(at)).map(({ row }) => keyOf(row)),
      changed: updates.map(({ row }) => keyOf(row)),
    });
  }

  #adopt(rows) {
    this.rows = rows;
    // A window that is full may have more after it.
    this.hasMore = rows.length >= this.limit;
    if (!this.hasMore) this.#settle();
  }

  #takeCount(count) {
    this.total = count;
    if (!this.hasMore && this.prior) this.start = Math.max(count - this.rows.length, 1);
    this.onChange({});
  }
}
