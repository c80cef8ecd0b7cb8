// The steps of a job as they come, beside the band in which the baseline's steps lie.

import uPlot from "./uPlot.esm.js";
import { el, say } from "./dom.js";
import { about, get } from "./api.js";
import { duration, figure, t } from "./texts.js";

const HEIGHT = 220;

/** Steps are whole. */
const STEPS_BETWEEN_TICKS = [1, 2, 5].flatMap((one) => [0, 1, 2, 3, 4, 5].map((power) => one * 10 ** power)).sort((a, b) => a - b);

/** Of the range of what is drawn, above and below it. */
const MARGIN = 0.1;

/** Pixels; a shorter drag is a click. */
const SHORTEST_DRAG = 5;

/** The latest jobs, to choose from; the table of jobs leads to all others. */
const LISTED = 30;

export function steps(page) {
  const place = el("div", { class: "plot", role: "img" });
  const which = el("select", { id: "which-job" });
  const words = el("p", { id: "steps-words" });
  const why = el("span");
  const fetched = new Map();
  let chosen = null;
  let plot = null;
  let fresh = false;
  let of = null;
  /** First and last step that are shown, where a part was enlarged. */
  let zoom = null;
  /** Where the measured window begins, counted from 1. */
  let from = 1;
  const warmup = el("input", { type: "checkbox", id: "warm-up" });
  warmup.addEventListener("change", () => choose(chosen));
  which.addEventListener("change", () => choose(which.value));
  const sizes = new ResizeObserver(() => plot?.setSize({ width: place.clientWidth, height: HEIGHT }));
  sizes.observe(place);

  /** Shows another job; null for the running one. */
  function choose(id) {
    chosen = id || null;
    zoom = null;
    fresh = true;
    page.redraw();
  }

  /** The job that was chosen; else the running one with most steps; else the last that was measured. */
  function pick(store) {
    const attempts = store.section("attempts");
    if (chosen && attempts.has(chosen)) return chosen;
    const live = page.running(store);
    const series = store.section("steps");
    const length = (id) => series.get(id)?.index.length ?? 0;
    return live.filter((id) => length(id) > 0).sort((a, b) => length(b) - length(a))[0]
      ?? store.keys("attempts").filter((id) => attempts.get(id).status === "measured").at(-1) ?? live[0] ?? null;
  }

  function series(store, id) {
    const live = store.section("steps").get(id);
    if (live && attemptRuns(store, id)) return live;
    // A job that has ended since is asked for again: its last steps came with its end.
    const key = `${id} ${store.section("attempts").get(id)?.status}`;
    const isAhead = page.isPast() && attemptRuns(store, id);
    if (!fetched.has(key) && !isAhead) {
      fetched.set(key, null);
      const asked = of;
      get(`${about(page.sweep(), "/steps")}?attempt=${id}`)
        .then((found) => {
          // Another sweep's job may have the same id.
          if (asked !== of) return;
          fetched.set(key, found);
          fresh = true;
          page.redraw();
        })
        .catch(() => { if (asked === of) fetched.delete(key); });
    }
    return fetched.get(key) ?? live ?? { index: [], value: [] };
  }

  const attemptRuns = (store, id) => store.section("attempts").get(id)?.endedAt === undefined;

  function color(name) {
    return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  }

  function shows(part) {
    zoom = part;
    fresh = true;
    page.redraw();
  }

  function enlarge(u) {
    const { left, width } = u.select;
    if (width < SHORTEST_DRAG) return;
    u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
    shows([u.posToVal(left, "x"), u.posToVal(left + width, "x")]);
  }

  /** The measured steps in sight and the band fill the height: a warm-up step may be many times slower. */
  function range(u) {
    const [steps, lows, highs, values] = u.data;
    const inSight = steps.map((step, i) => i).filter((i) => !zoom || (steps[i] >= zoom[0] && steps[i] <= zoom[1]));
    const measured = inSight.filter((i) => warmup.checked || zoom || steps[i] >= from);
    const drawn = (measured.length ? measured : inSight).flatMap((i) => [values[i], lows[i], highs[i]]).filter(Number.isFinite);
    if (drawn.length === 0) return [0, 1];
    const low = drawn.reduce((a, b) => Math.min(a, b));
    const high = drawn.reduce((a, b) => Math.max(a, b));
    const margin = MARGIN * (high - low || Math.abs(high) || 1);
    return [low - margin, high + margin];
  }

  /** A line where the measured window begins. */
  function mark(u) {
    place.dataset.range = `${u.scales.y.min} ${u.scales.y.max}`;
    const at = u.valToPos(from, "x", true);
    if (from <= 1 || at < u.bbox.left || at > u.bbox.left + u.bbox.width) return;
    u.ctx.save();
    u.ctx.strokeStyle = color("--warn");
    u.ctx.setLineDash([6, 4]);
    u.ctx.beginPath();
    u.ctx.moveTo(at, u.bbox.top);
    u.ctx.lineTo(at, u.bbox.top + u.bbox.height);
    u.ctx.stroke();
    u.ctx.restore();
  }

  function build(unit) {
    plot?.destroy();
    const axis = { stroke: color("--ink"), grid: { stroke: color("--grid"), width: 1 }, ticks: { stroke: color("--grid") } };
    plot = new uPlot({
      width: place.clientWidth || 600, height: HEIGHT, legend: { show: false },
      cursor: { x: false, y: false, points: { show: false }, drag: { x: true, y: false, setScale: false }, bind: { dblclick: () => () => shows(null) } },
      scales: { x: { time: false, range: (u, low, high) => zoom ?? [low ?? 0, high ?? 1] }, y: { range } },
      hooks: { setSelect: [enlarge], draw: [mark] },
      axes: [{ ...axis, label: t("step"), incrs: STEPS_BETWEEN_TICKS }, { ...axis, label: unit, size: 70, values: (u, ticks) => ticks.map(figure) }],
      series: [{}, { stroke: color("--band-edge"), width: 1, points: { show: false } }, { stroke: color("--band-edge"), width: 1, points: { show: false } },
        { stroke: color("--accent"), width: 2, points: { show: true, size: 5 } }],
      bands: [{ series: [2, 1], fill: color("--band") }],
    }, [[], [], [], []], place);
  }

  function draw(store, changes) {
    const sweep = store.sweep;
    if (!sweep) return;
    if (of !== page.sweep()) {
      of = page.sweep();
      zoom = null;
      fetched.clear();
    }
    const touched = fresh || changes.all || ["steps", "attempts", "bands"].some((name) => changes.map.has(name));
    fresh = false;
    if (changes.all || !plot) build(sweep.unit);
    const id = pick(store);
    if (touched) options(store, id);
    if (!id) {
      say(words, t("steps.none"));
      place.hidden = true;
      why.replaceChildren();
      delete why.dataset.of;
      return;
    }
    const attempt = store.section("attempts").get(id);
    const band = store.section("bands").get(attempt.tag);
    const data = series(store, id);
    if (touched) {
      if (why.dataset.of !== id) {
        why.dataset.of = id;
        why.replaceChildren(page.why(id, t("explain")));
      }
      from = (attempt.windowFrom ?? band?.from ?? 0) + 1;
      place.hidden = data.index.length === 0;
      // People count steps from 1, as the status does; logs count from 0.
      plot.setData([data.index.map((step) => step + 1), data.index.map(() => band?.low), data.index.map(() => band?.high), data.value]);
    }
    const step = Math.max(attempt.step, data.index.at(-1) ?? -1) + 1;
    say(words, [
      t("steps.words", attempt.profile, attempt.job ?? id, step, attempt.stepsTotal || data.index.length || "?", figure(data.value.at(-1)), sweep.unit,
        band ? t("steps.band", figure(band.low), figure(band.high)) : t("steps.noband")),
      from > 1 && t("steps.window", from),
      !attemptRuns(store, id) ? t("steps.over") : attempt.stepAt && t("steps.age", duration(store.at - attempt.stepAt)),
    ].filter(Boolean).join("; "));
    place.setAttribute("aria-label", words.textContent);
  }

  function options(store, id) {
    const attempts = store.section("attempts");
    const ids = [...new Set([...page.running(store), ...(id ? [id] : []),
      ...store.keys("attempts").filter((key) => attempts.get(key).startedAt).slice(-LISTED).reverse()])];
    const wanted = ids.map((key) => `${key}\u0000${attempts.get(key).profile}\u0000${attempts.get(key).statusText}`).join("\n");
    const first = t(page.running(store).length ? "steps.follow" : "steps.latest");
    if (which.dataset.ids !== first + wanted) {
      which.dataset.ids = first + wanted;
      which.replaceChildren(el("option", { value: "" }, first), ...ids.map(
        (key) => el("option", { value: key }, `${attempts.get(key).profile} – ${attempts.get(key).job ?? key} (${attempts.get(key).statusText})`)));
    }
    which.value = chosen && attempts.has(chosen) ? chosen : "";
  }

  return {
    node: el("section", { id: "steps", "aria-labelledby": "steps-title" },
      el("h2", { id: "steps-title" }, t("steps")),
      el("label", { for: "which-job" }, t("job") + " ", which, " ", why),
      el("p", {}, warmup, " ", el("label", { for: "warm-up" }, t("steps.warmup"))), words, place, el("p", { class: "empty" }, t("steps.zoom"))),
    draw,
    choose,
    show: (id) => { choose(id); which.focus(); },
    // The plot listens to the window, and would stay in memory with all that it stands in.
    dispose: () => { sizes.disconnect(); plot?.destroy(); },
  };
}
