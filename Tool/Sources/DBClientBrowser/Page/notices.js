// Short messages at the edge of the page, the edits that can be undone, and dialogs.

import { make } from "./dom.js";

const place = () => document.getElementById("notices");

/** Shows a message for some seconds, or until it is closed where it is a failure. */
export function notice(text, { isFailure = false, action = null } = {}) {
  const close = () => element.remove();
  const element = make(
    "div",
    { class: isFailure ? "notice failure" : "notice", role: isFailure ? "alert" : null },
    make("span", {}, text),
    action &&
      make("button", { onclick: () => (close(), action.perform()) }, action.title),
    make("button", { class: "icon", "aria-label": "Close the message", onclick: close }, "×"),
  );
  place().append(element);
  while (place().children.length > 4) place().firstChild.remove();
  let timer = setTimeout(close, isFailure ? 20_000 : 8_000);
  element.addEventListener("pointerenter", () => clearTimeout(timer));
  element.addEventListener("pointerleave", () => (timer = setTimeout(close, 3_000)));
}

/** Shows a dialog with a title. */
export function dialog(title, ...content) {
  const element = make(
    "dialog",
    { class: "dialog", "aria-label": title, onclose: () => element.remove() },
    make(
      "header",
      {},
      make("h2", {}, title),
      make("button", { class: "icon", "aria-label": "Close", onclick: () => element.close() }, "×"),
    ),
    ...content,
  );
  element.addEventListener("click", (event) => {
    if (event.target === element) element.close();
  });
  document.body.append(element);
  element.showModal();
  return element;
}

/** The edits of this page, newest last. */
export class Edits {
  constructor(button, undo) {
    this.list = [];
    this.button = button;
    this.undo = undo;
    button.addEventListener("click", () => this.undoLast());
  }

  /** Takes an edit that was made; its number is absent where it cannot be undone. */
  add(edit, text) {
    if (edit === undefined || edit === null) return notice(text);
    this.list.push({ edit, text });
    this.#show();
    return notice(text, { action: { title: "Undo", perform: () => this.undoEdit(edit) } });
  }

  undoLast() {
    const last = this.list.at(-1);
    if (last) return this.undoEdit(last.edit);
  }

  clear() {
    this.list = [];
    this.#show();
  }

  async undoEdit(edit) {
    if (!this.list.some((other) => other.edit === edit)) return;
    try {
      await this.undo(edit);
      this.list = this.list.filter((other) => other.edit !== edit);
      notice("Undone.");
    } catch (failure) {
      // What cannot be undone would be in the way of what was done before it.
      if (!["unreachable", "busy", "timeout", "connectionLost", "laterEdit"].includes(failure.code)) {
        this.list = this.list.filter((other) => other.edit !== edit);
      }
      notice(failure.message, { isFailure: true });
    }
    this.#show();
  }

  #show() {
    const last = this.list.at(-1);
    this.button.disabled = !last;
    this.button.textContent = this.list.length > 1 ? `Undo (${this.list.length})` : "Undo";
    this.button.title = last ? `Undo: ${last.text} (Ctrl+Z)` : "Undo the last edit (Ctrl+Z)";
  }
}
