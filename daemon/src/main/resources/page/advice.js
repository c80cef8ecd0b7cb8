// What a language model proposed, what was expected of it, and what it came to.

import { el } from "./dom.js";
import { interval, moment, t } from "./texts.js";

export function advice(page) {
  const list = el("ol");
  const section = el("section", { id: "advice", "aria-labelledby": "advice-title" },
    el("h2", { id: "advice-title" }, t("advice")), list);

  const hypothesis = (h) => el("li", {}, page.why(h.profile), " ", el("code", {}, h.settings), " ",
    t("advice.expected", interval(h.low, h.high), h.score));

  const refusal = (r) => el("li", {}, el("code", {}, r.name), " ", t("advice.refused", r.reason));

  function draw(store, changes) {
    if (!changes.all && !changes.map.has("advice")) return;
    const rows = store.section("advice");
    list.replaceChildren(...store.keys("advice").map((key) => rows.get(key)).map((row) => el("li", {},
      el("p", {}, el("time", {}, moment(row.at)), " ", row.asked, row.answered ? "; " + row.answered : ""),
      ...(row.hypotheses?.length || row.refused?.length
        ? [el("ul", {}, row.hypotheses.map(hypothesis), row.refused.map(refusal))] : []),
      ...(row.prose ? [el("p", { class: "place" }, t("advice.prose"), " ", el("q", {}, row.prose))] : []))));
    section.hidden = rows.size === 0;
  }

  return { node: section, draw };
}
