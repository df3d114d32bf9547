// The rows of a table that are drawn: those in sight and a few more, each with a mark of what a commit did to it.

import { fill } from "./columns.js";
import { make } from "./dom.js";
import { keyOf } from "./segment.js";

export class Rows {
  /** Draws rows of an entity into an element, at the places that a scroll gives them. */
  constructor(entity, scroll, body) {
    Object.assign(this, { entity, scroll, body });
    this.elements = new Map();
    this.marks = new Map();
  }

  /** Marks rows, by kinds of change with their keys, until they are drawn. */
  mark(kinds) {
    for (const [kind, keys] of Object.entries(kinds)) {
      for (const key of keys) this.marks.set(key, kind);
    }
  }

  clearMarks() {
    this.marks.clear();
  }

  /** Draws the rows of a segment in sight, with the active cell and the key of the selected row. */
  draw(segment, active, selected) {
    const { scroll } = this;
    const first = Math.max(scroll.first - 8, 0);
    const last = Math.min(scroll.first + scroll.visible + 8, segment.count);
    const kept = new Map();
    for (let index = first; index < last; index++) {
      const row = segment.row(index);
      const key = row ? keyOf(row) : `waiting ${index}`;
      const element = this.elements.get(key) ?? this.#element();
      this.elements.delete(key);
      kept.set(key, element);
      this.#place(element, index, row, key, active, selected);
    }
    for (const element of this.elements.values()) element.remove();
    this.elements = kept;
  }

  /** Shows a row that has gone for a moment where it was. */
  leave({ index, row }) {
    const element = this.elements.get(keyOf(row));
    if (!element) return;
    this.elements.delete(keyOf(row));
    element.classList.add("gone");
    element.setAttribute("aria-hidden", "true");
    element.style.setProperty("--y", `${this.scroll.offset(index)}px`);
    setTimeout(() => element.remove(), 900);
  }

  /** The reference by which a value is the key of another row. */
  reference(column, row) {
    if (!row || row.v[column] === null || row.c?.includes(column)) return undefined;
    return this.entity.references.find(
      ({ fields, leadsToKey }) => leadsToKey && fields.length === 1 && fields[0] === column,
    );
  }

  #element() {
    const cells = this.entity.fields.map(() => make("div", { class: "cell", role: "gridcell" }));
    const element = make("div", { class: "row", role: "row" }, ...cells);
    this.body.append(element);
    return element;
  }

  #place(element, index, row, key, active, selected) {
    element.style.setProperty("--y", `${this.scroll.offset(index)}px`);
    element.index = index;
    element.setAttribute("aria-rowindex", index + 2);
    element.classList.toggle("even", index % 2 === 1);
    element.classList.toggle("selected", key === selected);
    element.classList.toggle("waiting", !row);
    if (row && element.shown !== row) {
      element.shown = row;
      for (const [column, cell] of [...element.children].entries()) {
        fill(cell, this.entity.fields[column], row.v[column], row.c?.includes(column));
        if (this.reference(column, row)) cell.classList.add("reference");
      }
    }
    for (const [column, cell] of [...element.children].entries()) {
      cell.id = `cell-${index}-${column}`;
      cell.classList.toggle("active", index === active.index && column === active.column);
    }
    const mark = this.marks.get(key);
    if (!mark) return;
    element.classList.remove("added", "changed", "moved");
    void element.offsetWidth;
    element.classList.add(mark);
  }
}
