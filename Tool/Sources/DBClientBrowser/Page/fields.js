// Editors of values, one for each type of a field.

import { isNumber } from "./columns.js";
import { make } from "./dom.js";

let numbers = 0;

/** The editor of one field: its label, its input, and whether its value is another than the stored one. */
export class Editor {
  constructor(entity, index, { isReadOnly, isNew, onInput }) {
    const field = entity.fields[index];
    const isKey = entity.key.includes(index);
    Object.assign(this, { field, isKey, isNew, onInput });
    this.stored = null;
    this.isShown = false;
    this.isFixed = isReadOnly || field.isComputed || (isKey && !isNew);
    this.id = `field-${numbers++}`;
    this.message = make("p", { class: "field-message", id: `${this.id}-message`, "aria-live": "polite" });
    this.input = this.#input();
    this.input.id = this.id;
    this.input.setAttribute("aria-describedby", this.message.id);
    this.input.addEventListener("input", () => this.#edited());
    this.absent = field.isOptional && !this.isFixed ? this.#absentButton() : null;
    this.element = make(
      "div",
      { class: "field" },
      make(
        "div",
        { class: "field-head" },
        make("label", { for: this.id, class: isKey ? "key" : null }, field.name),
        make("span", { class: "type" }, describe(field, isKey, entity, index)),
        this.absent,
      ),
      this.input,
      this.message,
    );
  }

  #input() {
    const { field } = this;
    const common = { spellcheck: "false", autocomplete: "off", readonly: this.isFixed };
    if (field.type === "boolean") {
      const options = ["true", "false"].map((value) => make("option", { value }, value));
      const none = make("option", { value: "" }, field.isOptional ? "null" : "choose …");
      return make("select", { disabled: this.isFixed }, none, ...options);
    }
    if (["text", "json", "data"].includes(field.type)) {
      return make("textarea", { ...common, rows: "1", class: field.type === "text" ? null : "code" });
    }
    return make("input", {
      ...common,
      type: "text",
      inputmode: isNumber(field) ? "decimal" : field.type === "url" ? "url" : null,
      class: isNumber(field) || field.type === "uuid" ? "code" : null,
      placeholder: field.type === "date" ? "2026-11-26T10:00:00Z" : null,
    });
  }

  #absentButton() {
    return make(
      "button",
      {
        class: "absent-button",
        type: "button",
        "aria-pressed": "false",
        title: "Store no value",
        onclick: () => {
          this.#setAbsent(!this.isAbsent);
          this.onInput();
          if (!this.isAbsent) this.input.focus();
        },
      },
      "null",
    );
  }

  /** Shows a stored value, unless another one is being written. */
  show(text, isCut = false) {
    if (this.isChanged && this.stored !== text) {
      this.say("Changed meanwhile by another program.");
      return;
    }
    this.stored = text;
    this.isShown = true;
    if (isCut) this.#cut();
    this.input.value = text ?? "";
    // A text area makes one kind of line end of all.
    this.shown = this.input.value;
    this.#setAbsent(text === null && (this.field.isOptional || !this.isNew));
    if (this.isNew && !this.field.isOptional) this.#setAbsent(false);
    this.say("");
    this.fit();
  }

  #cut() {
    this.input.readOnly = this.isFixed = true;
    this.say("The value is too long to be edited here; this is its beginning.");
  }

  /** Makes a text area as high as its text. */
  fit() {
    if (this.input.localName !== "textarea") return;
    this.input.style.height = "auto";
    this.input.style.height = `${Math.min(this.input.scrollHeight + 2, 320)}px`;
  }

  #setAbsent(isAbsent) {
    this.isAbsent = isAbsent;
    this.absent?.setAttribute("aria-pressed", isAbsent);
    this.element?.classList.toggle("is-absent", isAbsent);
    if (isAbsent && this.input.value !== "") this.input.value = "";
    if ("placeholder" in this.input && this.field.type !== "date") {
      this.input.placeholder = isAbsent ? "null" : this.field.type === "text" ? "empty" : "";
    }
    this.element?.classList.toggle("is-changed", this.isChanged);
  }

  #edited() {
    this.isTouched = true;
    const isText = ["text", "data"].includes(this.field.type);
    this.#setAbsent(this.input.value === "" && this.field.isOptional && (!isText || this.isAbsent));
    this.say("");
    this.fit();
    this.onInput();
  }

  /** The value as text; null for an absent one. */
  get value() {
    if (this.isAbsent) return null;
    if (this.input.value === "" && !["text", "data"].includes(this.field.type)) return null;
    if (this.stored !== null && this.input.value === this.shown) return this.stored;
    const hasOnlyReturns = this.stored?.includes("\r\n") && !/(^|[^\r])\n/.test(this.stored);
    return hasOnlyReturns ? this.input.value.replaceAll("\n", "\r\n") : this.input.value;
  }

  get isChanged() {
    if (this.isFixed || !this.isShown) return false;
    // A required text is empty where nothing is written; a key is not.
    const isEmpty = this.value === null || (this.value === "" && (this.field.isOptional || this.isKey));
    if (this.isNew) return !isEmpty || (this.isTouched && !this.isKey && this.value !== null);
    return this.value !== this.stored;
  }

  /** Shows why a value is refused. */
  say(text, isFailure = false) {
    this.message.textContent = text;
    this.message.classList.toggle("failure", isFailure);
    this.input.setAttribute("aria-invalid", isFailure);
  }
}

function describe(field, isKey, entity, index) {
  const isUnique = entity.indexes.some(
    ({ fields, isUnique }) => isUnique && fields.length === 1 && fields[0] === index,
  );
  const words = [field.type];
  if (isKey) words.push("key");
  else if (isUnique) words.push("unique");
  if (field.isComputed) words.push("computed");
  else if (!field.isOptional && !isKey) words.push("required");
  return words.join(", ");
}
