// How values look in a table, and how wide their columns are.

import { make } from "./dom.js";

const numbers = /^(u?int\d+|double|float|decimal)$/;

export const isNumber = (field) => numbers.test(field.type);

/** Returns the widths of columns in pixels, by their names and by some rows. */
export function widths(entity, rows) {
  return entity.fields.map((field, index) => {
    let longest = field.name.length + 4;
    for (const row of rows.slice(0, 60)) {
      longest = Math.max(longest, Math.min((shown(field, row.v[index]) ?? "null").length, 44));
    }
    // Keys and numbers grow longer further down.
    const least = isNumber(field) ? 108 : 84;
    return Math.round(Math.min(Math.max(longest * 8.3 + 32, least), 380));
  });
}

/** Returns a value as a table shows it: on one line, a date without what is zero. */
export function shown(field, text) {
  if (text === null) return null;
  if (field.type === "date") {
    return text.replace("T", " ").replace(/\.?0*Z$/, "").replace(/ 00:00:00$/, "");
  }
  return text.length > 0 ? text.replace(/\r\n|[\n\r\u2028\u2029]/g, " ⏎ ") : text;
}

/** Fills the cell of a value. */
export function fill(cell, field, text, isCut) {
  const value = shown(field, text);
  cell.className = `cell${isNumber(field) ? " number" : ""}`;
  if (value === null) {
    cell.classList.add("absent");
    cell.replaceChildren("null");
  } else if (value === "") {
    cell.classList.add("absent");
    cell.replaceChildren("empty");
  } else if (field.type === "boolean") {
    cell.replaceChildren(make("span", { class: `truth ${value}` }, value));
  } else {
    if (["json", "data", "uuid"].includes(field.type)) cell.classList.add("code");
    cell.replaceChildren(isCut ? `${value}…` : value);
  }
}
