// The schema as a picture: entities as boxes, references as lines from the owner's field to the target.

import { draw, make } from "./dom.js";

const width = 210;
const line = 20;
const headHeight = 30;
const most = 14;
const gap = { x: 90, y: 28 };

/** Shows the entities of a store; a box leads to its entity. */
export function showPicture(element, store, onEntity) {
  const boxes = layOut(store.entities);
  const hasLoops = boxes.some(({ entity }) => entity.references.some(({ target }) => target === entity.name));
  const size = {
    x: Math.max(...boxes.map((box) => box.x + width), 0) + (hasLoops ? 64 : 24),
    y: Math.max(...boxes.map((box) => box.y + box.height), 0) + 24,
  };
  const lines = boxes.flatMap((box) =>
    box.entity.references.map((reference) => drawReference(box, reference, boxes)),
  );
  const svg = draw(
    "svg",
    {
      class: "picture",
      viewBox: `0 0 ${size.x} ${size.y}`,
      width: size.x,
      height: size.y,
      role: "group",
      "aria-label": "Entities and their references",
    },
    draw("g", { class: "lines" }, ...lines),
    ...boxes.map((box) => drawBox(box, onEntity, (name) => highlight(name))),
  );
  function highlight(name) {
    for (const path of svg.querySelectorAll(".lines > g")) {
      const isOf = path.dataset.owner === name || path.dataset.target === name;
      path.classList.toggle("bright", name !== null && isOf);
      path.classList.toggle("faint", name !== null && !isOf);
    }
  }
  let scale = 1;
  const zoom = (factor) => {
    scale = factor === 0 ? fit() : Math.min(Math.max(scale * factor, 0.2), 3);
    svg.setAttribute("width", size.x * scale);
    svg.setAttribute("height", size.y * scale);
  };
  const fit = () => Math.min((frame.clientWidth - 24) / size.x, (frame.clientHeight - 24) / size.y, 1.2);
  const frame = make("div", { class: "picture-frame", tabindex: "0", "aria-label": "Picture of the schema" }, svg);
  element.replaceChildren(
    make(
      "div",
      { class: "bar" },
      make("h2", {}, "Schema"),
      make("span", { class: "spacer" }),
      make("button", { class: "icon", "aria-label": "Smaller", onclick: () => zoom(1 / 1.25) }, "−"),
      make("button", { class: "quiet", onclick: () => zoom(0) }, "Fit"),
      make("button", { class: "icon", "aria-label": "Larger", onclick: () => zoom(1.25) }, "+"),
    ),
    frame,
  );
  zoom(0);
  if (scale < 0.55) {
    scale = 0.55;
    zoom(1);
  }
}

/** Places entities in columns: what is referred to stands to the right of what refers to it. */
function layOut(entities) {
  const byName = new Map(entities.map((entity) => [entity.name, entity]));
  const targets = (entity) =>
    entity.references.map(({ target }) => target).filter((name) => name !== entity.name && byName.has(name));
  const related = new Set(entities.flatMap((entity) => (targets(entity).length ? [entity.name, ...targets(entity)] : [])));
  const owners = new Map([...related].map((name) => [name, []]));
  for (const name of related) {
    for (const target of targets(byName.get(name))) owners.get(target).push(name);
  }
  const levels = new Map();
  const level = (name, path) => {
    if (levels.has(name)) return levels.get(name);
    // A circle ends where it comes back.
    const next = owners.get(name).filter((owner) => !path.includes(owner));
    const found = Math.max(-1, ...next.map((owner) => level(owner, [...path, name]))) + 1;
    levels.set(name, found);
    return found;
  };
  const columns = [];
  for (const name of related) {
    const found = level(name, []);
    (columns[found] ??= []).push(name);
  }
  const ordered = columns.filter(Boolean);
  arrange(ordered, byName, targets);
  return place(ordered, entities.filter(({ name }) => !related.has(name)), byName);
}

/** Orders each column by the mean place of its neighbours, so that fewer lines cross. */
function arrange(columns, byName, targets) {
  const neighbours = new Map([...byName.keys()].map((name) => [name, new Set()]));
  for (const entity of byName.values()) {
    for (const target of targets(entity)) {
      neighbours.get(entity.name).add(target);
      neighbours.get(target).add(entity.name);
    }
  }
  for (let round = 0; round < 6; round++) {
    const places = new Map();
    for (const names of columns) {
      for (const [index, name] of names.entries()) places.set(name, index - names.length / 2);
    }
    const mean = (name) => {
      const found = [...neighbours.get(name)].filter((other) => places.has(other)).map((other) => places.get(other));
      return found.length === 0 ? places.get(name) : found.reduce((sum, place) => sum + place, 0) / found.length;
    };
    for (const names of round % 2 === 0 ? columns : [...columns].reverse()) {
      const means = new Map(names.map((name) => [name, mean(name)]));
      names.sort((left, right) => means.get(left) - means.get(right));
      for (const [index, name] of names.entries()) places.set(name, index - names.length / 2);
    }
  }
}

function place(columns, alone, byName) {
  const boxes = [];
  const heights = columns.map((names) =>
    names.reduce((sum, name) => sum + height(byName.get(name)) + gap.y, -gap.y),
  );
  const tallest = Math.max(0, ...heights);
  for (const [column, names] of columns.entries()) {
    let y = 24 + (tallest - heights[column]) / 2;
    for (const name of names) {
      const entity = byName.get(name);
      boxes.push({ entity, x: 24 + column * (width + gap.x), y, height: height(entity) });
      y += height(entity) + gap.y;
    }
  }
  const perRow = Math.max(columns.length, 4);
  let y = 24 + (tallest > 0 ? tallest + 2 * gap.y : 0);
  for (let start = 0; start < alone.length; start += perRow) {
    const row = alone.slice(start, start + perRow);
    for (const [index, entity] of row.entries()) {
      boxes.push({ entity, x: 24 + index * (width + gap.y), y, height: height(entity) });
    }
    y += Math.max(...row.map(height)) + gap.y;
  }
  return boxes;
}

function rowsOf(entity) {
  const { fields } = entity;
  if (fields.length <= most) return { shown: fields, hidden: 0 };
  return { shown: fields.slice(0, most - 1), hidden: fields.length - most + 1 };
}

function height(entity) {
  const { shown, hidden } = rowsOf(entity);
  return headHeight + (shown.length + (hidden ? 1 : 0)) * line + 8;
}

function drawBox({ entity, x, y, height }, onEntity, highlight) {
  const { shown, hidden } = rowsOf(entity);
  const texts = shown.map((field, index) => {
    const isKey = entity.key.includes(index);
    const at = headHeight + 17 + index * line;
    const isReference = entity.references.some(({ fields }) => fields.includes(index));
    return draw(
      "g",
      { class: isKey ? "key" : isReference ? "reference" : null },
      draw("text", { x: 12, y: at }, shorten(field.name, 17)),
      draw("text", { x: width - 12, y: at, class: "type", "text-anchor": "end" }, field.type + (field.isOptional ? "?" : "")),
    );
  });
  if (hidden) {
    texts.push(draw("text", { x: 12, y: headHeight + 17 + shown.length * line, class: "type" }, `and ${hidden} more`));
  }
  return draw(
    "a",
    {
      href: `#/${encodeURIComponent(entity.name)}`,
      class: "box",
      transform: `translate(${x} ${y})`,
      "aria-label": `${entity.name}: ${entity.fields.length} fields, ${entity.references.length} references`,
      onclick: (event) => {
        event.preventDefault();
        onEntity(entity.name);
      },
      onpointerenter: () => highlight(entity.name),
      onpointerleave: () => highlight(null),
      onfocus: () => highlight(entity.name),
      onblur: () => highlight(null),
    },
    draw("rect", { width, height, rx: 8 }),
    draw("path", { class: "box-head", d: `M0 ${headHeight}V8a8 8 0 0 1 8-8H${width - 8}a8 8 0 0 1 8 8V${headHeight}Z` }),
    draw("text", { x: 12, y: 20, class: "box-name" }, shorten(entity.name, 24)),
    ...texts,
  );
}

function drawReference(box, reference, boxes) {
  const target = boxes.find(({ entity }) => entity.name === reference.target);
  if (!target) return null;
  const index = Math.min(reference.fields[0] ?? -1, most - 1);
  const from = { x: box.x + width, y: box.y + (index < 0 ? headHeight / 2 : headHeight + 12 + index * line) };
  const to = { x: target.x, y: target.y + headHeight / 2 };
  let path;
  if (target.x > box.x) {
    const bend = Math.max((to.x - from.x) / 2, 30);
    path = `M${from.x} ${from.y}C${from.x + bend} ${from.y} ${to.x - bend} ${to.y} ${to.x - 7} ${to.y}`;
  } else {
    // To the same column, to itself or backwards: around the right side.
    to.x = target.x + width;
    const bend = Math.max(from.x, to.x) + 44;
    path = `M${from.x} ${from.y}C${bend} ${from.y} ${bend} ${to.y} ${to.x + 7} ${to.y}`;
  }
  const tip = target.x > box.x ? -7 : 7;
  const arrow = `M${to.x} ${to.y}l${tip} -4v8Z`;
  const many = reference.kind === "toOne" ? null : draw("text", { x: from.x + 5, y: from.y - 5 }, reference.kind === "list" ? "list" : "set");
  return draw(
    "g",
    { "data-owner": box.entity.name, "data-target": reference.target },
    draw("title", {}, `${box.entity.name}.${reference.name} refers to ${reference.target} (${reference.rule})`),
    draw("path", { d: path, class: reference.kind === "toOne" ? null : "many" }),
    draw("path", { d: arrow, class: "arrow" }),
    many,
  );
}

function shorten(text, length) {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}
