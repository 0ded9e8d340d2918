// The workbench of plugins: checks while one writes, parts of the page in place of pages, keys, and drafts that are kept
// in this browser until they are saved.

const form = document.querySelector("form[data-workbench]");
const texts = ["source", "settings", "cases"];
const field = (name) => form.elements.namedItem(name);
const editor = (name) => form.querySelector(`code-editor[data-part="${name}"]`);

// A check follows this long after the last key.
const REST = 400;
// Recorded calls that were replayed are replayed again this long after a change. The audit log has each replay.
const REPLAY_REST = 1500;
// A check that takes longer is said to be under way: the first one of a server does.
const SLOW = 1000;
let turn = 0;
let rest;
let replayRest;
let isBusy = false;

/** What all fields hold. */
const entered = () => new URLSearchParams(new FormData(form));

/** Sends the form as a button does, and takes over the parts of the answer. */
async function send(act) {
  const mine = ++turn;
  const body = entered();
  const before = body.toString();
  body.set("act", act);
  const sent = now();
  const slow = setTimeout(() => {
    const badge = document.querySelector("#results [role=status] .badge");
    if (mine === turn && badge) Object.assign(badge, { className: "badge", textContent: "checking…" });
  }, SLOW);
  let answer;
  try {
    answer = await fetch(form.action, { method: "POST", body, headers: { accept: "text/html", "x-console-parts": "true" } });
  } catch {
    return false;
  } finally {
    clearTimeout(slow);
  }
  if (mine !== turn) return true;
  if (!answer.ok) return false;
  const policy = window.trustedTypes?.createPolicy(`workbench-${mine}`, { createHTML: (text) => text });
  const text = await answer.text();
  if (mine !== turn) return true;
  const page = new DOMParser().parseFromString(policy ? policy.createHTML(text) : text, "text/html");
  if (!page.querySelector("#results")) return false;
  // What was entered in the forms since stays: the next check tells of it.
  const isOld = ["check", "replay"].includes(act) && entered().toString() !== before;
  for (const name of ["settings", "cases"]) {
    const fresh = page.querySelector(`[data-text="${name}"]`)?.value;
    // So does what was written.
    if (fresh === undefined || document.activeElement === field(name) || field(name).value !== sent[name]) continue;
    if (editor(name)?.draw) editor(name).value = fresh;
    else field(name).value = fresh;
  }
  for (const id of ["results", "settings-form", "case-forms", "trial", "replay"]) {
    const [part, fresh] = [document.getElementById(id), page.getElementById(id)];
    // What one is writing in stays; what was tried stays until the next try.
    if (!part || !fresh || (part.contains(document.activeElement) && document.activeElement.matches("input, textarea, select"))) continue;
    if (id === "trial" && !act.startsWith("try")) continue;
    if (id === "replay" && !act.startsWith("replay")) continue;
    if (isOld && id !== "results") continue;
    const open = [...part.querySelectorAll("details")].map((details) => details.open);
    part.replaceWith(fresh);
    if (act === "check") fresh.querySelectorAll("details").forEach((details, at) => { details.open ||= Boolean(open[at]); });
    fresh.dispatchEvent(new CustomEvent("console:prepared", { bubbles: true }));
  }
  if (act.startsWith("try")) showAtField();
  form.querySelectorAll("code-editor").forEach((one) => one.mark?.());
  keep();
  return true;
}

// What is wrong with a field of the trial stands at the field as well.
function showAtField() {
  for (const one of form.querySelectorAll('[name^="try."][aria-invalid]')) {
    one.removeAttribute("aria-invalid");
    document.getElementById(`${one.name}-problem`)?.remove();
  }
  const alert = document.querySelector("#trial [data-field]");
  const wrong = alert && field(alert.dataset.field);
  if (!wrong) return;
  const problem = document.createElement("p");
  Object.assign(problem, { className: "problem", id: `${wrong.name}-problem`, textContent: alert.textContent.trim() });
  wrong.setAttribute("aria-invalid", "true");
  const described = (wrong.getAttribute("aria-describedby") ?? "").split(" ").filter((id) => id && id !== problem.id);
  wrong.setAttribute("aria-describedby", [...described, problem.id].join(" "));
  wrong.insertAdjacentElement("afterend", problem);
  const details = wrong.closest("details");
  if (details) details.open = true;
}

form.addEventListener("click", async (event) => {
  const button = event.target.closest("button[data-parts]");
  if (button) {
    event.preventDefault();
    if (isBusy) return;
    isBusy = true;
    button.setAttribute("aria-busy", "true");
    const done = await send(button.value);
    isBusy = false;
    button.removeAttribute("aria-busy");
    if (!done) {
      // A whole page says what is wrong.
      delete button.dataset.parts;
      form.requestSubmit(button);
    }
    return;
  }
  const problem = event.target.closest("#results [data-line]");
  if (problem) editor(problem.dataset.part)?.goTo(Number(problem.dataset.line), Number(problem.dataset.column || 1));
});
const checkSoon = () => {
  clearTimeout(rest);
  rest = setTimeout(() => { if (!isBusy) send("check"); }, REST);
};
const replaySoon = () => {
  clearTimeout(replayRest);
  if (!document.querySelector("#replay table")) return;
  replayRest = setTimeout(() => { if (!isBusy) send("replay"); }, REPLAY_REST);
};
form.addEventListener("input", (event) => {
  keep();
  if (event.target.name?.startsWith("try.")) return;
  checkSoon();
  replaySoon();
});
form.addEventListener("focusout", (event) => { if (/^(set|case)\./.test(event.target.name ?? "")) checkSoon(); });
form.elements.namedItem("language")?.addEventListener?.("change", () => editor("source")?.draw?.());
document.addEventListener("keydown", (event) => {
  if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
  const pressed = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const button = [...form.querySelectorAll("button[data-key]")].find((one) => one.dataset.key === pressed);
  if (!button) return;
  event.preventDefault();
  button.click();
});
form.querySelector(".keys").hidden = false;
// A field that the browser refuses is seen.
form.addEventListener("invalid", ({ target }) => {
  for (let part = target.closest("details"); part; part = part.parentElement.closest("details")) part.open = true;
}, true);

// Drafts. A draft belongs to a plugin and the version that it was made of.
const PREFIX = "claimsmith:draft:";
const MAX_AGE = 14 * 24 * 3600 * 1000;
const key = `${PREFIX}${form.dataset.workbench}:${form.dataset.version}`;
const said = form.querySelector(".kept");
const now = () => Object.fromEntries(texts.map((name) => [name, field(name).value]));
const same = (one, other) => texts.every((name) => one[name] === other[name]);
const first = Object.fromEntries(texts.map((name) => [name, field(name).defaultValue]));
// A form that the server shows again holds what was never saved.
const isShownAgain = "again" in form.dataset;
if (isShownAgain) form.setAttribute("data-dirty", "");
// The draft that was sent last, which is done with once the server says so.
const SENT = "claimsmith:sent";

function keep() {
  const texts = now();
  const isChanged = isShownAgain || !same(texts, first);
  try {
    if (isChanged) localStorage.setItem(key, JSON.stringify({ ...texts, at: Date.now() }));
    else localStorage.removeItem(key);
    said.textContent = isChanged ? "Not saved yet; kept in this browser." : "";
  } catch {
    said.textContent = isChanged ? "Not saved yet." : "";
  }
}

function offer(draft) {
  const note = Object.assign(document.createElement("div"), { className: "warning" });
  note.id = "draft";
  const text = Object.assign(document.createElement("span"), { textContent: `A text of ${new Date(draft.at).toLocaleString()} that was never saved is kept in this browser. ` });
  const take = Object.assign(document.createElement("button"), { type: "button", className: "button button-small", textContent: "Bring it back" });
  const drop = Object.assign(document.createElement("button"), { type: "button", className: "button button-small button-secondary", textContent: "Throw it away" });
  take.addEventListener("click", () => {
    for (const name of texts) {
      field(name).value = draft[name];
      editor(name)?.draw?.();
    }
    form.setAttribute("data-dirty", "");
    note.remove();
    checkSoon();
    keep();
  });
  drop.addEventListener("click", () => {
    localStorage.removeItem(key);
    note.remove();
  });
  const actions = Object.assign(document.createElement("div"), { className: "actions" });
  actions.append(take, drop);
  note.append(text, actions);
  form.before(note);
}

form.addEventListener("submit", ({ submitter }) => {
  try {
    if (["save", "activate"].includes(submitter?.value)) sessionStorage.setItem(SENT, key);
  } catch { /* The draft stays until it is thrown away. */ }
});
try {
  const sent = sessionStorage.getItem(SENT);
  if (sent && document.querySelector("main > .notice[role=status]")) localStorage.removeItem(sent);
  sessionStorage.removeItem(SENT);
  for (const name of Object.keys(localStorage).filter((name) => name.startsWith(PREFIX))) {
    const draft = JSON.parse(localStorage.getItem(name));
    const isOfThis = name === key || name.startsWith(`${PREFIX}${form.dataset.workbench}:`) || name.startsWith(`${PREFIX}~new:`);
    if (Date.now() - draft.at > MAX_AGE || (isOfThis && same(draft, now()))) localStorage.removeItem(name);
    else if (name === key && document.querySelector("#conflict, [role=alert]") === null) offer(draft);
  }
} catch {
  // A browser that keeps nothing, or something else under our names: there is no draft to offer.
}
document.querySelector("[data-forget]")?.addEventListener("click", () => {
  try { localStorage.removeItem(key); } catch { /* Nothing was kept. */ }
  form.removeAttribute("data-dirty");
});
await customElements.whenDefined("code-editor");
if (isShownAgain) keep();
if (!document.querySelector("#results .problems")) send("check");
