// The forms of the console that a role is not shown, sent all the same: each is refused, and so is each screen that is
// not for the role.

import assert from "node:assert/strict";
import { furnish, kindOf, NO_SCREEN } from "../furnish.mjs";
import { ROLES, signInAtConsole } from "../operator.mjs";
import { story } from "../world.mjs";

/** Runs in a tab: where the links of a page lead, and its forms with what they would send, filled in. */
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
      multipart: form.enctype === "multipart/form-data",
      button: button.name ? `${button.name}=${button.value}` : "",
    }));
  });
  return { links: links.map((link) => link.getAttribute("href")), forms };
};

/** Gets a page without showing it. */
const get = async (visit, path) => {
  const answer = await visit.context.request.get(`${visit.server.origin}${path}`, { maxRedirects: 0 });
  return { status: answer.status(), ...(await visit.tab.evaluate(read, await answer.text())) };
};

/** All that somebody can open and send. Every link leads somewhere that is there, and for them. */
const walk = async (visit) => {
  const [screens, forms, dead] = [new Set(["/console"]), new Map(), []];
  const waiting = ["/console"];
  const from = new Map();
  for (const path of waiting) {
    const page = await get(visit, path);
    if (page.status !== 200) dead.push(`${page.status} ${path} of ${from.get(path)}`);
    for (const form of page.forms) {
      form.action ??= path;
      forms.set(`${kindOf(form.action)} ${form.button}`, form);
    }
    for (const link of page.links.map((link) => link.replace(/#.*/, ""))) {
      if (screens.has(kindOf(link)) || NO_SCREEN.test(link)) continue;
      screens.add(kindOf(link));
      waiting.push(link);
      from.set(link, path);
    }
  }
  return { dead, screens: new Map(waiting.map((path) => [kindOf(path), path])), forms };
};

story("no role opens or sends what it is not shown", { own: {} }, async (visit) => {
  const { world, server } = visit;
  await furnish(server);
  await signInAtConsole(visit);
  const all = await walk(visit);
  assert.deepEqual(all.dead, []);
  assert.ok(all.screens.size > 80 && all.forms.size > 80, `${all.screens.size} screens, ${all.forms.size} forms`);
  for (const role of Object.keys(ROLES).filter((role) => role !== "administrator")) {
    const other = await world.visit();
    await signInAtConsole(other, role);
    const own = await walk(other);
    const { csrf } = (await get(other, "/console")).forms[0].fields;
    const accepted = [];
    for (const [kind, path] of all.screens) {
      if (own.screens.has(kind)) continue;
      const { status } = await get(other, path);
      if (status !== 403) accepted.push(`${status} GET ${path}`);
    }
    for (const [kind, { action, fields, multipart }] of all.forms) {
      if (own.forms.has(kind)) continue;
      const sent = { ...fields, csrf };
      const answer = await other.context.request.post(new URL(action, server.origin).href, {
        [multipart ? "multipart" : "form"]: sent,
        headers: { origin: server.origin },
        maxRedirects: 0,
      });
      const isRefused = answer.status() === 403 && (await answer.text()).includes("Not for your role");
      if (!isRefused) accepted.push(`${answer.status()} POST ${kind}`);
    }
    const wrong = [...own.dead, ...accepted];
    assert.ok(wrong.length === 0, `${role}:\n${wrong.join("\n")}`);
    await other.end();
  }
});
