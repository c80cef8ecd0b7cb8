// What assistants ask for; a person confirms or denies it here. Each request names itself.

import { answerAsked, isFile, trouble } from "./api.js";
import { el, keyed, say } from "./dom.js";
import { moment, t } from "./texts.js";

export function asked(page) {
  const list = el("div");
  const said = el("p", { class: "said", role: "status" });
  const nodes = new Map();
  const section = el("section", { id: "asked", "aria-labelledby": "asked-title", hidden: true, tabindex: "-1" },
    el("h2", { id: "asked-title" }, t("asked")), list, said);

  async function answer(id, form) {
    // The buttons that were pressed vanish with the request.
    section.focus();
    say(said, t("telling"));
    say(said, (await answerAsked(id, form).catch(trouble)) ?? t("accepted"));
  }

  function create(row) {
    const typed = el("input", { id: "asked-" + row.id, autocomplete: "off", required: true });
    const yes = el("button", { class: "danger", disabled: true }, t("confirm"));
    typed.addEventListener("input", () => { yes.disabled = typed.value !== row.id; });
    const form = el("form", {}, el("label", { for: "asked-" + row.id }, t("asked.type", row.id)), " ", typed, " ", yes, " ",
      el("button", { type: "button", "data-deny": row.id, onclick: () => answer(row.id, { type: "deny" }) }, t("deny")));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      answer(row.id, { type: "confirm", confirm: typed.value });
    });
    return el("article", {}, el("p", {}, t("asked.by", row.assistant, row.id), " ", el("code", {}, row.command)),
      ...(row.files.length ? [el("pre", { tabindex: "0" }, row.files.join("\n"))] : []),
      el("p", {}, t("asked.until", moment(row.until))), form);
  }

  function draw() {
    if (isFile) return;
    const rows = page.requests();
    const byId = new Map(rows.map((row) => [row.id, row]));
    keyed(list, [...byId.keys()], nodes, (id) => create(byId.get(id)));
    section.hidden = rows.length === 0 && !said.textContent;
  }

  return { node: section, draw };
}
