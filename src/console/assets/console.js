// What makes the pages quicker. Without it, every link and form works by whole pages.

// Forms and links with data-swap="#id" replace that part of the page by the same part of the answer.
const policy = window.trustedTypes?.createPolicy("console", { createHTML: (text) => text });
const parse = (text) => new DOMParser().parseFromString(policy ? policy.createHTML(text) : text, "text/html");
let latest = 0;
let rest;

async function swap(url, target, keeps) {
  const turn = ++latest;
  const part = document.querySelector(target);
  if (!part) return location.assign(url);
  part.setAttribute("aria-busy", "true");
  let answer;
  try {
    answer = await fetch(url, { headers: { accept: "text/html" } });
  } catch {
    return location.assign(url);
  }
  const fresh = answer.redirected ? null : parse(await answer.text()).querySelector(target);
  if (turn !== latest) return;
  if (!fresh) return location.assign(url);
  keepTicked(part, fresh);
  part.replaceWith(fresh);
  history[keeps ? "replaceState" : "pushState"]({}, "", url);
  prepare(fresh);
}

// What was ticked while the answer was under way stays ticked.
function keepTicked(part, fresh) {
  const ticked = new Set([...part.querySelectorAll("[type=checkbox]:checked")].map(({ name, value }) => `${name}=${value}`));
  for (const box of fresh.querySelectorAll("[type=checkbox]")) {
    box.checked ||= ticked.has(`${box.name}=${box.value}`);
  }
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-swap]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  event.preventDefault();
  swap(link.href, link.dataset.swap);
});
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.method !== "get" || !form.dataset.swap) return;
  event.preventDefault();
  clearTimeout(rest);
  swap(`${form.getAttribute("action")}?${new URLSearchParams(new FormData(form))}`, form.dataset.swap);
});
addEventListener("popstate", () => location.reload());

// Lists are searched while one types.
document.addEventListener("input", (event) => {
  const form = event.target.closest("form[data-swap]");
  if (!form || !event.target.matches("[data-search]")) return;
  clearTimeout(rest);
  rest = setTimeout(() => {
    swap(`${form.getAttribute("action")}?${new URLSearchParams(new FormData(form))}`, form.dataset.swap, true);
  }, 250);
});

// What is under way is read again: an element with an id and data-again="MILLISECONDS", while it is looked at.
function again(part) {
  for (const element of [part, ...part.querySelectorAll("[data-again]")].filter((one) => one.dataset.again)) {
    setTimeout(() => {
      if (!element.isConnected) return;
      if (document.hidden || element.contains(document.activeElement)) return again(element);
      reread(element);
    }, Number(element.dataset.again));
  }
}

// Unlike a swap, it never leaves the page: a form beside the element may be half filled in.
async function reread(element) {
  let fresh;
  try {
    const answer = await fetch(location.href, { headers: { accept: "text/html" } });
    // The session has ended, or the plugin is gone.
    if (answer.redirected || (answer.status >= 400 && answer.status < 500)) return;
    fresh = parse(await answer.text()).getElementById(element.id);
  } catch {
    // The server restarts.
  }
  if (!element.isConnected) return;
  if (!fresh || element.contains(document.activeElement)) return again(element);
  element.replaceWith(fresh);
  prepare(fresh);
}

// Times: how long ago, with the exact time beside it.
const ago = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
const steps = [["second", 60], ["minute", 60], ["hour", 24], ["day", 30], ["month", 12], ["year", Infinity]];
function relative(element) {
  const time = Date.parse(element.dateTime);
  if (Number.isNaN(time)) return;
  element.title ||= element.textContent;
  if (element.hasAttribute("data-clock")) {
    const isToday = new Date(time).toDateString() === new Date().toDateString();
    const style = isToday ? { timeStyle: "short" } : { dateStyle: "medium", timeStyle: "short" };
    element.textContent = new Date(time).toLocaleString("en-GB", style);
    return;
  }
  let distance = (time - Date.now()) / 1000;
  for (const [unit, size] of steps) {
    if (Math.abs(distance) < size) {
      element.textContent = ago.format(Math.round(distance), unit);
      return;
    }
    distance /= size;
  }
}
setInterval(() => document.querySelectorAll("time[datetime]").forEach(relative), 30_000);

// Buttons that copy.
function copyable(element) {
  if (element.querySelector(".copy")) return;
  const button = document.createElement("button");
  button.type = "button";
  button.className = "button button-secondary copy";
  button.textContent = "Copy";
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(element.querySelector("code").textContent.trim());
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = "Copy"; }, 1500);
  });
  element.append(button);
}

// What a part of a page gets when it is there.
export function prepare(part) {
  part.querySelectorAll("time[datetime]").forEach(relative);
  part.querySelectorAll(".copyable").forEach(copyable);
  again(part);
  part.dispatchEvent(new CustomEvent("console:prepared", { bubbles: true }));
}
prepare(document.body);

// Keys: / searches, ? helps, j and k walk through rows, Enter opens one.
const help = `/ or Ctrl K|Search everything\nj, k|Next and previous row\nEnter|Open the row\n?|This help`;
function showHelp() {
  const dialog = document.createElement("dialog");
  const list = document.createElement("dl");
  list.className = "facts";
  for (const line of help.split("\n")) {
    const [keys, text] = line.split("|");
    const [term, description] = [document.createElement("dt"), document.createElement("dd")];
    term.textContent = keys;
    description.textContent = text;
    list.append(term, description);
  }
  const title = document.createElement("h2");
  title.textContent = "Keys";
  dialog.append(title, list);
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
function walk(step) {
  const rows = [...document.querySelectorAll("#list tbody tr")].filter((row) => row.querySelector("a[href]"));
  const at = rows.indexOf(document.activeElement.closest?.("tr"));
  const row = rows[Math.min(Math.max(at + step, 0), rows.length - 1)];
  row?.querySelector("a[href]").focus();
}
document.addEventListener("keydown", (event) => {
  const isTyping = event.target.closest("input, textarea, select, [contenteditable], dialog");
  if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "/") {
    const field = document.querySelector("[data-search]");
    if (field) {
      event.preventDefault();
      field.focus();
      field.select();
    } else {
      document.querySelector("[data-palette]")?.click();
      event.preventDefault();
    }
  } else if (event.key === "?") {
    showHelp();
  } else if (event.key === "j" || event.key === "k") {
    walk(event.key === "j" ? 1 : -1);
  }
});

// On a narrow screen the tabs scroll: the one of this page is shown.
document.querySelector(".tabs [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });

// What a button shows beside its form is shown while one types.
for (const button of document.querySelectorAll("button[data-while-typing]")) {
  let rest;
  button.form.addEventListener("input", () => {
    clearTimeout(rest);
    rest = setTimeout(() => button.form.requestSubmit(button), 400);
  });
}

// What was typed and not sent does not get lost by a click.
document.addEventListener("input", (event) => event.target.closest("form[data-guard]")?.setAttribute("data-dirty", ""));
document.addEventListener("submit", ({ target, submitter }) => {
  if (!submitter?.formTarget) target.removeAttribute("data-dirty");
});
addEventListener("beforeunload", (event) => {
  if (document.querySelector("form[data-dirty]")) event.preventDefault();
});
