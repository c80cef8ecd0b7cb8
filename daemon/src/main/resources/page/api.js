// What the server answers, or the file that the page was exported to.

const inside = document.getElementById("data");
const packed = inside ? JSON.parse(inside.textContent) : null;

/** Whether this is a file: nothing moves, and nothing can be acted on. */
export const isFile = packed !== null;

export async function get(path) {
  if (packed) {
    if (!(path in packed)) throw new Error("not in this file");
    return packed[path];
  }
  const response = await fetch(path, { credentials: "same-origin" });
  if (!response.ok) throw new Error(String(response.status));
  return response.json();
}

/** Tells the daemon something; gives back why it was refused, or null. */
export async function act(sweep, form) {
  const response = await fetch(`api/sweeps/${encodeURIComponent(sweep)}/commands`, {
    method: "POST",
    credentials: "same-origin",
    headers: { "Content-Type": "application/json", "X-Nightsweep": "act" },
    body: JSON.stringify(form),
  });
  const answer = await response.json().catch(() => ({}));
  return response.ok ? null : (answer.refused ?? String(response.status));
}

const AGAIN_MILLIS = 1000;

/**
 * Follows a sweep from an event on. A stream that breaks is taken up after the last event that came,
 * also where the daemon was killed and started again.
 */
export function follow(sweep, lang, after, on) {
  let seq = after;
  let source = null;
  let timer = null;
  const open = () => {
    source = new EventSource(
      `api/sweeps/${encodeURIComponent(sweep)}/events?lang=${lang}&after=${seq}`);
    source.addEventListener("open", () => on.connected(true));
    source.addEventListener("frame", (event) => {
      const frame = JSON.parse(event.data);
      seq = frame.seq;
      on.frame(frame);
    });
    source.addEventListener("steps", (event) => on.steps(JSON.parse(event.data)));
    source.addEventListener("sweeps", (event) => on.sweeps(JSON.parse(event.data)));
    source.addEventListener("error", () => {
      // Browsers differ in what they try again by themselves.
      source.close();
      on.connected(false);
      timer = setTimeout(open, AGAIN_MILLIS);
    });
  };
  open();
  return () => {
    clearTimeout(timer);
    source.close();
  };
}
