// The winner, and who was checked beside it, on the config tags that they were not chosen on.

import { el } from "./dom.js";
import { interval, percent, t } from "./texts.js";

export function checks(page) {
  const body = el("tbody");
  const section = el("section", { id: "checks", "aria-labelledby": "checks-title" },
    el("h2", { id: "checks-title" }, t("checks")),
    el("div", { class: "wide" }, el("table", {}, el("caption", { class: "unseen" }, t("checks")),
      el("thead", {}, el("tr", {}, ["profile", "tag", "baseline.column", "mean", "gain", "interval.column", "runs", "recipe"].map(
        (key) => el("th", { scope: "col" }, t(key))))), body)));

  function draw(store, changes) {
    if (!changes.all && !changes.map.has("checks")) return;
    const rows = store.keys("checks").map((key) => store.section("checks").get(key));
    section.hidden = rows.length === 0;
    body.replaceChildren(...rows.map((row) => el("tr", {}, el("th", { scope: "row" }, page.why(row.profile)),
      [row.tag, row.baseline, row.mean, percent(row.gain), interval(row.low, row.high), String(row.runs), row.holds].map((x) => el("td", {}, x)))));
  }

  return { node: section, draw };
}
