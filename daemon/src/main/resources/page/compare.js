// This sweep beside an earlier one of the same cell: profiles with the same settings, whatever their names.

import { el, say } from "./dom.js";
import { about, get, named, turns } from "./api.js";
import { interval, language, moment, percent, t } from "./texts.js";

/** A difference with its interval, and whether it is more than noise. */
const change = (c) => `${percent(c.percent)} (${c.low === undefined ? t("interval.none") : interval(c.low, c.high)}) ${c.certain ? t("compare.certain") : ""}`;

export function compare(page) {
  const which = el("select", { id: "compare-with" });
  const said = el("p", { role: "status" });
  const result = el("div", { class: "wide" });
  const section = el("section", { id: "compare", "aria-labelledby": "compare-title" },
    el("h2", { id: "compare-title" }, t("compare")),
    el("label", { for: "compare-with" }, t("compare.with") + " ", which), said, result);
  const asks = turns();
  which.addEventListener("change", () => load());

  async function load() {
    const wanted = asks();
    const id = which.value;
    const found = id ? await get(`${about(page.sweep(), "/compare")}?with=${named(id)}&lang=${language}`).catch(() => null) : null;
    if (!wanted()) return;
    say(said, !id ? "" : found ? t("compare.caption", found.profiles.length) : t("not.available"));
    result.replaceChildren(...(found ? [table(id, found)] : []));
  }

  function table(id, c) {
    const row = (p) => el("tr", {}, el("th", { scope: "row" }, page.why(p.profile)),
      [percent(p.thereGain), p.thereRuns, percent(p.hereGain), p.hereRuns, change(p.change)].map((x) => el("td", {}, String(x))));
    const alone = (sweep, names) => (names.length ? el("p", {}, t("compare.only", sweep, names.join(", "))) : null);
    return el("div", { "data-of": id },
      c.unlike.length ? el("ul", { class: "remarks" }, c.unlike.map((words) => el("li", {}, t("compare.unlike", words)))) : null,
      el("p", {}, t("compare.baseline", change(c.baseline))),
      c.profiles.length ? el("table", {}, el("caption", { class: "unseen" }, t("compare")),
        el("thead", {}, el("tr", {}, [t("profile"), t("compare.gain", id), t("runs"), t("compare.gain", page.sweep()), t("runs"), t("compare.change")].map(
          (heading) => el("th", { scope: "col" }, heading)))),
        el("tbody", {}, c.profiles.map(row))) : null,
      alone(id, c.onlyThere), alone(page.sweep(), c.onlyHere));
  }

  function draw(store, changes) {
    const s = store.sweep;
    const earlier = !s ? [] : page.sweeps().filter((x) => x.id !== page.sweep() && x.model === s.model
      && x.parallelism === s.parallelism && x.startedAt <= s.startedAt);
    section.hidden = earlier.length === 0 || page.isPast();
    const ids = earlier.map((x) => x.id).join("\n");
    if (which.dataset.ids !== ids) {
      const chosen = which.value;
      which.dataset.ids = ids;
      which.replaceChildren(el("option", { value: "" }, "–"),
        ...earlier.map((x) => el("option", { value: x.id }, `${x.id} (${moment(x.startedAt)})`)));
      which.value = earlier.some((x) => x.id === chosen) ? chosen : "";
    }
    if (which.value && changes.map.has("board") && !page.isPast()) load();
  }

  function forget() {
    asks();
    which.value = "";
    say(said, "");
    result.replaceChildren();
  }

  return { node: section, draw, forget };
}
