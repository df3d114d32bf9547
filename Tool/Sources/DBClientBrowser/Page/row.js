// The panel of one row: its values to edit, what it refers to, and what refers to it.

import { call } from "./api.js";
import { counted, make } from "./dom.js";
import { Editor } from "./fields.js";
import { notice } from "./notices.js";

export class RowPanel {
  /** `handlers` are `onClose()`, `onGo(entity, key)`, `onFilter(entity, filter)`, `onEdit(edit, text)`. */
  constructor(element, handlers) {
    Object.assign(this, { element, handlers });
    element.addEventListener("keydown", (event) => this.#key(event));
  }

  get isOpen() {
    return !this.element.hidden;
  }

  /** Shows the row with a key. */
  async show(entity, key, { field = null, focus = false, isReadOnly }) {
    const isOther = this.entity !== entity || JSON.stringify(this.key) !== JSON.stringify(key);
    if (isOther && !this.#mayLeave()) return false;
    Object.assign(this, { entity, key, isReadOnly });
    if (isOther || this.isNew) {
      this.isNew = false;
      this.#build(`${entity.name} ${key.join(", ")}`);
    }
    await this.refresh();
    if (field) this.editors.find((editor) => editor.field.name === field)?.input.focus();
    else if (focus) this.element.querySelector(".close").focus();
    return true;
  }

  /** Shows an empty row to be inserted. */
  create(entity) {
    if (!this.#mayLeave()) return;
    Object.assign(this, { entity, key: null, isNew: true, isReadOnly: false });
    this.#build(`New ${entity.name}`);
    for (const editor of this.editors) {
      editor.show(null);
      if (editor.field.isComputed) editor.say("Made by the database.");
      else if (this.#isMade(editor)) editor.say("Made by the store where it is left empty.");
    }
    this.#showBar();
    this.editors.find((editor) => !this.#isMade(editor) && !editor.isFixed)?.input.focus();
  }

  close() {
    if (!this.#mayLeave()) return;
    this.#leave();
    this.handlers.onClose();
  }

  #leave() {
    this.element.hidden = true;
    this.entity = this.key = null;
    this.isNew = false;
    this.editors = [];
  }

  /** Reads the row again. */
  async refresh() {
    if (this.isNew || !this.key) return;
    const { entity, key } = this;
    try {
      const answer = await call("row", { entity: entity.name, key });
      if (this.entity !== entity || this.key !== key) return;
      // It was deleted, and is there again.
      if (this.isGone) this.#build(`${entity.name} ${key.join(", ")}`);
      for (const [index, editor] of this.editors.entries()) {
        const value = answer.row.v[index];
        const isNews = this.isShown && editor.stored !== value && !editor.isChanged;
        editor.show(value, answer.row.c?.includes(index));
        if (isNews) flash(editor.element);
      }
      this.isShown = true;
      this.#showReferences(answer);
      this.#showBar();
    } catch (failure) {
      if (this.entity !== entity || this.key !== key) return;
      this.fields.replaceChildren(make("p", { class: "state" }, failure.message));
      this.references.replaceChildren();
      this.editors = [];
      this.isGone = true;
      this.#showBar();
    }
  }

  #build(title) {
    const { entity, isReadOnly } = this;
    this.isShown = false;
    this.isGone = false;
    this.editors = entity.fields.map(
      (_, index) =>
        new Editor(entity, index, {
          isReadOnly,
          isNew: this.isNew,
          onInput: () => this.#showBar(),
        }),
    );
    this.fields = make("div", { class: "fields" }, ...this.editors.map(({ element }) => element));
    this.references = make("div", { class: "references" });
    this.failure = make("p", { class: "field-message failure", role: "alert" });
    this.save = make("button", { class: "main-action", type: "submit" });
    this.discard = make("button", { type: "button", onclick: () => this.#discard() }, "Discard");
    this.bar = make("div", { class: "save-bar", hidden: true }, this.failure, this.discard, this.save);
    this.element.replaceChildren(
      make(
        "form",
        { onsubmit: (event) => (event.preventDefault(), this.#save()) },
        make(
          "header",
          {},
          make("h2", { title }, title),
          this.isNew || isReadOnly
            ? null
            : make("button", { class: "quiet danger", type: "button", onclick: () => this.delete(entity, this.key) }, "Delete"),
          make(
            "button",
            { class: "icon close", type: "button", "aria-label": "Close the row", onclick: () => this.close() },
            "×",
          ),
        ),
        make("div", { class: "panel-body" }, this.fields, this.references),
        this.bar,
      ),
    );
    this.element.hidden = false;
  }

  #isMade(editor) {
    const index = this.entity.fields.indexOf(editor.field);
    return this.entity.makesKeys && this.entity.key.includes(index);
  }

  /** Whether something was written that is not saved. */
  get hasChanges() {
    return (this.editors ?? []).some((editor) => (this.isNew ? editor.isTouched : editor.isChanged));
  }

  get #changed() {
    return this.editors.filter((editor) => editor.isChanged);
  }

  #showBar() {
    const count = this.#changed.length;
    for (const editor of this.editors) editor.element.classList.toggle("is-changed", editor.isChanged);
    this.bar.hidden = !this.isNew && count === 0;
    this.save.textContent = this.isNew ? "Insert" : `Save ${counted(count, "change")}`;
    this.discard.textContent = this.isNew ? "Cancel" : "Discard";
    this.failure.textContent = "";
  }

  #discard() {
    if (this.isNew) {
      this.#leave();
      return this.handlers.onClose();
    }
    for (const editor of this.editors) {
      if (!editor.isChanged) continue;
      const stored = editor.stored;
      editor.stored = editor.value;
      editor.show(stored);
    }
    this.#showBar();
    // What came meanwhile was not shown.
    this.refresh();
  }

  /** Whether nothing that was written is lost by showing something else. */
  #mayLeave() {
    if (!this.isOpen || !this.hasChanges) return true;
    return confirm("Discard what was written and not saved?");
  }

  async #save() {
    const { entity, key } = this;
    const changed = this.#changed;
    if (!this.isNew && changed.length === 0) return;
    const values = Object.fromEntries(changed.map(({ field, value }) => [field.name, value]));
    this.save.disabled = true;
    try {
      if (this.isNew) {
        const { edit, row } = await call("insert", { entity: entity.name, values });
        this.#leave();
        this.handlers.onEdit(edit, `Inserted ${entity.name} ${row.k.join(", ")}.`);
        this.handlers.onGo(entity.name, row.k);
      } else {
        const was = Object.fromEntries(changed.map(({ field, stored }) => [field.name, stored]));
        const { edit } = await call("update", { entity: entity.name, key, set: values, was });
        for (const editor of changed) editor.stored = editor.value;
        const fields = changed.map(({ field }) => field.name).join(", ");
        this.handlers.onEdit(edit, `Saved ${fields} of ${entity.name} ${key.join(", ")}.`);
        await this.refresh();
      }
    } catch (failure) {
      this.#refuse(failure);
    } finally {
      this.save.disabled = false;
    }
  }

  #refuse(failure) {
    const editor = this.editors.find(({ field }) => field.name === failure.field);
    if (editor) {
      editor.say(failure.message, true);
      editor.input.focus();
    } else {
      this.failure.textContent = failure.message;
    }
  }

  /** Deletes a row, which can be undone unless it is final. */
  async delete(entity, key, isFinal = false) {
    try {
      const { edit, count } = await call("delete", { entity: entity.name, key, isFinal });
      const others = count > 1 ? `, with ${counted(count - 1, "change")} of rows that referred to it` : "";
      if (this.entity === entity && JSON.stringify(this.key) === JSON.stringify(key)) {
        this.#leave();
        this.handlers.onClose();
      }
      this.handlers.onEdit(edit, `Deleted ${entity.name} ${key.join(", ")}${others}.`);
    } catch (failure) {
      if (failure.code === "cannotBeUndone") {
        if (confirm(`${failure.message} Delete the row for good?`)) await this.delete(entity, key, true);
        return;
      }
      notice(failure.message, { isFailure: true });
    }
  }

  // References

  #showReferences({ references, referrers }) {
    const parts = [];
    if (references.length > 0) {
      parts.push(make("h3", {}, "Refers to"), ...references.map((reference) => this.#reference(reference)));
    }
    if (referrers.length > 0) {
      parts.push(make("h3", {}, "Referred to by"), ...referrers.map((referrer) => this.#referrer(referrer)));
    }
    this.references.replaceChildren(...parts);
  }

  #reference({ name, target, rows, count }) {
    return make(
      "div",
      { class: "reference-list" },
      make("span", { class: "reference-name" }, name, make("span", { class: "type" }, target)),
      rows.length === 0 ? make("span", { class: "dim" }, "none") : null,
      ...rows.map((row) => this.#chip(target, row)),
      count > rows.length ? make("span", { class: "dim" }, `and ${counted(count - rows.length, "other")}`) : null,
    );
  }

  #referrer({ name, owner, filter, rows, count }) {
    const line = make(
      "div",
      { class: "reference-list" },
      make("span", { class: "reference-name" }, owner, make("span", { class: "type" }, name)),
    );
    if (filter === null) {
      if (rows.length === 0) line.append(make("span", { class: "dim" }, "none"));
      line.append(...rows.map((row) => this.#chip(owner, row)));
      if (count > rows.length) line.append(make("span", { class: "dim" }, `of ${counted(count, "link")}`));
      return line;
    }
    const button = make(
      "button",
      { class: "chip", type: "button", onclick: () => this.handlers.onFilter(owner, filter) },
      "rows …",
    );
    line.append(button);
    call("count", { entity: owner, filter })
      .then(({ count }) => {
        if (count > 0) button.textContent = counted(count, "row");
        else button.replaceWith(make("span", { class: "dim" }, "none"));
      })
      .catch(() => (button.textContent = "rows"));
    return line;
  }

  #chip(entity, { key, label, isStored }) {
    const text = key.join(", ");
    if (!isStored) {
      return make("span", { class: "chip missing", title: "No row with this key is stored." }, `${text} (not stored)`);
    }
    return make(
      "button",
      { class: "chip", type: "button", onclick: () => this.handlers.onGo(entity, key) },
      make("span", { class: "chip-key" }, text),
      label === null ? null : ` ${label}`,
    );
  }

  #key(event) {
    if (event.key === "Escape") {
      event.stopPropagation();
      this.close();
    } else if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      this.#save();
    }
  }
}

function flash(element) {
  element.classList.remove("flash");
  void element.offsetWidth;
  element.classList.add("flash");
}
