// The steps of a job as they come, beside the band in which the baseline's steps lie.

import uPlot from "./uPlot.esm.js";
import { el, say } from "./dom.js";
import { about, get } from "./api.js";
import { figure, t } from "./texts.js";

const HEIGHT = 220;

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
  which.addEventListener("change", () => choose(which.value));
  const sizes = new ResizeObserver(() => plot?.setSize({ width: place.clientWidth, height: HEIGHT }));
  sizes.observe(place);

  /** Shows another job; null for the running one. */
  function choose(id) {
    chosen = id || null;
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

  function build(unit) {
    plot?.destroy();
    const axis = { stroke: color("--ink"), grid: { stroke: color("--grid"), width: 1 }, ticks: { stroke: color("--grid") } };
    plot = new uPlot({
      width: place.clientWidth || 600, height: HEIGHT, legend: { show: false }, cursor: { show: false },
      scales: { x: { time: false } },
      axes: [{ ...axis, label: t("step") }, { ...axis, label: unit, size: 70, values: (u, ticks) => ticks.map(figure) }],
      series: [{}, { stroke: color("--band-edge"), width: 1, points: { show: false } }, { stroke: color("--band-edge"), width: 1, points: { show: false } },
        { stroke: color("--accent"), width: 2, points: { show: true, size: 5 } }],
      bands: [{ series: [2, 1], fill: color("--band") }],
    }, [[], [], [], []], place);
  }

  function draw(store, changes) {
    const sweep = store.sweep;
    if (!sweep) return;
    const touched = fresh || ["steps", "attempts", "bands"].some((name) => changes.map.has(name));
    if (!changes.all && !touched) return;
    fresh = false;
    if (changes.all || !plot) build(sweep.unit);
    if (of !== page.sweep()) {
      of = page.sweep();
      fetched.clear();
    }
    const id = pick(store);
    options(store, id);
    if (!id) {
      say(words, t("steps.none"));
      place.hidden = true;
      why.replaceChildren();
      delete why.dataset.of;
      return;
    }
    const attempt = store.section("attempts").get(id);
    if (why.dataset.of !== id) {
      why.dataset.of = id;
      why.replaceChildren(page.why(id, t("explain")));
    }
    const data = series(store, id);
    place.hidden = data.index.length === 0;
    const band = store.section("bands").get(attempt.tag);
    plot.setData([data.index, data.index.map(() => band?.low), data.index.map(() => band?.high), data.value]);
    const value = data.value.at(-1);
    say(words, t("steps.words", attempt.profile, attempt.job ?? id, Math.max(0, attempt.step, data.index.at(-1) ?? 0),
      attempt.stepsTotal || data.index.length || "?", figure(value), sweep.unit,
      band ? t("steps.band", figure(band.low), figure(band.high)) : t("steps.noband")));
    place.setAttribute("aria-label", words.textContent);
  }

  function options(store, id) {
    const attempts = store.section("attempts");
    const ids = [...new Set([...page.running(store), ...(id ? [id] : []),
      ...store.keys("attempts").filter((key) => attempts.get(key).startedAt).slice(-LISTED).reverse()])];
    const wanted = ids.map((key) => `${key}\u0000${attempts.get(key).profile}\u0000${attempts.get(key).statusText}`).join("\n");
    if (which.dataset.ids !== wanted) {
      which.dataset.ids = wanted;
      which.replaceChildren(el("option", { value: "" }, t("steps.follow")), ...ids.map(
        (key) => el("option", { value: key }, `${attempts.get(key).profile} – ${attempts.get(key).job ?? key} (${attempts.get(key).statusText})`)));
    }
    which.value = chosen && attempts.has(chosen) ? chosen : "";
  }

  return {
    node: el("section", { id: "steps", "aria-labelledby": "steps-title" },
      el("h2", { id: "steps-title" }, t("steps")),
      el("label", { for: "which-job" }, t("job") + " ", which, " ", why), words, place),
    draw,
    choose,
    show: (id) => { choose(id); which.focus(); },
    // The plot listens to the window, and would stay in memory with all that it stands in.
    dispose: () => { sizes.disconnect(); plot?.destroy(); },
  };
}
