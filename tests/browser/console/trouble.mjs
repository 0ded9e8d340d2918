// What goes wrong, and who finds it: a plugin that refuses every token, from the overview to its rollback; and support,
// from the first page to why somebody cannot sign in.

import assert from "node:assert/strict";
import { press, said, signInAtConsole } from "../operator.mjs";
import { story } from "../world.mjs";

const CALM = "export const getCustomJwtClaims = async () => ({ calm: true });\n";
const BOOM = "export const getCustomJwtClaims = async ({ context }) => ({ a: context.no.such });\n";

/** Uploads a version, which serves at once. */
const upload = async (server, name, source) => {
  const form = new FormData();
  form.set("source", new Blob([source]), `${name}.js`);
  await server.send("PUT", `/plugins/${name}`, form);
};

/** Asks for tokens of a program; answers the statuses. */
const ask = async (server, { id, secret }, times) => {
  const statuses = [];
  for (let at = 0; at < times; at += 1) {
    const response = await fetch(`${server.listens}/oidc/token`, {
      method: "POST",
      headers: { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}` },
      body: new URLSearchParams({ grant_type: "client_credentials", resource: "https://api.example.com" }),
    });
    statuses.push(response.status);
    if (response.status === 500) assert.match((await response.json()).error_description, /request id: \S+$/);
  }
  return statuses;
};

story("a plugin that refuses every token is seen, and rolled back", { own: {}, scripted: true }, async (visit, { server }) => {
  const { tab } = visit;
  await upload(server, "boom", CALM);
  await upload(server, "boom", BOOM);
  const caller = await server.call("POST", "/applications", { name: "Nightly job", type: "MachineToMachine" });
  assert.deepEqual(await ask(server, caller, 7), Array(7).fill(500));
  await signInAtConsole(visit);
  await visit.open("/console");
  await visit.seeScreen("Overview");
  const line = tab.locator("ul.health li", { hasText: "boom refused 7 of 7 tokens in the last hour: TypeError" });
  assert.match(await line.innerText(), /boom\.js:1:\d+/);
  assert.match(await line.innerText(), /Broken/);

  await visit.open("/console/plugins");
  await visit.seeScreen("Plugins");
  assert.match(await tab.locator("#list tbody tr").first().innerText(), /boom refused 7 of 7 tokens/);
  await tab.getByRole("link", { name: "boom", exact: true }).click();
  await tab.getByRole("alert").filter({ hasText: "boom refused 7 of 7 tokens" }).waitFor();
  await visit.seeScreen("boom");

  await visit.open("/console/logs?result=Error");
  await tab.locator("#list tbody a").first().click();
  await tab.getByRole("link", { name: "boom" }).waitFor();
  assert.match(await tab.locator("main").innerText(), /Plugin version/);

  await visit.open("/console");
  await press(visit, "Roll back to version 1");
  assert.match(await said(tab), /Activated/);
  assert.deepEqual(await ask(server, caller, 1), [200]);
  await visit.open("/console");
  assert.equal(await tab.getByText("boom refused").count(), 0);
});

story("support finds a person, sees why they cannot sign in, and unlocks them", async (visit, { server }) => {
  const { tab } = visit;
  const id = await server.user({ username: "locked_out", name: "Lotte Locked", password: "violet-kettle-42" });
  const stranger = await visit.world.visit();
  for (let at = 0; at < 10; at += 1) {
    await stranger.open("/account");
    await stranger.send({ identifier: "locked_out", password: `wrong ${at}` });
  }
  await signInAtConsole(visit, "support");
  await visit.open("/console");
  await visit.seeScreen("Help people");
  await tab.getByRole("searchbox", { name: "Find a person" }).fill("locked_out");
  await tab.locator("main").getByRole("button", { name: "Search" }).click();
  await tab.locator("#list tbody a").first().click();
  await visit.seeScreen("Lotte Locked");
  assert.ok(tab.url().includes(id));
  const line = tab.getByRole("group", { name: "Sign-in" });
  assert.match(await line.innerText(), /Cannot sign in\s+locked until .* after 10 wrong passwords or codes for locked_out/);
  await line.getByRole("button", { name: "End the lock-out" }).click();
  assert.match(await said(tab), /Unlocked/);
  assert.match(await tab.getByRole("group", { name: "Sign-in" }).innerText(), /Can sign in/);
});
