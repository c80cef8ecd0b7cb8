// Pause, resume, stop, skip, budget. What ends something is asked back.

import { el, say } from "./dom.js";
import { figure, t } from "./texts.js";

export function actions(page) {
  const button = (key, press) => el("button", { type: "button", "data-act": key, onclick: press }, t(key));
  const pause = button("pause", () => page.tell({ type: "pause" }));
  const resume = button("resume", () => page.tell({ type: "resume" }));
  const stop = button("stop", () => askStop());
  const budget = button("budget", () => askBudget());
  const why = el("button", { type: "button", onclick: () => page.explain("") }, t("explain"));
  const bar = el("div", { class: "actions", role: "group", "aria-label": t("actions") }, pause, resume, stop, budget, why);
  const heading = el("h2", { id: "ask-title" });
  const dialog = el("dialog", { "aria-labelledby": "ask-title" }, heading);
  let limits = {};
  let used = {};
  let drains = false;

  function ask(title, fields, verb, make) {
    const to = page.sweep();
    say(heading, `${title} – ${to}`);
    const go = el("button", { class: "danger", value: "go" }, verb);
    dialog.replaceChildren(heading, el("form", { method: "dialog", onsubmit: () => page.tell(make(), to) }, fields,
      el("p", { class: "buttons" }, el("button", { type: "button", onclick: () => dialog.close() }, t("cancel")), go)));
    dialog.showModal();
    return go;
  }

  /** Where the sweep stops already and waits for its jobs, they can be cancelled. */
  function askStop() {
    const name = page.sweep();
    const typed = el("input", { id: "confirm", autocomplete: "off", required: true });
    const cancel = el("input", { type: "checkbox", id: "cancel-jobs", checked: drains, disabled: drains });
    const go = ask(t(drains ? "stop.now.title" : "stop.title"), [el("p", {}, t(drains ? "stop.now.text" : "stop.text")),
      el("p", {}, el("label", { for: "confirm" }, t("stop.type", name)), " ", typed),
      el("p", {}, cancel, " ", el("label", { for: "cancel-jobs" }, t("stop.cancel")))],
    t(drains ? "stop.now" : "stop"), () => ({ type: "stop", confirm: typed.value, cancel: cancel.checked }));
    go.disabled = true;
    typed.addEventListener("input", () => { go.disabled = typed.value !== name; });
    typed.focus();
  }

  /** A field for each limit, beside the one that holds; what is left empty stays as it is. */
  function askBudget() {
    const fields = { jobs: { min: 1, step: 1 }, hours: { min: 0.1, max: 744, step: "any" }, nodeHours: { min: 0.1, step: "any" } };
    const inputs = Object.entries(fields).map(([name, bounds]) => el("input", { type: "number", id: "budget-" + name, "aria-describedby": "now-" + name, ...bounds }));
    const go = ask(t("budget"), [el("p", {}, t("budget.text")), ...Object.keys(fields).map((name, i) => el("p", {},
      el("label", { for: "budget-" + name }, t("budget." + name)), " ", inputs[i], " ",
      el("span", { id: "now-" + name, class: "place" }, t("budget.now", limits[name] ?? t("budget.unlimited"), used[name]))))],
    t("set"), () => ({ type: "budget", ...Object.fromEntries(Object.keys(fields).map((name, i) => [name, inputs[i].valueAsNumber]).filter(([, value]) => !Number.isNaN(value))) }));
    go.disabled = true;
    for (const input of inputs) input.addEventListener("input", () => { go.disabled = inputs.every((one) => !one.value); });
  }

  function askSkip(profile) {
    ask(t("skip.title", profile), [el("p", {}, t("skip.text"))], t("skip"), () => ({ type: "skip", profile }));
  }

  function askDeny(key, row) {
    ask(t("deny.title"), [row.text, ...row.reason, t("deny.does", row.onNo)].map((words) => el("p", {}, words)),
      t("deny"), () => ({ type: "deny", approval: key }));
  }

  function draw(store) {
    const s = store.sweep;
    if (!s) return;
    limits = { jobs: s.jobsLimit, hours: s.hoursLimit && figure(s.hoursLimit), nodeHours: s.nodeHoursLimit && figure(s.nodeHoursLimit) };
    used = { jobs: s.jobs, hours: figure((store.at - s.startedAt) / 3.6e6), nodeHours: figure(s.nodeHours) };
    const can = page.canAct() && !s.finished;
    const waits = s.phase === "paused" || s.phase === "halted";
    // What has the focus must not vanish under it.
    const focused = document.activeElement;
    pause.hidden = !can || s.phase !== "running";
    resume.hidden = !can || !waits;
    drains = s.drains === true;
    say(stop, t(drains ? "stop.now" : "stop"));
    stop.hidden = !can || (s.phase === "stopping" && !drains);
    budget.hidden = !can || s.phase === "stopping";
    if (bar.contains(focused) && focused.hidden) [pause, resume, why].find((button) => !button.hidden).focus();
  }

  // What was asked about another sweep is not done to this one.
  return { node: bar, dialog, draw, askSkip, askDeny, forget: () => dialog.close() };
}
