// A walk through every screen of the console as somebody sees it who runs no scripts: which screens links lead to, and
// which forms there are, with what they send.

import { kindOf, NO_SCREEN } from "./furnish.mjs";

/**
 * Runs in a tab: where the links of a page lead, its forms with what they would send, filled in, and whether it says what
 * to send with curl in its place.
 */
const read = (html) => {
  const page = new DOMParser().parseFromString(html, "text/html");
  const links = [...page.querySelectorAll("main a[href^='/console'], nav a[href^='/console']")];
  const filled = ({ type, value, options }) => {
    const samples = { email: "a@b.test", url: "https://a.test", number: "1", password: "violet-kettle-42" };
    return value || samples[type] || options?.[options.length - 1]?.value || "sample";
  };
  const forms = [...page.querySelectorAll("form[method=post]")].flatMap((form) => {
    const named = [...form.elements].filter(({ name, type }) => name && !["submit", "file"].includes(type));
    const fields = Object.fromEntries(named.map((field) => [field.name, filled(field)]));
    const buttons = [...form.querySelectorAll("button[type=submit]")];
    return buttons.map((button) => ({
      action: button.getAttribute("formaction") ?? form.getAttribute("action"),
      fields: button.name ? { ...fields, [button.name]: button.value } : fields,
      // What a browser would send if nobody changed anything, and whether it would send it at all.
      shown: [...new FormData(form, button)].map(([name, value]) => [name, String(value)]),
      isValid: form.checkValidity(),
      multipart: form.enctype === "multipart/form-data",
      // What tells apart forms and buttons with the same address.
      what: button.name ? `${button.name}=${button.value}` : (fields.act ?? fields.do ?? ""),
    }));
  });
  const commands = [...page.querySelectorAll("details.commands code")];
  const hasCommand = commands.some(({ textContent }) => textContent.includes("curl "));
  return { links: links.map((link) => link.getAttribute("href")), forms, hasCommand };
};

/** Pages of one kind that are opened: forms depend on what is listed first, such as a resource of the server's own. */
const MAX_PAGES_OF_A_KIND = 8;

/** Gets a page without showing it. */
export const get = async (visit, path) => {
  const answer = await visit.context.request.get(`${visit.server.origin}${path}`, { maxRedirects: 0 });
  return { status: answer.status(), ...(await visit.tab.evaluate(read, await answer.text())) };
};

/** All that somebody can open and send, which links lead nowhere or not for them, and which screens lack a command. */
export const walk = async (visit) => {
  const [screens, forms, dead, withoutCommand] = [new Map(), new Map(), [], new Set()];
  // Each path with the one that leads there.
  const waiting = new Map([["/console", ""]]);
  for (const [path, from] of waiting) {
    const page = await get(visit, path);
    if (page.status !== 200) dead.push(`${page.status} ${path} of ${from}`);
    if (!page.hasCommand) withoutCommand.add(kindOf(path));
    for (const form of page.forms) {
      form.action ??= path;
      form.page = path;
      forms.set(`${kindOf(form.action)} ${form.what}`, form);
    }
    for (const link of page.links.map((link) => link.replace(/#.*/, ""))) {
      const known = screens.get(kindOf(link)) ?? [];
      if (waiting.has(link) || known.length >= MAX_PAGES_OF_A_KIND || NO_SCREEN.test(link)) continue;
      screens.set(kindOf(link), [...known, link]);
      waiting.set(link, path);
    }
  }
  const first = [...screens].map(([kind, [path]]) => [kind, path]);
  return { dead, withoutCommand: [...withoutCommand], screens: new Map([["/console", "/console"], ...first]), forms };
};

/** Sends a form as a browser does that runs no scripts, with these fields. */
export const post = (visit, { action, multipart }, fields) => {
  const sent = new FormData();
  for (const [name, value] of fields) sent.append(name, value);
  return visit.context.request.post(new URL(action, visit.server.origin).href, {
    [multipart ? "multipart" : "form"]: sent,
    headers: { origin: visit.server.origin },
    maxRedirects: 0,
  });
};
