// The sweep that is looked at: where it stands, what it has spent, and its waves.

import { waiting } from "./approvals.js";
import { el, keyed, say, set } from "./dom.js";
import { asItIs, end } from "./sweeps.js";
import { duration, interval, moment, nodeHours, percent, t } from "./texts.js";

export function summary(page) {
  const title = el("h2", { id: "summary-title" });
  const status = el("p", { class: "status", role: "status" });
  const facts = el("dl");
  const waves = el("ol", { class: "waves" });
  const remarks = el("ul", { class: "remarks" });
  const halt = el("div", { class: "halt" });
  const questions = el("button", { type: "button", class: "waiting", hidden: true, onclick: () => document.getElementById("approvals").focus() });
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

  /** Who paused it; what the daemon tried before it halted, and the nodes that it suspects; how it goes on. */
  function drawHalt(s) {
    const said = [s.by && t("by", s.by.who, s.by.door, moment(s.by.at)), s.tried && t("halt.tried", s.tried), s.failingNodes?.length && t("halt.nodes", s.failingNodes.join(" ")), s.next].filter(Boolean);
    if (halt.dataset.said === said.join("\n")) return;
    halt.dataset.said = said.join("\n");
    halt.replaceChildren(...said.map((words) => el("p", {}, words)));
  }

  function draw(store, changes) {
    const s = store.sweep;
    if (!s) return;
    say(title, `${s.model} ${s.parallelism}`);
    const listed = page.sweeps().find((sweep) => sweep.id === page.sweep());
    const isStill = listed && !listed.driven && !s.finished && !page.isPast();
    say(status, [page.isPast() && t("past", moment(store.at)), s.phaseText, s.turn, isStill && asItIs(s), s.why, s.outage && t("outage", s.outage),
      ...(s.remedies ?? []).map((r) => t("remedy-step", r.step, moment(r.since), moment(r.until), r.failure))]
      .filter(Boolean).join(" – "));
    set(status, "class", `status phase ${s.phase}${page.isPast() ? " past-time" : ""}`);
    drawHalt(s);
    const open = page.isPast() ? 0 : waiting(store);
    questions.hidden = open === 0;
    say(questions, t("approvals.waiting", open));
    fact("best", s.best ? `${s.best.confirmed ? "★ " : ""}${s.best.profile} ${percent(s.best.gain)} (${interval(s.best.low, s.best.high)})` : t("best.none"));
    fact("end", s.finished ? moment(s.lastEventAt) : end(s));
    fact("elapsed", duration((s.finished ? s.lastEventAt : store.at) - s.startedAt));
    fact("jobs", s.jobsLimit ? t("jobs.of", s.jobs, s.jobsLimit) : String(s.jobs));
    if (s.nodeHoursLimit) fact("node-hours", t("node-hours.of", nodeHours(s.nodeHours), nodeHours(s.nodeHoursLimit)));
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
    node: el("section", { id: "summary", "aria-labelledby": "summary-title" }, title, status, halt, questions, facts, waves, remarks),
    draw,
  };
}
