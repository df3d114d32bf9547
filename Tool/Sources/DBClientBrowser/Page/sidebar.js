// The list of entities with their numbers of rows.

import { counted, grouped, make } from "./dom.js";

export class Sidebar {
  constructor(element, { onEntity, onPicture }) {
    Object.assign(this, { element, onEntity, onPicture });
    this.counts = new Map();
    this.items = new Map();
  }

  show(store) {
    this.items.clear();
    const search = make("input", {
      type: "search",
      placeholder: "Find an entity",
      "aria-label": "Find an entity",
      oninput: () => this.#filter(search.value),
    });
    const list = make("ul", { class: "entities" });
    for (const entity of store.entities) {
      const count = make("span", { class: "count" });
      const link = make(
        "a",
        {
          href: `#/${encodeURIComponent(entity.name)}`,
          onclick: (event) => {
            event.preventDefault();
            this.onEntity(entity.name);
          },
        },
        make("span", { class: "name" }, entity.name),
        count,
      );
      const item = make("li", {}, link);
      this.items.set(entity.name, { item, link, count });
      list.append(item);
    }
    for (const [name, count] of this.counts) this.#showCount(name, count, false);
    this.picture = make(
      "a",
      {
        class: "picture-link",
        href: "#/?picture",
        onclick: (event) => {
          event.preventDefault();
          this.onPicture();
        },
      },
      "Picture of the schema",
    );
    this.element.replaceChildren(
      make(
        "div",
        { class: "sidebar-head" },
        make("h1", {}, counted(store.entities.length, "entity", "entities")),
        store.isReadOnly ? make("span", { class: "badge" }, "read-only") : null,
      ),
      ...(store.entities.length > 8 ? [search] : []),
      list,
      ...(store.entities.length > 0 ? [this.picture] : []),
      ...(store.omissions.length > 0 ? [omitted(store.omissions)] : []),
    );
  }

  /** Marks what is shown: the name of an entity, or null for the picture. */
  select(name) {
    for (const [other, { link }] of this.items) {
      if (other === name) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
    if (name === null) this.picture?.setAttribute("aria-current", "page");
    else this.picture?.removeAttribute("aria-current");
    this.items.get(name)?.link.scrollIntoView({ block: "nearest" });
  }

  count(name, count) {
    const former = this.counts.get(name);
    this.counts.set(name, count);
    this.#showCount(name, count, former !== undefined && former !== count);
  }

  #showCount(name, count, isNew) {
    const item = this.items.get(name);
    if (!item) return;
    item.count.textContent = grouped(count);
    if (!isNew) return;
    item.count.classList.remove("flash");
    void item.count.offsetWidth;
    item.count.classList.add("flash");
  }

  #filter(text) {
    for (const [name, { item }] of this.items) {
      item.hidden = !name.toLowerCase().includes(text.toLowerCase());
    }
  }
}

function omitted(omissions) {
  return make(
    "details",
    { class: "omitted" },
    make("summary", {}, `${counted(omissions.length, "part")} left out`),
    make("ul", {}, ...omissions.map((text) => make("li", {}, text))),
  );
}
