// The leaderboard: a row a profile, its interval as a bar that moves as runs come in.

import { el, keyed, say, set, svg } from "./dom.js";
import { interval, percent, t } from "./texts.js";

const WIDTH = 240;
const ROW = 22;

export function board(page) {
  const body = el("tbody");
  const scale = el("span", { class: "scale" });
  const empty = el("p", { class: "empty" });
  const dropped = el("ul", { class: "dropped" });
  const droppedBox = el("details", {}, el("summary"), dropped);
  const table = el("table", {},
    el("caption", { class: "unseen" }, t("board")),
    el("thead", {}, el("tr", {},
      ...["profile", "gain", "interval.column", "runs", "mean", "verdict"].map(
        (key) => el("th", { scope: "col" }, t(key), key === "interval.column" ? scale : null)),
      el("th", { scope: "col" }, el("span", { class: "unseen" }, t("actions"))))),
    body);
  const rows = new Map();
  const drops = new Map();
  let reach = 1;

  function create(profile) {
    const line = svg("line", { class: "whisker" });
    const dot = svg("circle", { r: 4 });
    const bar = svg("svg", {
      viewBox: `0 0 ${WIDTH} ${ROW}`, class: "interval", role: "img", preserveAspectRatio: "none",
    }, svg("line", { class: "zero", x1: WIDTH / 2, x2: WIDTH / 2, y1: 0, y2: ROW }), line, dot);
    const cells = ["gain", "bar", "runs", "mean", "verdict"].map((key) => el("td", { class: key === "gain" ? "figure" : null }));
    cells[1].append(bar);
    const settings = el("code", { class: "settings" });
    const row = el("tr", { "data-profile": profile },
      el("th", { scope: "row" }, el("span", { class: "star", "aria-hidden": "true" }),
        page.why(profile), settings),
      ...cells, el("td", { class: "act" }, page.skip(profile)));
    row.parts = { line, dot, bar, cells, settings, star: row.querySelector(".star") };
    return row;
  }

  const x = (gain) => WIDTH / 2 + (Math.max(-1, Math.min(1, gain / reach)) * (WIDTH / 2 - 6));

  function fill(row, data, active) {
    const { line, dot, bar, cells, settings, star } = row.parts;
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
    set(bar, "aria-label", `${percent(data.gain)}; ${known ? interval(low, high) : t("interval.none")}`);
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
      reach = Math.max(1, ...keys.flatMap((key) => {
        const { gain, low, high } = data.get(key);
        const dot = Math.abs(gain ?? 0);
        // An interval that is open to one side is none yet.
        if (low === undefined || high === undefined) return [dot * 1.2];
        // One profile without certainty must not press all others together.
        return [dot * 1.2, Math.min(Math.abs(low), dot * 3 + 2), Math.min(Math.abs(high), dot * 3 + 2)];
      }));
      say(scale, ` (±${reach.toPrecision(2)} %)`);
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
    say(empty, keys.length === 0 ? t("board.none")
      : t("baseline", baseline?.mean ?? "–", store.sweep?.unit ?? "", baseline?.runs ?? 0, store.sweep?.tag ?? "–"));
    table.hidden = keys.length === 0;
  }

  return {
    node: el("section", { id: "board", "aria-labelledby": "board-title" },
      el("h2", { id: "board-title" }, t("board")), empty, el("div", { class: "wide" }, table), droppedBox),
    draw,
  };
}
