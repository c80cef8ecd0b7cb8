// Elements. Texts are set as text and never as markup: much of what the page shows was written by
// jobs, whose logs nobody vouches for.

import { t } from "./texts.js";

const SVG = "http://www.w3.org/2000/svg";

function make(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return node;
}

export function el(tag, attributes, ...children) {
  return make(document.createElement(tag), attributes, children);
}

export function svg(tag, attributes, ...children) {
  return make(document.createElementNS(SVG, tag), attributes, children);
}

/** Changes a text only where it differs, so that a screen reader does not read it again. */
export function say(node, text) {
  const next = text ?? "";
  if (node.textContent !== next) node.textContent = next;
}

export function set(node, name, value) {
  if (node.getAttribute(name) !== String(value)) node.setAttribute(name, value);
}

/**
 * Makes a list's children those of the keys, in their order. Nodes stay where they are as long as
 * the order does, and with them the focus.
 */
export function keyed(parent, keys, nodes, create) {
  const wanted = new Set(keys);
  for (const [key, node] of nodes) {
    if (!wanted.has(key)) {
      node.remove();
      nodes.delete(key);
    }
  }
  let place = parent.firstElementChild;
  for (const key of keys) {
    let node = nodes.get(key);
    if (!node) {
      node = create(key);
      nodes.set(key, node);
    }
    if (node === place) place = place.nextElementSibling;
    else parent.insertBefore(node, place);
  }
}

/**
 * Shows a long list piece by piece: what stands first, and a button for as many more.
 *
 * @param list the element that has the items, which takes the focus where the button vanishes
 */
export function paged(list, size, redraw) {
  let most = size;
  const more = el("button", { type: "button", class: "more", onclick: () => {
    most += size;
    redraw();
    if (more.hidden) list.focus();
  } });
  return {
    more,
    take(keys) {
      more.hidden = keys.length <= most;
      say(more, t("more", Math.min(size, keys.length - most)));
      return keys.slice(0, most);
    },
  };
}
