// The page: one sweep at a time, drawn from its rows; a frame a change, a drawing an animation frame.

import { about, act, follow, get, isFile, pause, trouble, turns } from "./api.js";
import { actions } from "./actions.js";
import { asked } from "./asked.js";
import { advice } from "./advice.js";
import { approvals, waiting } from "./approvals.js";
import { board } from "./board.js";
import { checks } from "./checks.js";
import { compare } from "./compare.js";
import { el, say } from "./dom.js";
import { evidence } from "./evidence.js";
import { explain } from "./explain.js";
import { failures } from "./failures.js";
import { past } from "./past.js";
import { steps } from "./steps.js";
import { Store } from "./store.js";
import { summary } from "./summary.js";
import { list } from "./sweeps.js";
import { setLanguage, t } from "./texts.js";
import { timeline } from "./timeline.js";

const LANGUAGES = { en: "English", zh: "中文" };
const THEMES = ["auto", "light", "dark"];
const TICK_MILLIS = 5000;
const AGAIN_MILLIS = 2000;
const LONGEST_MILLIS = 30000;
const ACCEPTED_MILLIS = 8000;

/** Kept in the browser where it lets us; a file that is opened may not. */
const settings = {
  get: (key) => { try { return localStorage.getItem("nightsweep-" + key); } catch { return null; } },
  set: (key, value) => { try { localStorage.setItem("nightsweep-" + key, value); } catch { /* only for this visit */ } },
};

const live = new Store();
let lang = settings.get("lang") ?? (navigator.language.startsWith("zh") ? "zh" : "en");
let theme = settings.get("theme") ?? "auto";
let sweeps = [];
let starts = [];
let farewell = "";
let sweep = null;
/** The program that this page came from. */
const own = document.querySelector("meta[name=build]")?.content;
const begun = turns();
const shows = turns();
let connected = false;
let stopFollowing = () => {};
let requests = [];
let views = null;
let drawer = null;
let isDrawing = false;
const alarm = el("p", { class: "lost", role: "alert", hidden: true });
const said = el("p", { class: "said", role: "status" });
/** Views that could not be drawn, by name. */
const undrawn = new Set();

/** What the page shows of a sweep, in this order; each has an element and draws itself from the rows. */
const VIEWS = { asked, list, summary, actions, past, board, checks, timeline, steps, approvals, failures, evidence, advice, compare };

/** Commands that were just given. */
const told = new Set();
const ONCE_MILLIS = 1000;

const page = {
  isFile,
  sweep: () => sweep,
  sweeps: () => sweeps,
  starts: () => starts,
  /** What assistants ask for. */
  requests: () => requests,
  /** The rows of now, also while the night is walked back. */
  live: () => live,
  canAct: () => !isFile && !page.isPast(),
  isPast: () => views.past.store() !== null,
  running: (store) => [...store.section("attempts")].filter(([, a]) => a.status === "running").map(([id]) => id),
  choose: (id) => views.steps.choose(id),
  /** A button that shows the steps of a job. */
  stepsOf: (id) => el("button", { type: "button", "aria-label": t("steps.of", id), onclick: () => views.steps.show(id) }, t("steps")),
  explain: (about) => drawer.open(about),
  why: (about, label) => el("button", { type: "button", class: "why", title: t("explain"), onclick: () => page.explain(about) }, label ?? about),
  skip: (profile) => el("button", { type: "button", "aria-label": t("skip.title", profile), onclick: () => views.actions.askSkip(profile) }, t("skip")),
  deny: (key, row) => views.actions.askDeny(key, row),
  redraw: (all) => { if (all) live.isNew = true; draw(); },
  /** Gives a command once, however often a button is pressed until its sweep shows the effect. */
  tell: async (form, to = sweep) => {
    const command = JSON.stringify([to, form]);
    if (told.has(command)) return;
    told.add(command);
    setTimeout(() => told.delete(command), ONCE_MILLIS);
    say(said, t("telling"));
    const refused = await act(to, form).catch(trouble);
    say(said, refused ?? t("accepted"));
    // What was refused stays until the next command.
    if (!refused) setTimeout(() => { if (said.textContent === t("accepted")) say(said, ""); }, ACCEPTED_MILLIS);
  },
};

function build() {
  const language = el("select", { id: "language" }, Object.entries(LANGUAGES).map(([key, name]) => el("option", { value: key, lang: key }, name)));
  language.value = lang;
  language.addEventListener("change", () => { lang = language.value; settings.set("lang", lang); start(); });
  const look = el("select", { id: "theme" }, THEMES.map((name) => el("option", { value: name }, t("theme." + name))));
  look.value = theme;
  look.addEventListener("change", () => { theme = look.value; settings.set("theme", theme); applyTheme(); page.redraw(true); });
  Object.values(views ?? {}).forEach((view) => view.dispose?.());
  views = Object.fromEntries(Object.entries(VIEWS).map(([name, make]) => [name, make(page)]));
  drawer = explain(page);
  undrawn.clear();
  const nodes = Object.values(views).map((view) => view.node);
  nodes.splice(nodes.indexOf(views.actions.node) + 1, 0, said);
  const focused = document.activeElement?.id;
  document.body.replaceChildren(
    el("a", { class: "skip-link", href: "#main" }, t("skip.link")),
    el("header", {}, el("h1", {}, "Nightsweep"), el("span", { class: "settings" },
      el("label", { for: "language" }, t("language")), language, el("label", { for: "theme" }, t("theme")), look)),
    el("main", { id: "main", tabindex: "-1" }, alarm, nodes),
    el("footer", {}, el("p", {}, isFile ? t("file") : t("door"))),
    views.actions.dialog, drawer.node);
  // A new language builds the page anew; the focus stays on the control that asked for it.
  if (focused) document.getElementById(focused)?.focus();
}

function applyTheme() {
  if (theme === "auto") document.documentElement.removeAttribute("data-theme");
  else document.documentElement.setAttribute("data-theme", theme);
}

function draw() {
  if (isDrawing || !views) return;
  isDrawing = true;
  requestAnimationFrame(() => {
    isDrawing = false;
    const shown = views.past.store() ?? live;
    const changes = shown.takeChanges();
    document.getElementById("main").classList.toggle("empty", !shown.sweep);
    for (const [name, view] of Object.entries(views)) {
      try {
        view.draw(shown, changes);
      } catch (error) {
        undrawnIs(name, error);
      }
    }
    const open = waiting(live) + requests.length;
    document.title = (open ? `(${open}) ` : "") + (shown.sweep ? `${shown.sweep.phaseText} – ${shown.sweep.id} – Nightsweep` : "Nightsweep");
  });
}

/** A view that fails is named once, and takes no other with it. */
function undrawnIs(name, error) {
  if (undrawn.has(name)) return;
  undrawn.add(name);
  console.error(name, error);
  say(said, t("undrawn", views[name].node.querySelector("h2")?.textContent ?? name));
}

/** Tells what is wrong; nothing, where nothing is. */
function lost(words) {
  say(alarm, words ?? "");
  alarm.hidden = !words;
}

async function show(id) {
  const wanted = shows();
  const whole = await get(`${about(id)}?lang=${lang}`);
  if (!wanted()) return;
  stopFollowing();
  sweep = id;
  live.clear();
  views.past.forget();
  views.compare.forget();
  views.actions.forget();
  lost(null);
  say(said, farewell);
  farewell = "";
  live.put(whole);
  draw();
  if (isFile) return;
  connected = true;
  stopFollowing = follow(id, lang, live.seq, live.sweep?.startedAt ?? "", {
    connected: (words) => { connected = !words; lost(words); },
    frame: (frame) => { live.put(frame); draw(); },
    steps: (rows) => { live.putSteps(rows); draw(); },
    sweeps: (rows) => { sweeps = rows; draw(); },
    asked: (rows) => { requests = rows; draw(); },
    starts: (rows) => { starts = rows; draw(); },
    // Another program answers: its page belongs to it.
    build: (build) => { if (own && build !== own) location.reload(); },
    gone: () => leave(id),
  });
}

/** A sweep that was removed is shown no longer; another one takes its place. */
function leave(id) {
  sweep = null;
  live.clear();
  draw();
  farewell = t("gone", id);
  start();
}

/** An address that somebody cut short names no sweep. */
const inAddress = () => { try { return decodeURIComponent(location.hash.slice(1)); } catch { return ""; } };

/** The sweep of the address; else the one that was shown, else the first that can be read. */
function pick() {
  const readable = sweeps.filter((row) => !row.beside);
  return [inAddress(), sweep].map((id) => readable.find((row) => row.id === id)).find((row) => row)
    ?? readable.find((row) => !row.error);
}

/** Asks until there are texts, and then a sweep to show: the page may be opened before the first. */
async function start() {
  const wanted = begun();
  stopFollowing();
  connected = false;
  applyTheme();
  const before = sweep;
  let isBuilt = false;
  for (let wait = AGAIN_MILLIS; ; wait = Math.min(2 * wait, LONGEST_MILLIS)) {
    try {
      if (!isBuilt) {
        const texts = await get(`api/texts?lang=${lang}`);
        if (!wanted()) return;
        setLanguage(lang, texts);
        build();
        isBuilt = true;
      }
      const rows = await get(`api/sweeps?lang=${lang}`);
      starts = isFile ? [] : await get(`api/starts?lang=${lang}`);
      if (!wanted()) return;
      sweeps = rows;
      lost(null);
      const first = pick();
      if (first) {
        await show(first.id);
        return;
      }
      say(said, [farewell, t("no.sweeps")].filter(Boolean).join(" "));
      requests = await get("api/asked");
      if (!wanted()) return;
      wait = AGAIN_MILLIS / 2;
    } catch (error) {
      if (!wanted()) return;
      if (views) lost(trouble(error));
    }
    draw();
    await pause(wait);
    // Somebody chose a sweep meanwhile.
    if (!wanted() || sweep !== before) return;
  }
}

window.addEventListener("hashchange", () => {
  const id = inAddress();
  if (id !== sweep && sweeps.some((row) => row.id === id && !row.beside)) show(id).catch((error) => lost(trouble(error)));
});
setInterval(() => {
  if (!connected || !live.sweep || live.sweep.finished) return;
  live.tick();
  draw();
}, TICK_MILLIS);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => page.redraw(true));

start();
