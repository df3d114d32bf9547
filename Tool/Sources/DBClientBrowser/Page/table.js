// A table of rows: scrolled without having them all, sorted, filtered, and changed as others commit.

import { call } from "./api.js";
import { isNumber } from "./columns.js";
import { counted, debounced, grouped, make } from "./dom.js";
import { Heads } from "./heads.js";
import { showPlan } from "./plan.js";
import { Rows } from "./rows.js";
import { Scroll } from "./scroll.js";
import { Segment } from "./segment.js";

const rowHeight = 32;

export class Table {
  /** Shows an entity. `handlers` are `onRow(key, field)`, `onNew()`, `onTable(filter, sort)`, `onFollow(...)`, `onFailure(failure)`. */
  constructor(element, entity, { filter, sort, store }, handlers) {
    const { isReadOnly, followsOthers } = store;
    Object.assign(this, { element, entity, filter, sort, isReadOnly, followsOthers, handlers });
    this.active = { index: 0, column: 0 };
    this.selected = null;
    this.#build();
    this.opened = this.#open(0);
  }

  close() {
    this.opening?.close();
    this.segment?.close();
    this.observer.disconnect();
  }

  focus() {
    this.grid.focus();
  }

  get request() {
    return { entity: this.entity.name, filter: this.filter, sort: this.sort };
  }

  /** Fetches the rows again after an edit, where no commit is told of. */
  showEdit() {
    if (this.live.classList.contains("off")) this.#open(Math.max(this.scroll.first - 8, 0));
  }

  /** Marks the row whose details are shown; null for none. */
  select(key) {
    this.selected = key === null ? null : JSON.stringify(key);
    this.#render();
  }

  /** Goes to the row with a key, which may be far from the rows that are here. */
  async go(key) {
    const text = JSON.stringify(key);
    await this.opened;
    if (!this.segment) return;
    if (this.segment.indexOf(text) < 0) {
      try {
        const { position } = await call("position", { table: this.request, key });
        await this.#open(Math.max(position - 30, 0), position);
      } catch {
        // A row that the filter leaves out is shown beside the table.
        return;
      }
    }
    const index = this.segment.indexOf(text);
    if (index < 0) return;
    this.active.index = index;
    this.scroll.reveal(index);
    this.#render();
  }

  // Parts

  #build() {
    this.filterInput = make("input", {
      class: "filter",
      type: "text",
      spellcheck: "false",
      autocomplete: "off",
      autocapitalize: "off",
      value: this.filter,
      placeholder: this.#example(),
      "aria-label": "Filter",
      "aria-describedby": "filter-message",
      oninput: debounced(300, () => this.#applyFilter()),
      onkeydown: (event) => {
        if (event.key === "Enter") this.#applyFilter();
        if (event.key === "Escape" && this.filterInput.value) {
          event.stopPropagation();
          this.filterInput.value = "";
          this.#applyFilter();
        } else if (event.key === "ArrowDown" || event.key === "Escape") this.focus();
      },
    });
    this.message = make("p", { class: "message", id: "filter-message", "aria-live": "polite" });
    this.live = make("span", { class: "live waiting", role: "status" }, "connecting");
    this.status = make("span", { class: "rows-status" });
    this.heads = new Heads(this.entity, (sort) => this.handlers.onTable(this.filter, sort));
    this.heads.show(this.sort);
    this.body = make("div", { class: "body", role: "rowgroup" });
    this.empty = make("div", { class: "state", hidden: true });
    this.grid = make(
      "div",
      {
        class: "grid",
        id: "grid",
        role: "grid",
        tabindex: "0",
        "aria-label": `Rows of ${this.entity.name}`,
        "aria-colcount": this.entity.fields.length,
        onkeydown: (event) => this.#key(event),
        onclick: (event) => this.#click(event),
        ondblclick: (event) => this.#click(event, true),
      },
      make("div", { role: "rowgroup", class: "head-group" }, this.heads.element),
      this.body,
      this.empty,
    );
    this.element.replaceChildren(
      make(
        "div",
        { class: "bar" },
        make("h2", {}, this.entity.name),
        this.filterInput,
        make("button", { class: "quiet", onclick: () => showPlan(this.request) }, "Plan"),
        this.isReadOnly
          ? null
          : make("button", { class: "main-action", onclick: this.handlers.onNew }, "New row"),
      ),
      this.message,
      this.grid,
      make("div", { class: "foot" }, this.status, make("span", { class: "spacer" }), this.live),
    );
    this.scroll = new Scroll(this.grid, this.body, rowHeight, () => this.#scrolled());
    this.scroll.headHeight = 34;
    this.rows = new Rows(this.entity, this.scroll, this.body);
    this.observer = new ResizeObserver(() => this.#scrolled());
    this.observer.observe(this.grid);
  }

  #example() {
    const fields = this.entity.fields;
    const quoted = (name) => (/^[A-Za-z_]\w*$/.test(name) ? name : `"${name}"`);
    const number = fields.find((field) => isNumber(field) && !this.entity.key.includes(fields.indexOf(field)));
    const text = fields[this.entity.label] ?? fields.find((field) => field.type === "text");
    const parts = [];
    if (number) parts.push(`${quoted(number.name)} > 10`);
    if (text) parts.push(`${quoted(text.name)} begins 'A'`);
    return parts.length > 0 ? `Filter, as in: ${parts.join(" and ")}` : "Filter";
  }

  #applyFilter() {
    const filter = this.filterInput.value.trim();
    if (filter !== this.filter) this.handlers.onTable(filter, this.sort);
  }

  /** Shows the rows of another filter or sort of the same entity. */
  change({ filter, sort }) {
    Object.assign(this, { filter, sort });
    if (this.filterInput.value.trim() !== filter) this.filterInput.value = filter;
    this.heads.show(sort);
    this.#open(0);
  }

  // Rows

  /** Shows rows from a position on, in place of the present ones once they are here. */
  async #open(position, active = 0) {
    this.opening?.close();
    const segment = (this.opening = new Segment(this.request, {
      onChange: (change) => this.segment === segment && this.#changed(change),
      onState: (state, isTriedAgain) => this.segment === segment && this.#showState(state, isTriedAgain),
      onNotes: (notes) => this.#say(notes.join(" ")),
    }));
    this.grid.setAttribute("aria-busy", "true");
    try {
      await segment.load(position);
      if (this.opening !== segment) return;
      this.segment?.close();
      this.segment = segment;
      this.active = { index: active, column: this.active.column };
      this.scroll.resize(segment.count);
      this.scroll.to(position * rowHeight);
      segment.follow();
      this.#changed({});
    } catch (failure) {
      if (failure.name === "AbortError" || this.opening !== segment) return;
      this.#fail(failure);
    }
    this.opening = null;
    this.grid.removeAttribute("aria-busy");
  }

  #fail(failure) {
    this.#say(failure.message, true);
    // What was shown before a filter that is not understood stays.
    if (failure.code === "invalidRequest" && this.segment) return;
    this.#showState(failure);
    this.#clear(make("p", {}, failure.message), make("button", { onclick: () => this.change(this) }, "Try again"));
  }

  #say(text, isFailure = false) {
    this.message.textContent = text;
    this.message.classList.toggle("failure", isFailure);
    this.filterInput.setAttribute("aria-invalid", isFailure);
  }

  #showState(state, isTriedAgain = false) {
    const isFailure = typeof state !== "string";
    if (isFailure) this.handlers.onFailure(state);
    // What is tried again stays failed until it works.
    if (state === "waiting" && this.live.classList.contains("retried")) return;
    this.live.className = `live ${isFailure ? "off" : state}`;
    this.live.classList.toggle("retried", isTriedAgain);
    const failed = isTriedAgain ? "not live, trying again" : "not live";
    this.live.textContent = isFailure ? `${failed}: ${state.message}` : { on: "live", waiting: "connecting" }[state];
    this.live.title = isFailure ? state.message : "What others commit is shown as it is committed.";
    if (state !== "on" || this.followsOthers) return;
    this.live.textContent = "live, this page only";
    this.live.title = "The server keeps no journal, so commits of other programs are not told of. dbclient journal install makes one.";
  }

  #changed({ added = [], changed = [], moved = [], gone = [] }) {
    const segment = this.segment;
    // A table that is gone has no rows.
    if (gone.length > 0 && segment.count === 0) this.handlers.onFailure({ code: "notFound" });
    this.heads.fit(segment.rows, this.grid);
    this.rows.mark({ added, changed, moved });
    for (const ghost of gone.slice(0, 50)) this.rows.leave(ghost);
    this.scroll.resize(segment.count);
    this.#render();
    this.rows.clearMarks();
    for (const key of changed) this.handlers.onChanged(JSON.parse(key));
    for (const { row } of gone) this.handlers.onChanged(row.k);
  }

  #scrolled() {
    this.#render();
    this.segment?.want(this.scroll.first, this.scroll.visible);
  }

  #render() {
    const { segment } = this;
    if (!segment) return;
    this.rows.draw(segment, this.active, this.selected);
    this.grid.setAttribute("aria-rowcount", segment.count + 1);
    this.grid.setAttribute("aria-activedescendant", `cell-${this.active.index}-${this.active.column}`);
    this.#showStatus();
  }

  #showStatus() {
    const { segment, scroll } = this;
    if (segment.isLoading && segment.rows.length === 0) {
      this.status.textContent = "Loading …";
      return;
    }
    if (segment.count === 0) {
      this.status.textContent = "No rows";
      if (segment.table.filter) {
        this.#clear(
          make("p", {}, "No row fulfils the filter."),
          make("button", { onclick: () => this.handlers.onTable("", this.sort) }, "Clear the filter"),
        );
      } else {
        this.#clear(
          make("p", {}, `${this.entity.name} has no rows yet. Those that are committed appear here.`),
        );
      }
      return;
    }
    this.empty.hidden = true;
    const from = scroll.first + 1;
    const to = Math.min(Math.ceil((scroll.top + scroll.space) / rowHeight), segment.count);
    const nouns = segment.table.filter ? ["row fulfils the filter", "rows fulfil the filter"] : ["row", "rows"];
    const all = segment.total === null ? "…" : counted(segment.total, ...nouns);
    this.status.textContent = `${grouped(from)}–${grouped(to)} of ${all}`;
  }

  #clear(...content) {
    this.empty.hidden = false;
    this.empty.replaceChildren(...content);
  }

  // The hand

  #click(event, isDouble = false) {
    const cell = event.target.closest(".cell");
    const element = cell?.parentElement;
    if (!element?.shown || element.classList.contains("gone")) return;
    const column = [...element.children].indexOf(cell);
    this.active = { index: element.index, column };
    const reference = this.rows.reference(column, element.shown);
    if (reference && (event.ctrlKey || event.metaKey)) {
      this.handlers.onFollow(reference, element.shown, column);
    } else {
      this.handlers.onRow(element.shown.k, isDouble ? this.entity.fields[column].name : null);
    }
    this.#render();
  }

  #key(event) {
    if (event.target !== this.grid || event.altKey) return;
    const page = Math.max(this.scroll.visible - 2, 1);
    const isFast = event.ctrlKey || event.metaKey;
    const last = this.segment.count - 1;
    const { index, column } = this.active;
    const to = (index, column = this.active.column) => {
      event.preventDefault();
      this.active = {
        index: Math.min(Math.max(index, 0), Math.max(last, 0)),
        column: Math.min(Math.max(column, 0), this.entity.fields.length - 1),
      };
      this.scroll.reveal(this.active.index);
      this.heads.reveal(this.active.column);
      this.#scrolled();
    };
    switch (event.key) {
      case "ArrowDown": return to(index + 1);
      case "ArrowUp": return to(index - 1);
      case "ArrowRight": return to(index, column + 1);
      case "ArrowLeft": return to(index, column - 1);
      case "PageDown": return to(index + page);
      case "PageUp": return to(index - page);
      case "Home": return isFast ? to(0, column) : to(index, 0);
      case "End": return isFast ? to(last, column) : to(index, this.entity.fields.length - 1);
      case "Enter":
      case "F2":
      case " ": {
        event.preventDefault();
        const row = this.segment.row(index);
        if (row) this.handlers.onRow(row.k, event.key === "F2" ? this.entity.fields[column].name : null, event.key !== " ");
        return;
      }
      case "Delete": {
        const row = this.segment.row(index);
        if (row && !this.isReadOnly) this.handlers.onDelete(row.k);
        return;
      }
      case "s":
        if (!isFast) this.heads.sortBy(column);
    }
  }
}
