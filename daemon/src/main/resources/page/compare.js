// This sweep beside another of the same cell: profiles with the same settings, whatever their names.

import { el, say } from "./dom.js";
import { about, get, named, turns } from "./api.js";
import { interval, language, moment, percent, t } from "./texts.js";

export function compare(page) {
  const which = el("select", { id: "compare-with" });
  const result = el("div", { class: "wide", "aria-live": "polite" });
  const section = el("section", { id: "compare", "aria-labelledby": "compare-title" },
    el("h2", { id: "compare-title" }, t("compare")),
    el("label", { for: "compare-with" }, t("compare.with") + " ", which), result);
  const asks = turns();
  let other = null;
  let of = "";
  which.addEventListener("change", async () => {
    const wanted = asks();
    const id = which.value;
    other = null;
    const found = id ? await get(`${about(page.sweep(), "/compare")}?with=${named(id)}&lang=${language}`).catch(() => null) : null;
    if (!wanted()) return;
    other = found;
    of = id;
    if (id && !found) say(result, t("not.available"));
    page.redraw();
  });

  function options(sweeps, store) {
    const s = store.sweep;
    const earlier = !s ? [] : sweeps.filter((x) => x.id !== page.sweep() && x.model === s.model && x.parallelism === s.parallelism);
    const wanted = earlier.map((x) => x.id).join("\n");
    section.hidden = earlier.length === 0;
    if (which.dataset.ids === wanted) return;
    which.dataset.ids = wanted;
    which.replaceChildren(el("option", { value: "" }, "–"),
      ...earlier.map((x) => el("option", { value: x.id }, `${x.id} (${moment(x.startedAt)})`)));
  }

  function draw(store, changes) {
    options(page.sweeps(), store);
    if (!other) {
      if (!which.value) result.replaceChildren();
      return;
    }
    if (!changes.all && !changes.map.has("board") && result.firstElementChild?.dataset.of === of) return;
    const here = store.section("board");
    const there = Object.values(other.put.board ?? {});
    const byHash = new Map(there.map((row) => [row.hash, row]));
    const keys = [...here.keys()].filter((key) => byHash.has(here.get(key).hash));
    if (keys.length === 0) {
      result.replaceChildren(el("p", { "data-of": of }, t("compare.caption", 0)));
      return;
    }
    result.replaceChildren(el("table", { "data-of": of },
      el("caption", {}, t("compare.caption", keys.length)),
      el("thead", {}, el("tr", {}, ["profile", "here", "interval.column", "there", "interval.column"].map((key) => el("th", { scope: "col" }, t(key))))),
      el("tbody", {}, keys.map((key) => {
        const a = here.get(key);
        const b = byHash.get(a.hash);
        return el("tr", {}, el("th", { scope: "row" }, page.why(key)),
          [percent(a.gain), interval(a.low, a.high), percent(b.gain), interval(b.low, b.high)].map((x) => el("td", {}, x)));
      }))));
  }

  return { node: section, draw, forget: () => { asks(); other = null; which.value = ""; say(result, ""); } };
}
