// Walks a night back: its frames are put on one another up to the one that is chosen.

import { el, say, set } from "./dom.js";
import { about, get, turns } from "./api.js";
import { Store } from "./store.js";
import { language, moment, t } from "./texts.js";

/** The slider's places: hundredths of the night. At the last one the page is as it is now. */
const END = 100;

export function past(page) {
  const slider = el("input", { type: "range", id: "slider", min: 0, max: END, value: END, step: 1, "aria-describedby": "slider-at" });
  const at = el("output", { id: "slider-at", for: "slider" });
  const now = el("button", { type: "button", id: "slider-now", onclick: () => leave() }, t("now"));
  const loads = turns();
  let frames = null;
  let upTo = 0;
  let loading = null;
  let store = null;
  let shown = 0;

  async function load() {
    const wanted = loads();
    const seq = page.live().seq;
    const { frames: found } = await get(`${about(page.sweep(), "/history")}?lang=${language}`);
    // Of another sweep by now.
    if (!wanted()) return;
    frames = found;
    upTo = seq;
  }

  slider.addEventListener("pointerdown", () => begin());
  slider.addEventListener("focus", () => begin());
  slider.addEventListener("input", () => walk());

  /** Loads the night; again where it has gone on since, and nobody is walking in it. */
  async function begin() {
    if (frames && (store || upTo === page.live().seq)) return;
    const own = (loading ??= load());
    await own.catch(() => {});
    if (loading === own) loading = null;
  }

  async function walk() {
    await begin();
    if (!frames) return;
    // The place is read when the frames are there: it may have moved while they came.
    const place = Number(slider.value);
    if (place >= END || frames.length === 0) {
      leave();
      return;
    }
    const count = Math.max(1, Math.round(frames.length * place / END));
    if (!store || count < shown) {
      store = new Store();
      shown = 0;
    }
    for (; shown < count; shown++) store.put(frames[shown]);
    // Bars that are drawn anew belong to another time.
    store.isNew = true;
    page.redraw();
  }

  function leave() {
    // The button is hidden now.
    if (document.activeElement === now) slider.focus();
    slider.value = END;
    store = null;
    page.redraw(true);
  }

  function draw() {
    const text = store ? t("past", moment(store.at)) : page.live().sweep?.finished ? t("as.ended") : t("as.now");
    say(at, text);
    set(slider, "aria-valuetext", text);
    now.hidden = !store;
  }

  /** Forgets what was loaded, and what is being loaded. */
  function forget() {
    loads();
    frames = null;
    loading = null;
    store = null;
    slider.value = END;
  }

  return {
    node: el("div", { class: "past" }, el("label", { for: "slider" }, t("slider")), slider, at, now),
    draw,
    store: () => store,
    forget,
  };
}
