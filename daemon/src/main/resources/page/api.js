// What the server answers, or the file that the page was exported to.

import { language, t } from "./texts.js";

const inside = document.getElementById("data");
const packed = inside ? JSON.parse(inside.textContent) : null;

/** Whether this is a file: nothing moves, and nothing can be acted on. */
export const isFile = packed !== null;

/** A name in an address; a file holds its answers under names as they are. */
export const named = (name) => (isFile ? name : encodeURIComponent(name));

/** The address of what there is about a sweep. */
export const about = (sweep, what = "") => `api/sweeps/${named(sweep)}${what}`;

/** An answer that is none: its status, and what the daemon said, if anything. */
class NoAnswer extends Error {
  constructor(status, said) {
    super(`${status} ${said}`);
    this.status = status;
    this.said = said;
  }
}

export async function get(path) {
  if (packed) {
    if (!(path in packed)) throw new Error("not in this file");
    return packed[path];
  }
  const response = await fetch(path, { credentials: "same-origin" });
  if (!response.ok) throw new NoAnswer(response.status, (await response.json().catch(() => ({}))).refused);
  return response.json();
}

/** Why the page has no answer, in a text of the catalogue. */
export function trouble(error) {
  return error.name === "TimeoutError" ? t("unanswered", ANSWER_MILLIS / 1000) : error.status === 403 ? t("stale") : error.status === 503 ? t("busy")
    : error.status === 500 ? t("broken", error.said ?? "") : error.status === 404 ? t("not.available") : t("lost");
}

/**
 * Tells whether an answer is still wanted: each call begins a turn, whose function is true until the
 * next call. Answers come in any order, and one that is late must not overwrite a newer one.
 */
export function turns() {
  let last = 0;
  return () => {
    const own = ++last;
    return () => own === last;
  };
}

/** The daemon answers within a second; a browser with many pages open may not even ask it. */
const ANSWER_MILLIS = 30000;

/** Tells the daemon something; gives back words where it did not accept it, or null. */
async function post(path, form) {
  const response = await fetch(`${path}?lang=${language}`, {
    method: "POST",
    credentials: "same-origin",
    headers: { "Content-Type": "application/json", "X-Nightsweep": "act" },
    body: JSON.stringify(form),
    signal: AbortSignal.timeout(ANSWER_MILLIS),
  });
  if (response.ok) return null;
  const { refused } = await response.json().catch(() => ({}));
  return response.status === 409 || response.status === 400
    ? t("refused", refused ?? response.status) : trouble(new NoAnswer(response.status, refused));
}

export const act = (sweep, form) => post(about(sweep, "/commands"), form);

/** A person's answer to what an assistant asked for. */
export const answerAsked = (id, form) => post(`api/asked/${encodeURIComponent(id)}`, form);

export const pause = (millis) => new Promise((done) => setTimeout(done, millis));

const AGAIN_MILLIS = 1000;

/** Between two attempts where the daemon answers, and its answer is an error. */
const REFUSED_MILLIS = 10000;

/** The events of a stream (HTML Living Standard, 9.2): each a name and its data. */
async function hear(body, tell) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const events = (text + value).split("\n\n");
    text = events.pop();
    for (const lines of events) {
      const fields = new Map(lines.split("\n").map((line) => line.split(/: (.*)/s, 2)));
      if (fields.has("event")) tell(fields.get("event"), JSON.parse(fields.get("data")));
    }
  }
}

/** In a tab that nobody sees, between two looks: browsers keep few connections to one host open. */
const HIDDEN_MILLIS = 15000;

/**
 * Follows a sweep from an event on; gives back what ends that. A stream that breaks is taken up after the
 * last event that came, also where the daemon was killed and started again. An EventSource would not tell
 * the status of an answer, by which a sweep that is gone differs from a daemon that is busy.
 *
 * @param started when the sweep started, by which the daemon knows another one of the same name
 * @param on what is done with an event, by its name; connected is told what is wrong, or null
 */
export function follow(sweep, lang, after, started, on) {
  let seq = after;
  let isOver = false;
  let request = new AbortController();
  let wake = () => {};

  async function listen(isGlance) {
    const answer = await fetch(`${about(sweep, "/events")}?lang=${lang}&started=${started}${isGlance ? "&once=true" : ""}`, {
      credentials: "same-origin", signal: request.signal, headers: { "Last-Event-ID": seq },
    });
    if (!answer.ok) throw new NoAnswer(answer.status, (await answer.json().catch(() => ({}))).refused);
    on.connected(null);
    await hear(answer.body, (name, data) => {
      if (isOver) return;
      if (name === "frame") seq = data.seq;
      on[name]?.(data);
    });
  }

  async function go() {
    while (!isOver) {
      request = new AbortController();
      const isGlance = document.hidden;
      const error = await listen(isGlance).catch((problem) => problem);
      if (isOver) return;
      // The tab was hidden, or is seen again.
      if (request.signal.aborted) continue;
      if (error?.status === 404) on.gone();
      else if (error || !isGlance) on.connected(trouble(error ?? {}));
      const wait = error?.status ? REFUSED_MILLIS : isGlance ? HIDDEN_MILLIS : AGAIN_MILLIS;
      await Promise.race([pause(wait), new Promise((done) => { wake = done; })]);
    }
  }

  const turned = () => { request.abort(); wake(); };
  document.addEventListener("visibilitychange", turned);
  go();
  return () => {
    isOver = true;
    document.removeEventListener("visibilitychange", turned);
    turned();
  };
}
