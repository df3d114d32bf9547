// The heads of a table's columns: they sort, and their edges make columns wider.

import { isNumber, widths } from "./columns.js";
import { make } from "./dom.js";

const quote = (name) => `"${name.replaceAll('"', '""')}"`;

export class Heads {
  /** `onSort(sort)` is called with a sort in the form of the command. */
  constructor(entity, onSort) {
    Object.assign(this, { entity, onSort });
    this.element = make("div", { class: "head", role: "row" });
  }

  /** Shows the heads for a sort. */
  show(sort) {
    this.sort = sort;
    const { name, isDescending } = this.#sorting();
    const heads = this.entity.fields.map((field, index) => {
      const isSorted = field.name === name;
      const order = isSorted ? (isDescending ? "descending" : "ascending") : "none";
      return this.#head(field, index, order);
    });
    this.element.replaceChildren(...heads);
  }

  #head(field, index, order) {
    const isKey = this.entity.key.includes(index);
    const mark = { descending: "▼", ascending: "▲", none: "" }[order];
    const words = [field.type, ...(field.isOptional ? ["optional"] : []), ...(isKey ? ["key"] : [])];
    return make(
      "div",
      {
        class: `heading${isNumber(field) ? " number" : ""}`,
        role: "columnheader",
        "aria-sort": order,
        "aria-colindex": index + 1,
      },
      make(
        "button",
        { title: `${field.name}: ${words.join(", ")}`, tabindex: "-1", onclick: () => this.sortBy(index) },
        make("span", { class: `title${isKey ? " key" : ""}` }, field.name),
        make("span", { class: "order", "aria-hidden": "true" }, mark),
      ),
      make("span", { class: "handle", onpointerdown: (event) => this.#drag(event, index) }),
    );
  }

  /** The field that is sorted by first, and in which direction. */
  #sorting() {
    const match = /^"((?:[^"]|"")*)"( desc)?/.exec(this.sort);
    if (match) return { name: match[1].replaceAll('""', '"'), isDescending: match[2] !== undefined };
    const { key, fields } = this.entity;
    return { name: key.length === 1 ? fields[key[0]].name : null, isDescending: false };
  }

  /** Sorts by a column, from the last to the first where it is the one already. */
  sortBy(index) {
    const { key, fields } = this.entity;
    const { name } = fields[index];
    const present = this.#sorting();
    if (present.name !== name || present.isDescending) {
      const isKey = key.length === 1 && key[0] === index;
      return this.onSort(isKey ? "" : quote(name));
    }
    // The key in the same direction, so that an index has the order.
    const keys = key.map((position) => fields[position].name).filter((other) => other !== name);
    return this.onSort([name, ...keys].map((name) => `${quote(name)} desc`).join(", "));
  }

  /** Makes the columns as wide as the values of some rows ask for, the first time. */
  fit(rows, grid) {
    if (this.widths || rows.length === 0) return;
    this.grid = grid;
    this.widths = widths(this.entity, rows);
    this.#showWidths();
  }

  /** Shows a column that is beside the part of the grid that is in sight. */
  reveal(column) {
    if (!this.widths) return;
    const left = this.widths.slice(0, column).reduce((sum, width) => sum + width, 0);
    const right = left + this.widths[column];
    if (left < this.grid.scrollLeft) this.grid.scrollLeft = left;
    else if (right > this.grid.scrollLeft + this.grid.clientWidth) {
      this.grid.scrollLeft = right - this.grid.clientWidth;
    }
  }

  #showWidths() {
    const total = this.widths.reduce((sum, width) => sum + width, 0);
    this.grid.style.setProperty("--columns", this.widths.map((width) => `${width}px`).join(" "));
    this.grid.style.setProperty("--width", `${total}px`);
  }

  #drag(event, index) {
    if (!this.widths) return;
    event.preventDefault();
    event.stopPropagation();
    const from = event.clientX - this.widths[index];
    const move = (event) => {
      this.widths[index] = Math.max(event.clientX - from, 50);
      this.#showWidths();
    };
    const end = () => {
      removeEventListener("pointermove", move);
      removeEventListener("pointerup", end);
    };
    addEventListener("pointermove", move);
    addEventListener("pointerup", end);
  }
}
