// Why: the decisions about a profile, a wave or a job, and the events that led to each.

import { el } from "./dom.js";
import { about as of, get, named, turns } from "./api.js";
import { language, moment, t } from "./texts.js";

export function explain(page) {
  const title = el("h2", { id: "explain-title" });
  const content = el("div", { class: "content", tabindex: "0", role: "region", "aria-labelledby": "explain-title" });
  const dialog = el("dialog", { class: "drawer", "aria-labelledby": "explain-title" },
    el("form", { method: "dialog" }, el("button", { class: "close" }, t("close"))), title, content);

  function fill(answer) {
    const steps = answer.steps.toReversed().map((step) => el("li", {},
      el("p", {}, el("time", {}, moment(step.at)), " ", el("strong", {}, step.decided)),
      el("p", {}, t("because", step.because)),
      ...(step.events.length ? [el("ul", { class: "events" }, step.events.map(
        (event) => el("li", {}, el("span", { class: "place" }, `#${event.seq} `), event.words)))] : [])));
    content.replaceChildren(
      ...(answer.verdict ? [el("p", { class: "verdict" }, el("strong", {}, answer.verdict))] : []),
      ...(answer.settings ? [el("p", {}, el("code", {}, answer.settings))] : []),
      ...(answer.runs.length ? [el("h3", {}, t("explain.runs")), el("ul", {}, answer.runs.map((run) => el("li", {}, el("time", {}, moment(run.at)), " ", run.words)))] : []),
      ...(steps.length ? [el("h3", {}, t("explain.decisions")), el("ol", {}, steps)] : [el("p", {}, t("explain.none"))]));
  }

  const asks = turns();

  async function open(about) {
    const wanted = asks();
    title.textContent = about ? t("explain.of", about) : t("explain");
    content.replaceChildren(el("p", {}, t("loading")));
    if (!dialog.open) dialog.showModal();
    try {
      const query = about ? `about=${named(about)}&` : "";
      const answer = await get(`${of(page.sweep(), "/explain")}?${query}lang=${language}`);
      if (wanted()) fill(answer);
    } catch (error) {
      if (wanted()) content.replaceChildren(el("p", {}, t("not.available")));
    }
  }

  return { node: dialog, open };
}
