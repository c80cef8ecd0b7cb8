// Questions to people: what each rests on, what each answer does, and what holds where nobody answers.

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

  const answer = (type, key, press) => el("button", { type: "button", "data-answer": type, "data-question": key, onclick: press }, t(type));

  /** A no that halts the night is asked back. */
  const deny = (key, row) => (row.noHalts ? page.deny(key, row) : page.tell({ type: "deny", approval: key }));

  /** What holds without an answer, and what that leads to. */
  const otherwise = (row) => [t(row.unanswered ? "approval.yes" : "approval.no"), row.unanswered ? row.onYes : row.onNo].filter(Boolean).join(" – ");

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
      const word = t(row.yes ? "approval.yes" : "approval.no");
      node.replaceChildren(el("p", {}, row.text, " ", page.why(key, t("explain"))),
        ...(row.reason ?? []).map((words) => el("p", { class: "reason" }, words)),
        ...(row.onYes ? [el("ul", {}, el("li", {}, t("approve.does", row.onYes)), el("li", {}, t("deny.does", row.onNo)))] : []),
        el("p", {}, row.yes === undefined ? t("approval.until", moment(row.until), otherwise(row)) : row.byPerson ? word : t("approval.lapsed", word)),
        ...(open ? [el("p", {}, answer("approve", key, () => page.tell({ type: "approve", approval: key })), " ",
          answer("deny", key, () => deny(key, row)))] : []));
      // Not to the next question's button: a key that is held down would answer that one too.
      if (held) node.focus();
    }
    section.hidden = keys.length === 0;
  }

  return { node: section, draw };
}
