// What failed, with the lines that say so, and what was done about it; and questions to people.

import { el, keyed, say } from "./dom.js";
import { clock, moment, t } from "./texts.js";

const SHOWN = 50;

/** A log's folder is its job's; where all of them lie is for the tooltip. */
const near = (file) => file.split("/").slice(-2).join("/");

export function failures(page) {
  const list = el("div");
  const none = el("p", { class: "empty" });
  const nodes = new Map();

  function fill(node, row) {
    const lines = row.quotes.map((q) => el("li", {}, el("code", {}, q.text),
      el("span", { class: "place", title: q.file }, ` ${near(q.file)}:${q.line}`)));
    const remedy = (row.remedy ?? []).map((step) => el("li", {}, el("code", {}, step.action), " ",
      step.succeeded === undefined ? t("remedy.running") : step.succeeded ? t("remedy.done") : t("remedy.failed")));
    node.replaceChildren(
      el("h3", {}, `${row.class}: `, page.why(row.profile), ` (${row.job ?? "–"}, ${clock(row.at)})`),
      el("p", {}, row.detail),
      ...(lines.length ? [el("ul", { class: "quotes" }, lines)] : []),
      ...(remedy.length ? [el("p", {}, t("remedy")), el("ul", {}, remedy)] : []),
      ...(row.then ? [el("p", {}, t("then", row.then))] : []));
  }

  function draw(store, changes) {
    const rows = store.section("failures");
    if (!changes.all && !changes.map.has("failures")) return;
    const keys = store.keys("failures").slice(-SHOWN).reverse();
    keyed(list, keys, nodes, () => el("article"));
    const changed = changes.of("failures");
    for (const key of keys) if (changed.has(key) || !nodes.get(key).firstChild) fill(nodes.get(key), rows.get(key));
    say(none, rows.size === 0 ? t("failures.none") : t("failures.count", rows.size));
  }

  return {
    node: el("section", { id: "failures", "aria-labelledby": "failures-title" },
      el("h2", { id: "failures-title" }, t("failures")), none, list),
    draw,
  };
}

export function approvals(page) {
  const list = el("div");
  const nodes = new Map();
  const shown = new Map();
  const section = el("section", { id: "approvals", "aria-labelledby": "approvals-title" },
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
