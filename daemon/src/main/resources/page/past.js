// Walks a night back: its frames are put on one another up to the one that is chosen.

import { el, say, set } from "./dom.js";
import { about, get, turns } from "./api.js";
import { Store } from "./store.js";
import { language, moment, t } from "./texts.js";

export function past(page) {
  const slider = el("input", { type: "range", id: "slider", min: 0, max: 1, value: 1, step: 1, "aria-describedby": "slider-at" });
  const at = el("output", { id: "slider-at", for: "slider" });
  const now = el("button", { type: "button", id: "slider-now", onclick: () => leave() }, t("now"));
  const loads = turns();
  let frames = null;
  let loading = null;
  let store = null;
  let shown = 0;

  async function load() {
    const wanted = loads();
    const part = Number(slider.value) / Number(slider.max);
    const { frames: found } = await get(`${about(page.sweep(), "/history")}?lang=${language}`);
    // Of another sweep by now.
    if (!wanted()) return;
    frames = found;
    slider.max = frames.length;
    slider.value = Math.round(part * frames.length);
  }

  /** Forgets what was loaded, and what is being loaded. */
  function drop() {
    loads();
    frames = null;
    loading = null;
    store = null;
  }

  slider.addEventListener("pointerdown", () => begin());
  slider.addEventListener("focus", () => begin());
  slider.addEventListener("input", () => walk());

  async function begin() {
    if (frames) return;
    const own = (loading ??= load());
    await own.catch(() => { if (loading === own) loading = null; });
  }

  async function walk() {
    await begin();
    if (!frames) return;
    const index = Number(slider.value);
    if (index >= frames.length) {
      leave();
      return;
    }
    if (!store || index < shown) {
      store = new Store();
      shown = 0;
    }
    for (; shown < Math.max(1, index); shown++) store.put(frames[shown]);
    // Bars that are drawn anew belong to another time.
    store.isNew = true;
    page.redraw();
  }

  function leave() {
    // The button is hidden now.
    if (document.activeElement === now) slider.focus();
    slider.value = slider.max;
    drop();
    page.redraw(true);
  }

  function draw(live) {
    const text = store ? t("past", moment(store.at)) : live.sweep?.finished ? t("as.ended") : t("as.now");
    say(at, text);
    set(slider, "aria-valuetext", text);
    now.hidden = !store;
  }

  return {
    node: el("div", { class: "past" }, el("label", { for: "slider" }, t("slider")), slider, at, now),
    draw,
    store: () => store,
    forget: () => { drop(); slider.max = 1; slider.value = 1; },
  };
}
