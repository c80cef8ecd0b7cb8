// Jobs on the nodes: a lane a node, a bar an attempt; what is hatched is idle.

import { el, paged, say, set, svg } from "./dom.js";
import { clock, duration, t } from "./texts.js";

const LANE = 24;
const LATEST = 200;

export function timeline(page) {
  const bars = svg("svg", { class: "bars", preserveAspectRatio: "none", role: "img" });
  const names = el("div", { class: "lanes", "aria-hidden": "true" });
  const from = el("span");
  const to = el("span");
  const sum = el("p", { class: "sum" });
  const tip = el("p", { class: "tip", "aria-hidden": "true" });
  const list = el("tbody", { tabindex: "-1" });
  const pages = paged(list, LATEST, () => rows(shown));
  const wide = el("div", { class: "wide" }, el("table", {},
      el("caption", { class: "unseen" }, t("timeline")),
      el("thead", {}, el("tr", {}, ...["job", "profile", "tag", "purpose", "try", "status", "start", "elapsed", "steps"].map(
        (key) => el("th", { scope: "col" }, t(key))))),
      list), pages.more);
  const table = el("details", {}, el("summary", {}, t("jobs.table")), wide);
  const paths = new Map();
  let start = 0;
  let lanes = [];
  let shown = null;
  table.addEventListener("toggle", () => shown && rows(shown));

  function path(id, data, store) {
    let node = paths.get(id);
    if (!node) {
      node = svg("path", { "data-attempt": id });
      // The table of jobs has the same by keys, and what is said here.
      node.addEventListener("click", () => page.choose(id));
      node.addEventListener("mouseenter", () => say(tip, describe(id, store.section("attempts").get(id), store)));
      node.addEventListener("mouseleave", () => say(tip, ""));
      paths.set(id, node);
      bars.append(node);
    }
    if (!data.startedAt) {
      node.removeAttribute("d");
      return;
    }
    // Seconds from the start: a longer night changes the view box alone.
    const x = (data.startedAt - start) / 1000;
    const width = Math.max(0.2, ((data.endedAt ?? store.at) - data.startedAt) / 1000);
    const own = data.nodes.map((name) => lanes.indexOf(name));
    set(node, "d", own.map((lane) => `M${x} ${lane * LANE + 3}h${width}v${LANE - 6}h${-width}z`).join(""));
    const kind = data.status === "running" || data.status === "ended" ? "running"
      : data.status === "measured" || data.status === "done" ? (data.control ? "control" : "good")
      : data.status === "cancelled" ? "cancelled" : "bad";
    set(node, "class", kind + (data.number > 1 ? " retry" : ""));
  }

  const status = (data) => (data.cancelled ? t("cancelled", data.statusText, data.cancelled) : data.statusText);

  function describe(id, data, store) {
    if (!data) return "";
    const end = data.endedAt ?? store.at;
    return `${data.job ?? id}: ${data.profile}, ${data.purpose}, ${t("try")} ${data.number}, ${status(data)}, `
      + `${clock(data.startedAt)} (${duration(end - data.startedAt)})`;
  }

  /** Milliseconds in which no job of the sweep ran, and those since its start. A job takes all nodes of the cell. */
  function idle(store) {
    const spans = [...store.section("attempts").values()].filter((a) => a.startedAt)
      .map((a) => [a.startedAt, a.endedAt ?? store.at]).sort((a, b) => a[0] - b[0]);
    const end = store.sweep.finished ? store.sweep.lastEventAt : store.at;
    let busy = 0;
    let reached = start;
    for (const [from, to] of spans) {
      busy += Math.max(0, to - Math.max(from, reached));
      reached = Math.max(reached, to);
    }
    return [Math.max(0, end - start - busy), end - start];
  }

  function rows(store) {
    if (!table.open) return;
    const attempts = store.section("attempts");
    const latest = pages.take(store.keys("attempts").reverse());
    wide.hidden = latest.length === 0;
    list.replaceChildren(...latest.map((id) => {
      const a = attempts.get(id);
      return el("tr", {}, el("th", { scope: "row" }, page.why(id, a.job ?? id)),
        ...[a.profile, a.tag, a.purpose, a.number, status(a), clock(a.startedAt),
          a.startedAt ? duration((a.endedAt ?? store.at) - a.startedAt) : "–"].map((x) => el("td", {}, String(x))),
        el("td", {}, a.startedAt ? page.stepsOf(id) : null));
    }));
  }

  function draw(store, changes) {
    shown = store;
    const sweep = store.sweep;
    if (!sweep) return;
    if (changes.all) {
      paths.forEach((node) => node.remove());
      paths.clear();
      start = sweep.startedAt ?? 0;
    }
    const attempts = store.section("attempts");
    let changed = changes.of("attempts");
    // The cell's nodes, and those that it had before it moved.
    if (changes.all) lanes = [];
    const known = lanes.length;
    for (const name of [...sweep.nodes, ...[...changed].flatMap((id) => attempts.get(id).startedAt ? attempts.get(id).nodes : [])]) {
      if (!lanes.includes(name)) lanes.push(name);
    }
    if (changes.all || lanes.length > known) {
      names.replaceChildren(...lanes.map((name) => el("span", {}, name)));
      changed = new Set(attempts.keys());
    }
    for (const id of changed) path(id, attempts.get(id), store);
    for (const id of page.running(store)) if (!changed.has(id)) path(id, attempts.get(id), store);
    const end = sweep.finished ? sweep.lastEventAt : store.at;
    set(bars, "viewBox", `0 0 ${Math.max(1, (end - start) / 1000)} ${lanes.length * LANE}`);
    bars.style.height = `${lanes.length * LANE}px`;
    say(from, clock(start));
    say(to, clock(end));
    const [gaps, span] = idle(store);
    const retries = [...attempts.values()].filter((a) => a.number > 1).length;
    say(sum, t("timeline.sum", attempts.size, retries, duration(gaps), span > 0 ? Math.round(100 * gaps / span) : 0));
    set(bars, "aria-label", sum.textContent);
    if (changes.all || changed.size) rows(store);
  }

  return {
    node: el("section", { id: "timeline", "aria-labelledby": "timeline-title" },
      el("h2", { id: "timeline-title" }, t("timeline")),
      sum,
      el("div", { class: "chart" }, names, el("div", { class: "idle" }, bars)),
      el("p", { class: "axis", "aria-hidden": "true" }, from, to),
      el("p", { class: "legend", "aria-hidden": "true" }, ...["good", "control", "bad", "cancelled", "running", "retry", "gap"].map(
        (kind) => el("span", { class: "key " + kind }, t("legend." + kind)))),
      tip, table),
    draw,
  };
}
