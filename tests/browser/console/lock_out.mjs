// Nobody locks the administrators out: one who was made by an email address signs out and in, and after each change of the
// settings of sign-in; and a change that locks users out, of the settings or of a connector, says whom.

import assert from "node:assert/strict";
import { button, said } from "../operator.mjs";
import { PASSWORD } from "../people.mjs";
import { story } from "../world.mjs";

const ADDRESS = "ruth@example.com";
const method = (identifier) => ({ identifier, password: true, verificationCode: false, isPasswordPrimary: true });

/** Saves what the form of a screen holds, also if it locks users out. */
const save = async (tab) => {
  await Promise.all([tab.waitForEvent("load"), button(tab, "Save").click()]);
  const accept = tab.getByLabel("Save anyway");
  if (await accept.count()) {
    await accept.check();
    await Promise.all([tab.waitForEvent("load"), button(tab, "Save").click()]);
  }
  assert.match(await said(tab), /Saved/);
};

const ways = (methods) => (tab) => tab.getByLabel("Ways to sign in").fill(JSON.stringify(methods));
const choice = (label, option) => (tab) => tab.getByLabel(label, { exact: true }).selectOption(option);
const CHANGES = [
  ["methods", ways([method("username")])],
  ["methods", ways([method("email")])],
  ["methods", ways([])],
  ["methods", choice("What people may do", "Register")],
  ["methods", choice("Enterprise sign-in", "true")],
  ["security", (tab) => tab.getByLabel("Authenticator app").check()],
  ["security", choice("Who needs one", "Mandatory")],
  ["protection", choice("Refuse addresses with a +", "true")],
];

story("an administrator made by an address signs in after each setting", { own: {} }, async (visit, { server }) => {
  const { tab, world } = visit;
  await tab.goto(server.setup);
  await visit.see("console-setup");
  await visit.send({ identifier: ADDRESS, password: PASSWORD });
  await visit.seeScreen("Overview");
  await tab.locator("details.who summary").click();
  await Promise.all([tab.waitForEvent("load"), button(tab, "Sign out").click()]);
  const signIn = async (one) => {
    await one.open("/console");
    await one.see("sign-in");
    await one.send({ identifier: ADDRESS, password: PASSWORD });
    await one.seeScreen("Overview");
  };
  await signIn(visit);
  for (const [screen, change] of CHANGES) {
    await visit.open(`/console/sign-in-experience/${screen}`);
    await change(tab);
    await save(tab);
    const again = await world.visit({ javaScript: visit.javaScript });
    await signIn(again);
    await again.end();
  }
});

story("a change that locks users out says whom, and asks", { own: {} }, async (visit, { server }) => {
  const { tab } = visit;
  await tab.goto(server.setup);
  await visit.see("console-setup");
  await visit.send({ identifier: "ruth", password: PASSWORD });
  await visit.seeScreen("Overview");
  await server.user({ primaryEmail: "nina@example.com", name: "Nina", password: PASSWORD });
  await visit.open("/console/sign-in-experience/methods");
  await ways([method("username")])(tab);
  await Promise.all([tab.waitForEvent("load"), button(tab, "Save").click()]);
  const warning = await tab.locator("#locked-out").innerText();
  assert.match(warning, /could no longer sign in[^]*Nina/);
  await visit.seeScreen("Sign-in experience");
  const { signIn } = await server.call("GET", "/sign-in-exp");
  assert.equal(signIn.methods.length, 2, "nothing is saved yet");
  await save(tab);
});

story("a connector that users need is deleted only after asking", { own: {} }, async (visit, { server }) => {
  const { tab } = visit;
  await tab.goto(server.setup);
  await visit.see("console-setup");
  await visit.send({ identifier: "ruth", password: PASSWORD });
  await visit.seeScreen("Overview");
  const config = { clientId: "claimsmith", clientSecret: "not to be seen" };
  const { id } = await server.call("POST", "/connectors", { connectorId: "github", config });
  await server.call("PATCH", "/sign-in-exp", { socialSignInConnectorTargets: ["github"] });
  const nina = await server.call("POST", "/users", { username: "nina", name: "Nina" });
  await server.call("PUT", `/users/${nina.id}/identities/github`, { userId: "7" });
  await visit.open(`/console/connectors/${id}/delete`);
  await tab.getByLabel("To delete it, type its name").fill("github");
  await Promise.all([tab.waitForEvent("load"), button(tab, "Delete").click()]);
  assert.match(await tab.locator("#locked-out").innerText(), /1 user could no longer sign in[^]*Nina/);
  assert.equal((await server.call("GET", `/connectors/${id}`)).id, id, "nothing is deleted yet");
  await tab.getByLabel("To delete it, type its name").fill("github");
  await tab.getByLabel("Delete anyway").check();
  await Promise.all([tab.waitForEvent("load"), button(tab, "Delete").click()]);
  assert.match(await said(tab), /Deleted/);
  await visit.seeScreen("Connectors");
});
