// What failed, with the lines that say so, and what was done about it.

import { el, keyed, paged, say } from "./dom.js";
import { clock, t } from "./texts.js";

const SHOWN = 50;

/** A log's folder is its job's; where all of them lie is for the tooltip. */
const near = (file) => file.split("/").slice(-2).join("/");

export function failures(page) {
  const list = el("div", { tabindex: "-1" });
  const count = el("p", { class: "empty" });
  const nodes = new Map();
  const pages = paged(list, SHOWN, () => show(new Set()));
  let shown = null;

  function step({ action, succeeded, refused, output }) {
    return el("li", {}, el("code", {}, action), " ",
      refused ? t("remedy.refused", refused) : succeeded === undefined ? t("remedy.running") : succeeded ? t("remedy.done") : t("remedy.failed"),
      output ? el("pre", { tabindex: "0" }, output) : null);
  }

  function fill(node, id, row) {
    const lines = row.quotes.map((q) => el("li", {}, el("code", {}, q.text),
      el("span", { class: "place", title: q.file }, ` ${near(q.file)}:${q.line}`)));
    const remedy = (row.remedy ?? []).map(step);
    node.replaceChildren(
      el("h3", {}, `${row.class}: `, page.why(row.profile), ` (${row.job ?? "–"}, ${clock(row.at)}) `, page.stepsOf(id)),
      el("p", {}, row.detail),
      ...(lines.length ? [el("ul", { class: "quotes" }, lines)] : []),
      ...(remedy.length ? [el("p", {}, t("remedy")), el("ul", {}, remedy)] : []),
      ...(row.then ? [el("p", {}, t("then", row.then))] : []));
  }

  function draw(store, changes) {
    if (!changes.all && !changes.map.has("failures")) return;
    shown = store;
    show(changes.of("failures"));
  }

  function show(changed) {
    const rows = shown.section("failures");
    const keys = pages.take(shown.keys("failures").reverse());
    keyed(list, keys, nodes, () => el("article"));
    for (const key of keys) if (changed.has(key) || !nodes.get(key).firstChild) fill(nodes.get(key), key, rows.get(key));
    say(count, rows.size === 0 ? t("failures.none") : keys.length < rows.size ? t("failures.latest", keys.length, rows.size) : t("failures.count", rows.size));
  }

  return {
    node: el("section", { id: "failures", "aria-labelledby": "failures-title" },
      el("h2", { id: "failures-title" }, t("failures")), count, list, pages.more),
    draw,
  };
}
