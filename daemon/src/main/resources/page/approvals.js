// Questions to people, with what holds where nobody answers in time.

import { el, keyed } from "./dom.js";
import { moment, t } from "./texts.js";

/** How many questions of the sweep wait for an answer. */
export function waiting(store) {
  return store.sweep?.finished ? 0 : [...store.section("questions").values()].filter((row) => row.yes === undefined).length;
}

export function approvals(page) {
  const list = el("div");
  const nodes = new Map();
  const shown = new Map();
  const section = el("section", { id: "approvals", "aria-labelledby": "approvals-title", tabindex: "-1" },
    el("h2", { id: "approvals-title" }, t("approvals")), list);

  const answer = (type, key) => el("button", {
    type: "button", "data-answer": type, "data-question": key, onclick: () => page.tell({ type, approval: key }),
  }, t(type));

  function draw(store, changes) {
    const rows = store.section("questions");
    const keys = store.keys("questions").reverse();
    keyed(list, keys, nodes, () => el("article", { tabindex: "-1" }));
    const changed = changes.of("questions");
    for (const key of keys) {
      const row = rows.get(key);
      const node = nodes.get(key);
      const open = row.yes === undefined && page.canAct() && !store.sweep.finished;
      if (!changed.has(key) && shown.get(key) === open) continue;
      shown.set(key, open);
      const held = node.contains(document.activeElement);
      const isYes = row.yes ?? row.unanswered;
      const word = t(isYes ? "approval.yes" : "approval.no");
      node.replaceChildren(el("p", {}, row.text, " ", page.why(key, t("explain"))),
        el("p", {}, row.yes === undefined ? t("approval.until", moment(row.until), word) : row.byPerson ? word : t("approval.lapsed", word)),
        ...(open ? [el("p", {}, answer("approve", key), " ", answer("deny", key))] : []));
      // Not to the next question's button: a key that is held down would answer that one too.
      if (held) node.focus();
    }
    section.hidden = keys.length === 0;
  }

  return { node: section, draw };
}
