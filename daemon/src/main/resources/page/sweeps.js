// All sweeps with status, best and expected end, and the starts that are to come.

import { el, keyed, say, set } from "./dom.js";
import { isFile } from "./api.js";
import { clock, moment, percent, t } from "./texts.js";

/** Of a sweep that has not finished and is not driven: nothing moves. */
export const asItIs = (sweep) => (isFile ? t("as.of", moment(sweep.lastEventAt)) : t("not.driven"));

/** Where it stands, whether a person's answer is waited for, and whose turn it is in a shared night. */
const phase = (sweep) => [sweep.asks ? t("asks", sweep.phaseText) : sweep.phaseText, sweep.turn].filter(Boolean).join(", ");

/** When it will probably end; not while it waits for a person. */
export const end = (sweep) => (sweep.expectedEnd ? t("eta", clock(sweep.expectedEnd))
  : sweep.asks || sweep.phase === "paused" || sweep.phase === "halted" ? t("end.waits") : "–");

export function list(page) {
  const still = el("p", { class: "empty" });
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

  function draw() {
    drawStarts(page.starts());
    const sweeps = page.sweeps().filter((row) => !row.beside);
    keyed(body, sweeps.map((sweep) => sweep.id), nodes, create);
    say(still, page.isPast() ? t("sweeps.now") : "");
    // The sweep that is looked at stands here as it does below, not as the last list had it.
    const now = page.live().sweep;
    for (const listed of sweeps) {
      const sweep = now && listed.id === page.sweep() ? { ...listed, ...now, id: listed.id } : listed;
      const { cells, bar, link } = nodes.get(sweep.id).parts;
      if (sweep.id === page.sweep()) set(link, "aria-current", "page");
      else link.removeAttribute("aria-current");
      say(cells[0], sweep.error ?? (sweep.reading ? t("looking") : phase(sweep) + (sweep.finished || sweep.driven ? "" : " – " + asItIs(sweep))));
      set(cells[0], "class", "phase " + (sweep.phase ?? (sweep.reading ? "" : "halted")));
      say(cells[1], sweep.best ? `${sweep.best.profile} ${percent(sweep.best.gain)}${sweep.best.confirmed ? " ★" : ""}` : "–");
      bar.value = sweep.finished ? 1 : (sweep.fraction ?? 0);
      say(cells[3], sweep.finished ? moment(sweep.lastEventAt) : end(sweep));
    }
  }

  return {
    node: el("section", { id: "sweeps", "aria-labelledby": "sweeps-title" },
      el("h2", { id: "sweeps-title" }, t("sweeps")), still,
      el("div", { class: "wide" }, el("table", {}, el("caption", { class: "unseen" }, t("sweeps")),
        el("thead", {}, el("tr", {}, ["sweep", "status", "best", "done", "end"].map(
          (key) => el("th", { scope: "col" }, t(key))))), body)), startsBox),
    draw,
  };
}
