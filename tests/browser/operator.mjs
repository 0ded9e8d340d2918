// People who administer: how they come to the console, with the role that a story needs, and what they do on screens.

import { PASSWORD } from "./people.mjs";

/** The server's own roles, by the word that the stories use. */
export const ROLES = {
  reader: "Console: reader",
  support: "Console: support",
  developer: "Console: developer",
  administrator: "Console: administrator",
};

/** Creates somebody with a role of the console; answers the id. */
export const operator = async (server, username, role = "administrator") => {
  const id = await server.user({ username, password: PASSWORD, name: username });
  const roles = await server.call("GET", `/roles?search=${encodeURIComponent("Console:%")}`);
  const { id: roleId } = roles.find(({ name }) => name === ROLES[role]);
  await server.call("POST", `/users/${id}/roles`, { roleIds: [roleId] });
  return id;
};

/** Signs somebody in at the console, who is created if they are not there; answers their id. */
export const signInAtConsole = async (visit, role = "administrator", username = `the_${role}`) => {
  const known = await visit.server.call("GET", `/users?search.username=${username}&mode=exact`);
  const id = known[0]?.id ?? (await operator(visit.server, username, role));
  await visit.open("/console");
  await visit.see("sign-in");
  await visit.send({ identifier: username, password: PASSWORD });
  await visit.seeScreen(role === "support" ? "Help people" : "Overview");
  return id;
};

/** The button with this text. */
export const button = (tab, name) => tab.getByRole("button", { name, exact: true });

/** What the screen says of what was just done. */
export const said = (tab) => tab.getByRole("status").first().innerText();

/** Opens a part of the page that is folded. */
export const unfold = async (tab, heading) => {
  const part = tab.locator("details.panel", { has: tab.getByRole("heading", { name: heading }) }).first();
  if (!(await part.evaluate((details) => details.open))) await part.locator("summary").first().click();
};

/** Presses a button that saves; who has not signed in for a while confirms on the page, and it is carried out. */
export const press = async (visit, name, timeout = 10_000) => {
  const { tab } = visit;
  await Promise.all([tab.waitForEvent("load", { timeout }), button(tab, name).click()]);
  if (await isAsked(tab)) await confirm(visit, PASSWORD);
};

/** Whether the page asks who it is. */
export const isAsked = async (tab) => (await tab.getByRole("heading", { level: 1, name: "Confirm it's you" }).count()) > 0;

/** Confirms with a password, and a code for whoever has a second factor. */
export const confirm = async (visit, password, code) => {
  const { tab } = visit;
  await tab.locator("input[name='confirm.password']").fill(password);
  if (code) await tab.locator("input[name='confirm.code']").fill(code);
  await Promise.all([tab.waitForEvent("load"), button(tab, "Confirm").click()]);
};
