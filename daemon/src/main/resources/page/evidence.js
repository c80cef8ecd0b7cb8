// What the evidence says: where the step's time goes, memory, and every finding with its sources.

import { el, svg } from "./dom.js";
import { figure, t } from "./texts.js";

const WIDTH = 600;

export function evidence(page) {
  const breakdown = el("div");
  const memory = el("div");
  const findings = el("ul");
  const section = el("section", { id: "evidence", "aria-labelledby": "evidence-title" },
    el("h2", { id: "evidence-title" }, t("evidence")), breakdown, findings, memory);

  function bar(parts) {
    let x = 0;
    const pieces = parts.map((part, i) => {
      const width = WIDTH * part.share;
      const piece = svg("rect", { x, y: 0, width, height: 28, class: `part part-${i}` });
      x += width;
      return piece;
    });
    const words = parts.map((part) => `${part.name} ${(100 * part.share).toFixed(1)} %`);
    return [svg("svg", { viewBox: `0 0 ${WIDTH} 28`, class: "breakdown", preserveAspectRatio: "none", role: "img", "aria-label": words.join(", ") }, pieces),
      el("p", { class: "legend", "aria-hidden": "true" }, words.map((word, i) => el("span", { class: `key part-${i}` }, word)))];
  }

  function sizes(rows, keys) {
    const size = (key, kind) => rows.get(key).sizes.find((one) => one.kind === kind)?.gibibytes;
    const kinds = [...new Set(keys.flatMap((key) => rows.get(key).sizes.map((one) => one.kind)))];
    const most = Math.max(1e-9, ...keys.flatMap((key) => kinds.map((kind) => size(key, kind) ?? 0)));
    return el("div", { class: "wide" }, el("table", {}, el("caption", {}, t("memory")),
      el("thead", {}, el("tr", {}, el("th", { scope: "col" }, t("profile")), kinds.map((kind) => el("th", { scope: "col" }, kind)))),
      el("tbody", {}, keys.map((key) => el("tr", {}, el("th", { scope: "row" }, page.why(key)), kinds.map((kind) => {
        const value = size(key, kind);
        return el("td", {}, value === undefined ? "–" : figure(value),
          el("meter", { min: 0, max: most, value: value ?? 0, "aria-label": `${key} ${kind}` }));
      }))))));
  }

  function draw(store, changes) {
    if (!changes.all && !changes.map.has("findings") && !changes.map.has("memory")) return;
    const rows = store.section("findings");
    const keys = store.keys("findings");
    // The latest of each profile: the winner's own stands beside the one as deployed.
    const last = new Map(keys.map((key) => rows.get(key)).filter((row) => row.kind === "step-time-breakdown").map((row) => [row.profile ?? "", row]));
    breakdown.replaceChildren(...[...last].flatMap(([profile, row]) => [el("h3", {}, [row.kindText, profile].filter(Boolean).join(": ")), ...bar(row.parts)]));
    findings.replaceChildren(...keys.map((key) => {
      const row = rows.get(key);
      return el("li", {}, el("strong", {}, row.kindText), row.profile ? ` (${row.profile}): ` : ": ", row.statement, " ",
        el("span", { class: "place" }, row.sources.join(", ")), " ", page.why(row.attempt));
    }));
    const profiles = store.keys("memory");
    memory.replaceChildren(...(profiles.length ? [sizes(store.section("memory"), profiles)] : []));
    section.hidden = keys.length === 0 && profiles.length === 0;
  }

  return { node: section, draw };
}
