// The leaderboard: a row a profile, its interval as a bar that moves as runs come in.

import { el, keyed, say, set, svg } from "./dom.js";
import { interval, percent, t } from "./texts.js";

const WIDTH = 240;
const ROW = 22;

/** Per cent to either side of zero that the axis can show. */
const REACHES = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];

export function board(page) {
  const body = el("tbody", { role: "rowgroup" });
  const scale = el("span", { class: "scale", "aria-hidden": "true" }, el("span"), el("span", {}, "0"), el("span"));
  const guess = el("p", { class: "empty" }, t("interval.guess"));
  const empty = el("p", { class: "empty" });
  const dropped = el("ul", { class: "dropped" });
  const droppedBox = el("details", {}, el("summary"), dropped);
  // On a phone a row is a block, which browsers take for no row any more: the roles say it.
  const table = el("table", { role: "table" },
    el("caption", { class: "unseen" }, t("board")),
    el("thead", { role: "rowgroup" }, el("tr", { role: "row" },
      ...["profile", "gain", "interval.column", "runs", "mean", "verdict"].map(
        (key) => el("th", { scope: "col", role: "columnheader" }, t(key), key === "interval.column" ? scale : null)),
      el("th", { scope: "col", role: "columnheader" }, el("span", { class: "unseen" }, t("actions"))))),
    body);
  const rows = new Map();
  const drops = new Map();
  let reach = REACHES[0];
  let of = null;

  function create(profile) {
    const line = svg("line", { class: "whisker" });
    const dot = svg("circle", { r: 4 });
    const bar = svg("svg", {
      viewBox: `0 0 ${WIDTH} ${ROW}`, class: "interval", "aria-hidden": "true", preserveAspectRatio: "none",
    }, svg("line", { class: "zero", x1: WIDTH / 2, x2: WIDTH / 2, y1: 0, y2: ROW }), line, dot);
    const cells = ["gain", "bar", "runs", "mean", "verdict"].map((key) => el("td", { class: key === "gain" ? "figure" : key, role: "cell" }));
    const bounds = el("span", { class: "bounds" });
    cells[1].append(bar, bounds);
    cells[2].dataset.label = t("runs");
    cells[3].dataset.label = t("mean");
    const settings = el("code", { class: "settings" });
    const row = el("tr", { "data-profile": profile, role: "row" },
      el("th", { scope: "row", role: "rowheader" }, el("span", { class: "star", "aria-hidden": "true" }),
        page.why(profile), settings),
      ...cells, el("td", { class: "act", role: "cell" }, page.skip(profile)));
    row.parts = { line, dot, bounds, cells, settings, star: row.querySelector(".star") };
    return row;
  }

  const x = (gain) => WIDTH / 2 + (Math.max(-1, Math.min(1, gain / reach)) * (WIDTH / 2 - 6));

  function fill(row, data, active) {
    const { line, dot, bounds, cells, settings, star } = row.parts;
    say(star, data.winner ? "★ " : "");
    set(row, "class", data.winner ? "winner" : data.verdict);
    say(settings, data.settings);
    say(cells[0], percent(data.gain));
    say(cells[2], String(data.runs));
    say(cells[3], data.mean);
    say(cells[4], data.verdictText);
    const known = data.low !== undefined && data.high !== undefined;
    const low = known ? data.low : data.guessLow;
    const high = known ? data.high : data.guessHigh;
    say(bounds, known ? interval(low, high) : t("interval.none"));
    set(line, "class", known ? "whisker" : "whisker guess");
    for (const [name, value] of [["x1", x(low ?? data.gain ?? 0)], ["x2", x(high ?? data.gain ?? 0)],
      ["y1", ROW / 2], ["y2", ROW / 2]]) set(line, name, value);
    set(dot, "cx", x(data.gain ?? 0));
    set(dot, "cy", ROW / 2);
    row.querySelector(".act button").hidden = !active || data.winner || data.isControl;
  }

  function draw(store, changes) {
    if (!changes.all && !changes.map.has("board") && !changes.map.has("dropped")
        && !changes.map.has("sweep")) return;
    const data = store.section("board");
    const gone = store.section("dropped");
    const keys = [...data.keys()].sort((a, b) => data.get(a).rank - data.get(b).rank);
    if (changes.all || changes.map.has("board")) {
      // It grows while a sweep is looked at, and never shrinks: bars move because of runs alone.
      if (of !== page.sweep()) reach = REACHES[0];
      of = page.sweep();
      const needed = Math.max(reach, ...keys.flatMap((key) => {
        const { gain, low, high } = data.get(key);
        const dot = Math.abs(gain ?? 0);
        // An interval that is open to one side is none yet.
        if (low === undefined || high === undefined) return [dot * 1.2];
        // One profile without certainty must not press all others together.
        return [dot * 1.2, Math.min(Math.abs(low), dot * 3 + 2), Math.min(Math.abs(high), dot * 3 + 2)];
      }));
      reach = REACHES.find((one) => one >= needed) ?? REACHES.at(-1);
      say(scale.firstChild, `−${reach} %`);
      say(scale.lastChild, `+${reach} %`);
      keyed(body, keys, rows, create);
    }
    const active = page.canAct() && !store.sweep?.finished;
    for (const key of keys) fill(rows.get(key), data.get(key), active && !gone.has(key));
    const left = store.keys("dropped");
    keyed(dropped, left, drops, (profile) => el("li", {}, page.why(profile), " ", el("span")));
    for (const profile of left) {
      const { cause, why } = gone.get(profile);
      say(drops.get(profile).lastChild, `${cause}: ${why}`);
    }
    droppedBox.hidden = left.length === 0;
    say(droppedBox.firstChild, t("dropped", left.length));
    const baseline = store.section("baseline").values().next().value;
    say(empty, keys.length === 0 ? (baseline?.runs ? t("board.baselines", baseline.mean, store.sweep?.unit ?? "", baseline.runs) : t("board.none"))
      : t("baseline", baseline?.mean ?? "–", store.sweep?.unit ?? "", baseline?.runs ?? 0, store.sweep?.tag ?? "–"));
    table.hidden = keys.length === 0;
    guess.hidden = !keys.some((key) => data.get(key).low === undefined || data.get(key).high === undefined);
  }

  return {
    node: el("section", { id: "board", "aria-labelledby": "board-title" },
      el("h2", { id: "board-title" }, t("board")), empty, el("div", { class: "wide" }, table), guess, droppedBox),
    draw,
  };
}
