// The page: what is shown is what the address after # says.

import { call, takeToken } from "./api.js";
import { make } from "./dom.js";
import { events } from "./events.js";
import { Edits, dialog, notice } from "./notices.js";
import { showPicture } from "./picture.js";
import { RowPanel } from "./row.js";
import { Sidebar } from "./sidebar.js";
import { Table } from "./table.js";

const byId = (id) => document.getElementById(id);
const main = byId("main");

let store = null;
let table = null;
let shown = null;

const sidebar = new Sidebar(byId("sidebar"), {
  onEntity: (name) => go({ entity: name }),
  onPicture: () => go({ isPicture: true }),
});

const edits = new Edits(byId("undo"), async (edit) => {
  await call("undo", { edit });
  panel.refresh();
  table?.showEdit();
});

const panel = new RowPanel(byId("panel"), {
  onClose: () => {
    if (shown?.row) go({ ...shown, row: null }, true);
    table?.focus();
  },
  onGo: (entity, key) => go({ entity, row: key }),
  onFilter: (entity, filter) => go({ entity, filter }),
  onEdit: (edit, text) => {
    edits.add(edit, text);
    table?.showEdit();
  },
});

// The address

/** Returns what an address says is to be shown. */
function read(hash) {
  const [path, query] = hash.replace(/^#\/?/, "").split("?");
  const parameters = new URLSearchParams(query ?? "");
  let [entity, row] = [null, null];
  try {
    entity = path ? decodeURIComponent(path) : null;
    row = JSON.parse(parameters.get("row"));
  } catch {
    // An address that was cut.
  }
  return {
    entity,
    isPicture: parameters.has("picture"),
    filter: parameters.get("filter") ?? "",
    sort: parameters.get("sort") ?? "",
    row: Array.isArray(row) ? row : null,
  };
}

function write({ entity, isPicture, filter, sort, row }) {
  if (isPicture) return "#/?picture";
  const parameters = new URLSearchParams();
  if (filter) parameters.set("filter", filter);
  if (sort) parameters.set("sort", sort);
  if (row) parameters.set("row", JSON.stringify(row));
  const query = parameters.toString();
  return `#/${encodeURIComponent(entity ?? "")}${query ? `?${query}` : ""}`;
}

/** Shows something else, as a new entry of the history or in place of the present one. */
function go(place, isSame = false) {
  const address = write({ filter: "", sort: "", row: null, ...place });
  if (address === location.hash) return show();
  if (isSame) history.replaceState(null, "", address);
  else history.pushState(null, "", address);
  return show();
}

// Showing

async function show() {
  const place = read(location.hash);
  if (!place.entity && !place.isPicture && store.entities.length > 0) {
    place.entity = store.entities[0].name;
  }
  const former = shown;
  shown = place;
  byId("sidebar").classList.remove("open");
  byId("menu").setAttribute("aria-expanded", "false");
  if (place.isPicture) {
    leaveTable();
    panel.close();
    sidebar.select(null);
    document.title = "Schema · dbclient";
    return showPicture(main, store, (name) => go({ entity: name }));
  }
  const entity = store.entities.find(({ name }) => name === place.entity);
  if (!entity) return showNothing(place.entity);
  sidebar.select(entity.name);
  document.title = `${entity.name} · dbclient`;
  if (table?.entity !== entity || former?.isPicture) {
    leaveTable();
    table = new Table(main, entity, { ...place, store }, handlers(entity));
  } else if (former.filter !== place.filter || former.sort !== place.sort) {
    table.change(place);
  }
  await showRow(entity, place, former);
}

async function showRow(entity, place, former) {
  const { row } = place;
  table.select(row);
  if (!row) {
    if (panel.isOpen && !panel.isNew) panel.close();
    return;
  }
  const { field = null, focus = false, isNear = false } = wanted ?? {};
  wanted = null;
  const isShown = await panel.show(entity, row, { field, focus, isReadOnly: store.isReadOnly });
  // Something else was chosen meanwhile.
  if (shown !== place) return;
  if (!isShown) {
    shown = { ...shown, entity: panel.entity.name, row: panel.key };
    return;
  }
  if (!isNear && JSON.stringify(former?.row) !== JSON.stringify(row)) await table.go(row);
}

/** How the next row is to be shown: the field to begin with, and whether it is in sight. */
let wanted = null;

function handlers(entity) {
  return {
    onRow: (key, field = null, focus = false) => {
      wanted = { field, focus, isNear: true };
      go({ ...shown, entity: entity.name, row: key }, shown.row !== null);
    },
    onFailure: reread,
    onNew: () => panel.create(entity),
    onDelete: (key) => panel.delete(entity, key),
    onTable: (filter, sort) => go({ entity: entity.name, filter, sort, row: shown.row }, true),
    onFollow: ({ target, fields }, row) => go({ entity: target, row: fields.map((index) => row.v[index]) }),
    onChanged: (key) => {
      if (JSON.stringify(key) === JSON.stringify(panel.key)) panel.refresh();
    },
  };
}

/** The failures of a table that may have been altered since it was described. */
const signsOfChange = new Set(["schemaMismatch", "migrationRequired", "notFound", "invalidRequest", "engine"]);
let isRereading = false;
/** What failed while the page was read again, which may be of another change. */
let laterFailure = null;

/** Shows the store as it is now where another program has altered its tables. */
async function reread(failure) {
  if (!signsOfChange.has(failure.code)) return;
  if (isRereading) {
    laterFailure = failure;
    return;
  }
  isRereading = true;
  // The same failure may be told of again and again.
  setTimeout(() => {
    isRereading = false;
    const failure = laterFailure;
    laterFailure = null;
    if (failure) reread(failure);
  }, 2_000);
  try {
    const now = await call("store");
    if (JSON.stringify(now.entities) === JSON.stringify(store.entities)) return;
  } catch {
    return;
  }
  notice("Another program has changed the tables. They are shown as they are now.");
  await start();
}

function leaveTable() {
  table?.close();
  table = null;
}

function showNothing(name) {
  leaveTable();
  sidebar.select(undefined);
  main.replaceChildren(
    make(
      "div",
      { class: "state" },
      ...(name
        ? [make("h2", {}, "No such entity"), make("p", {}, `The store has no entity ${name}.`)]
        : [
            make("h2", {}, "Nothing here yet"),
            make("p", {}, "The store has no entity that can be shown. A program that stores a model makes one."),
          ]),
      make("button", { onclick: () => start() }, "Look again"),
    ),
  );
}

function showFailure(title, failure) {
  leaveTable();
  main.replaceChildren(
    make(
      "div",
      { class: "state", role: "alert" },
      make("h2", {}, title),
      make("p", {}, failure.message),
      make("button", { onclick: () => start() }, "Try again"),
    ),
  );
}

// The page itself

const themes = { auto: "◐", light: "☀", dark: "☾" };

function setTheme(theme) {
  localStorage.setItem("dbclient-theme", theme);
  if (theme === "auto") document.documentElement.removeAttribute("data-theme");
  else document.documentElement.setAttribute("data-theme", theme);
  byId("theme").textContent = themes[theme];
  byId("theme").title = `Colours: ${theme === "auto" ? "those of the system" : theme}`;
}

function showKeys() {
  const keys = [
    ["/", "Go to the filter"],
    ["↑ ↓ ← →", "Move in the table"],
    ["Page Up, Page Down", "Move by a page"],
    ["Ctrl+Home, Ctrl+End", "First and last row"],
    ["Enter, Space", "Show the row"],
    ["F2, double click", "Edit the value"],
    ["s", "Sort by the column"],
    ["Ctrl+click", "Follow a reference in its cell"],
    ["Delete", "Delete the row"],
    ["Ctrl+Enter", "Save the row"],
    ["Ctrl+Z", "Undo the last edit"],
    ["Escape", "Close the row"],
  ];
  const forms = [
    "year >= 1963", "team is null", "id in (1, 2, 3)", "name begins 'I'", "name like 'I*n'",
    "born < '1970-01-01'", "not (a = 1 or b = 2)",
  ];
  dialog(
    "Keys and filters",
    make("dl", { class: "keys" }, ...keys.flatMap(([key, text]) => [make("dt", {}, key), make("dd", {}, text)])),
    make("h3", {}, "Filters"),
    make("p", { class: "dim" }, "The conditions of dbclient query, joined by and, or, not and parentheses:"),
    make("div", { class: "forms" }, ...forms.map((form) => make("code", {}, form))),
  );
}

document.addEventListener("keydown", (event) => {
  const isWriting = event.target.closest("input, textarea, select, dialog");
  if ((event.ctrlKey || event.metaKey) && event.key === "z" && !event.shiftKey && !isWriting) {
    event.preventDefault();
    edits.undoLast();
  } else if (isWriting || event.ctrlKey || event.metaKey || event.altKey) {
    return;
  } else if (event.key === "/") {
    event.preventDefault();
    table?.filterInput.focus();
  } else if (event.key === "?") {
    showKeys();
  } else if (event.key === "Escape" && panel.isOpen) {
    panel.close();
  }
});

byId("keys").addEventListener("click", showKeys);
byId("theme").addEventListener("click", () => {
  const names = Object.keys(themes);
  const present = localStorage.getItem("dbclient-theme") ?? "auto";
  setTheme(names[(names.indexOf(present) + 1) % names.length]);
});
byId("menu").addEventListener("click", () => {
  const isOpen = byId("sidebar").classList.toggle("open");
  byId("menu").setAttribute("aria-expanded", isOpen);
});
addEventListener("popstate", () => {
  // The address of another run, opened in the same tab: the edits of this one are none of its.
  if (location.hash.startsWith("#token=")) {
    edits.clear();
    start().then(() => events.restart());
  } else if (store) show();
});
addEventListener("beforeunload", (event) => {
  if (panel.isOpen && panel.hasChanges) event.preventDefault();
});

async function start() {
  if (!takeToken()) {
    return showFailure("The token is missing", {
      message: "Open the address that dbclient browse has printed: it has a token, without which nothing is shown.",
    });
  }
  try {
    store = await call("store");
  } catch (failure) {
    const isToken = failure.code === "token";
    return showFailure(isToken ? "The token is another one" : "The store cannot be shown", failure);
  }
  byId("store").textContent = store.address;
  byId("store").title = store.address;
  byId("engine").textContent = store.engine;
  byId("undo").hidden = store.isReadOnly;
  sidebar.show(store);
  counts?.close();
  counts = events.observe({ counts: {} }, (event) => {
    sidebar.count(event.entity, event.count);
    isReached = true;
  }, (state) => {
    if (state.code === "unreachable" && isReached) notice(state.message, { isFailure: true });
    if (state.code) isReached = false;
  });
  await show();
}

let counts = null;
let isReached = true;
setTheme(localStorage.getItem("dbclient-theme") ?? "auto");
start();
