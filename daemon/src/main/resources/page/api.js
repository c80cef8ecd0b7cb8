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
  return error.status === 403 ? t("stale") : error.status === 503 ? t("busy")
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

/** Tells the daemon something; gives back words where it did not accept it, or null. */
async function post(path, form) {
  const response = await fetch(`${path}?lang=${language}`, {
    method: "POST",
    credentials: "same-origin",
    headers: { "Content-Type": "application/json", "X-Nightsweep": "act" },
    body: JSON.stringify(form),
  });
  if (response.ok) return null;
  const { refused } = await response.json().catch(() => ({}));
  return response.status === 409 || response.status === 400
    ? t("refused", refused ?? response.status) : trouble(new NoAnswer(response.status, refused));
}

export const act = (sweep, form) => post(about(sweep, "/commands"), form);

/** A person's answer to what an assistant asked for. */
export const answerAsked = (id, form) => post(`api/asked/${encodeURIComponent(id)}`, form);

const AGAIN_MILLIS = 1000;

/** Between two attempts where the daemon answers, and its answer is an error. */
const REFUSED_MILLIS = 10000;

/**
 * Follows a sweep from an event on. A stream that breaks is taken up after the last event that came,
 * also where the daemon was killed and started again.
 */
export function follow(sweep, lang, after, on) {
  let seq = after;
  let source = null;
  let timer = null;
  let closed = false;
  let again = AGAIN_MILLIS;
  let broken = 0;
  // A stream that breaks has no status: the sweep itself is asked for, which has one.
  async function why(isFirst) {
    again = AGAIN_MILLIS;
    try {
      await get(`${about(sweep)}?lang=${lang}`);
      return isFirst ? t("lost") : t("busy");
    } catch (error) {
      if (error.status) again = REFUSED_MILLIS;
      if (error.status === 404 && !closed) on.gone();
      return trouble(error);
    }
  }
  const open = () => {
    source = new EventSource(
      `${about(sweep, "/events")}?lang=${lang}&after=${seq}`);
    source.addEventListener("open", () => {
      broken = 0;
      on.connected(null);
    });
    source.addEventListener("frame", (event) => {
      const frame = JSON.parse(event.data);
      seq = frame.seq;
      on.frame(frame);
    });
    source.addEventListener("steps", (event) => on.steps(JSON.parse(event.data)));
    source.addEventListener("asked", (event) => on.asked(JSON.parse(event.data)));
    source.addEventListener("sweeps", (event) => on.sweeps(JSON.parse(event.data)));
    source.addEventListener("starts", (event) => on.starts(JSON.parse(event.data)));
    source.addEventListener("build", (event) => on.build(JSON.parse(event.data)));
    source.addEventListener("error", () => {
      // Browsers differ in what they try again by themselves.
      source.close();
      timer = setTimeout(open, again);
      why(broken++ === 0).then((words) => { if (!closed && source.readyState !== EventSource.OPEN) on.connected(words); });
    });
  };
  open();
  return () => {
    closed = true;
    clearTimeout(timer);
    source.close();
  };
}
