// Elements, made without HTML in text: what a store has is never more than text.

/** Makes an element. Attributes that begin with "on" are listeners; a value of false or null leaves one out. */
export function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  set(element, attributes);
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

/** Makes an element of SVG. */
export function draw(name, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  set(element, attributes);
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

function set(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "value" && "value" in element) element.value = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
}

/** Returns a number with separators between its thousands. */
export function grouped(number) {
  return number.toLocaleString("en-US");
}

/** Returns a number and a noun. */
export function counted(number, noun, plural = `${noun}s`) {
  return `${grouped(number)} ${number === 1 ? noun : plural}`;
}

/** Returns a function that calls another once it was not called for some milliseconds. */
export function debounced(milliseconds, body) {
  let timer;
  return (...values) => {
    clearTimeout(timer);
    timer = setTimeout(() => body(...values), milliseconds);
  };
}
