// Pause, resume, stop, skip, budget. What ends something is asked back.

import { el, say } from "./dom.js";
import { t } from "./texts.js";

export function actions(page) {
  const button = (key, press) => el("button", { type: "button", "data-act": key, onclick: press }, t(key));
  const pause = button("pause", () => page.tell({ type: "pause" }));
  const resume = button("resume", () => page.tell({ type: "resume" }));
  const stop = button("stop", () => askStop());
  const budget = button("budget", () => askBudget());
  const why = el("button", { type: "button", onclick: () => page.explain("") }, t("explain"));
  const bar = el("div", { class: "actions", role: "group", "aria-label": t("actions") }, pause, resume, stop, budget, why);
  const heading = el("h2", { id: "ask-title" });
  const form = el("form", { method: "dialog" });
  const dialog = el("dialog", { "aria-labelledby": "ask-title" }, heading, form);

  function ask(title, fields, verb, make) {
    say(heading, title);
    const go = el("button", { class: "danger", value: "go" }, verb);
    form.replaceChildren(...fields, el("p", { class: "buttons" },
      el("button", { type: "button", onclick: () => dialog.close() }, t("cancel")), go));
    form.onsubmit = () => page.tell(make());
    dialog.showModal();
    return go;
  }

  function askStop() {
    const name = page.sweep();
    const typed = el("input", { id: "confirm", autocomplete: "off", required: true });
    const cancel = el("input", { type: "checkbox", id: "cancel-jobs" });
    const go = ask(t("stop.title"), [el("p", {}, t("stop.text")),
      el("p", {}, el("label", { for: "confirm" }, t("stop.type", name)), " ", typed),
      el("p", {}, cancel, " ", el("label", { for: "cancel-jobs" }, t("stop.cancel")))],
    t("stop"), () => ({ type: "stop", confirm: typed.value, cancel: cancel.checked }));
    go.disabled = true;
    typed.addEventListener("input", () => { go.disabled = typed.value !== name; });
    typed.focus();
  }

  function askBudget() {
    const jobs = el("input", { type: "number", min: 1, step: 1, id: "budget-jobs" });
    const hours = el("input", { type: "number", min: 0.1, step: "any", id: "budget-hours" });
    const nodeHours = el("input", { type: "number", min: 0.1, step: "any", id: "budget-node-hours" });
    ask(t("budget"), [el("p", {}, t("budget.text")),
      el("p", {}, el("label", { for: "budget-jobs" }, t("budget.jobs")), " ", jobs),
      el("p", {}, el("label", { for: "budget-hours" }, t("budget.hours")), " ", hours),
      el("p", {}, el("label", { for: "budget-node-hours" }, t("budget.node-hours")), " ", nodeHours)],
    t("set"), () => ({ type: "budget", ...(jobs.value && { jobs: Number(jobs.value) }), ...(hours.value && { hours: Number(hours.value) }),
      ...(nodeHours.value && { nodeHours: Number(nodeHours.value) }) }));
  }

  function askSkip(profile) {
    ask(t("skip.title", profile), [el("p", {}, t("skip.text"))], t("skip"), () => ({ type: "skip", profile }));
  }

  function draw(store) {
    const s = store.sweep;
    if (!s) return;
    const can = page.canAct() && !s.finished;
    const waits = s.phase === "paused" || s.phase === "halted";
    // What has the focus must not vanish under it.
    const focused = document.activeElement;
    pause.hidden = !can || s.phase !== "running";
    resume.hidden = !can || !waits;
    stop.hidden = !can || s.phase === "stopping";
    budget.hidden = !can || s.phase === "stopping";
    if (bar.contains(focused) && focused.hidden) [pause, resume, why].find((button) => !button.hidden).focus();
  }

  return { node: bar, dialog, draw, askSkip };
}
