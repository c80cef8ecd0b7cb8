// All sweeps with status, best and expected end; and the one that is looked at.

import { el, keyed, say, set } from "./dom.js";
import { isFile } from "./api.js";
import { clock, duration, interval, moment, percent, t } from "./texts.js";

/** Of a sweep that has not finished and is not driven: nothing moves. */
const asItIs = (sweep) => (isFile ? t("as.of", moment(sweep.lastEventAt)) : t("not.driven"));

export function list(page) {
  const body = el("tbody");
  const nodes = new Map();
  const waiting = el("ul", { "aria-labelledby": "starts-title" });
  const startsBox = el("div", { class: "starts" }, el("h3", { id: "starts-title" }, t("starts")), waiting);
  let told = null;

  /** Starts that wait for their hour, and what came of those that did not. */
  function drawStarts(starts) {
    const wanted = JSON.stringify(starts);
    if (told === wanted) return;
    told = wanted;
    startsBox.hidden = starts.length === 0;
    waiting.replaceChildren(...starts.map(({ file, at, weekly, last, damaged }) => el("li", {}, el("code", {}, file), " ", [
      damaged && t("start.damaged"),
      at && t(weekly ? "start.weekly" : "start.due", moment(at)),
      last && t(last.succeeded ? "start.made" : "start.failed", moment(last.at), last.said),
    ].filter(Boolean).join(t("start.and")))));
  }

  function create(id) {
    const cells = ["status", "best", "done", "end"].map(() => el("td"));
    const bar = el("progress", { max: 1, "aria-label": `${t("done")} ${id}` });
    const row = el("tr", {}, el("th", { scope: "row" },
      el("a", { href: "#" + encodeURIComponent(id) }, id)), cells);
    cells[2].append(bar);
    row.parts = { cells, bar, link: row.querySelector("a") };
    return row;
  }

  function draw(sweeps, starts, shown) {
    drawStarts(starts);
    keyed(body, sweeps.map((sweep) => sweep.id), nodes, create);
    for (const sweep of sweeps) {
      const { cells, bar, link } = nodes.get(sweep.id).parts;
      if (sweep.id === shown) set(link, "aria-current", "page");
      else link.removeAttribute("aria-current");
      say(cells[0], sweep.error ?? (sweep.reading ? t("looking") : sweep.phaseText + (sweep.finished || sweep.driven ? "" : " – " + asItIs(sweep))));
      set(cells[0], "class", "phase " + (sweep.phase ?? (sweep.reading ? "" : "halted")));
      say(cells[1], sweep.best ? `${sweep.best.profile} ${percent(sweep.best.gain)}${sweep.best.confirmed ? " ★" : ""}` : "–");
      bar.value = sweep.finished ? 1 : (sweep.fraction ?? 0);
      say(cells[3], sweep.finished ? moment(sweep.lastEventAt) : sweep.expectedEnd ? t("eta", clock(sweep.expectedEnd)) : "–");
    }
  }

  return {
    node: el("section", { id: "sweeps", "aria-labelledby": "sweeps-title" },
      el("h2", { id: "sweeps-title" }, t("sweeps")),
      el("div", { class: "wide" }, el("table", {}, el("caption", { class: "unseen" }, t("sweeps")),
        el("thead", {}, el("tr", {}, ["sweep", "status", "best", "done", "end"].map(
          (key) => el("th", { scope: "col" }, t(key))))), body)), startsBox),
    draw,
  };
}

export function summary(page) {
  const title = el("h2", { id: "summary-title" });
  const status = el("p", { class: "status", role: "status" });
  const facts = el("dl");
  const waves = el("ol", { class: "waves" });
  const remarks = el("ul", { class: "remarks" });
  const nodes = new Map();
  const values = new Map();

  function fact(key, value) {
    if (!values.has(key)) {
      const dd = el("dd");
      facts.append(el("div", {}, el("dt", {}, t(key)), dd));
      values.set(key, dd);
    }
    const dd = values.get(key);
    say(dd, value ?? "–");
  }

  function draw(store, changes) {
    const s = store.sweep;
    if (!s) return;
    say(title, `${s.model} ${s.parallelism}`);
    const listed = page.sweeps().find((sweep) => sweep.id === page.sweep());
    const isStill = listed && !listed.driven && !s.finished && !page.isPast();
    say(status, [s.phaseText, isStill && asItIs(s), s.why, s.outage && t("outage", s.outage), s.storage && t("storage", s.storage)]
      .filter(Boolean).join(" – "));
    set(status, "class", "status phase " + s.phase);
    fact("best", s.best ? `${s.best.confirmed ? "★ " : ""}${s.best.profile} ${percent(s.best.gain)} (${interval(s.best.low, s.best.high)})` : t("best.none"));
    fact("end", s.finished ? moment(s.lastEventAt) : s.expectedEnd ? t("eta", clock(s.expectedEnd)) : "–");
    fact("elapsed", duration((s.finished ? s.lastEventAt : store.at) - s.startedAt));
    fact("jobs", s.jobsLimit ? t("jobs.of", s.jobs, s.jobsLimit) : String(s.jobs));
    if (s.nodeHoursLimit) fact("node-hours", t("node-hours.of", s.nodeHours.toFixed(1), s.nodeHoursLimit.toFixed(1)));
    fact("deadline", s.deadline ? moment(s.deadline) : "–");
    fact("trials", t("trials.words", s.trials.planned, s.trials.measured, s.trials.failed, s.trials.dropped + s.trials.unsupported, s.trials.open));
    fact("nodes", s.nodes.join(" "));
    if (changes.all || changes.map.has("remarks")) {
      remarks.replaceChildren(...store.keys("remarks").map((key) => el("li", {}, store.section("remarks").get(key).text)));
    }
    if (!changes.all && !changes.map.has("waves")) return;
    const rows = store.section("waves");
    if (changes.all) {
      waves.replaceChildren();
      nodes.clear();
    }
    keyed(waves, store.keys("waves"), nodes, (key) => el("li", {}, page.why(rows.get(key).name), " ", el("span")));
    for (const key of store.keys("waves")) {
      const row = rows.get(key);
      set(nodes.get(key), "class", "wave " + row.status);
      set(nodes.get(key), "title", row.note);
      say(nodes.get(key).lastChild, [row.kind === row.name ? "" : row.kind, row.trials ? `${row.statusText} ${row.done}/${row.trials}` : row.statusText].filter(Boolean).join(", "));
    }
  }

  return {
    node: el("section", { id: "summary", "aria-labelledby": "summary-title" }, title, status, facts, waves, remarks),
    draw,
  };
}
