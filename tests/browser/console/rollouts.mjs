// A risky change of a plugin at the console, from a recording to its promotion, as docs/plugins-in-production.md tells it;
// on PostgreSQL with two nodes.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { claims, until } from "../calls.mjs";
import { button, press, signInAtConsole, unfold } from "../operator.mjs";
import { DATABASES } from "../server.mjs";
import { story } from "../world.mjs";

const PAGE = readFileSync(join(process.env.BROWSER_PLUGINS, "../docs/plugins-in-production.md"), "utf8");
/** The blocks of code of the page in a language. */
const code = (language) => [...PAGE.matchAll(/^```(\w+)\n(.*?)^```$/gms)].filter(([, name]) => name === language).map(([, , text]) => text);
const [FIRST, SECOND] = code("js");
const [SETTINGS] = code("toml");
/** Half of so many users are in the canary, more or less. */
const USERS = 24;

/** For each user, whether a node's token has the claim of the second version. */
const seats = async (node, users) => {
  const found = [];
  for (const user of users) found.push((await claims(node, user)).seats === 10);
  return found;
};

const tell = async (visit, server, nodes) => {
  const { tab } = visit;
  const users = [];
  for (let number = 0; number < USERS; number += 1) {
    users.push(await server.user({ username: `user_${number}`, customData: { plan: "team" } }));
  }
  const few = users.slice(0, 2);
  const nobody = async () => {
    for (const node of nodes) assert.deepEqual(await seats(node, few), [false, false]);
  };

  // 1. The first version.
  await signInAtConsole(visit);
  await visit.open("/console/plugins/new");
  await tab.locator("code-editor.ready").first().waitFor();
  // The first check of a server compiles the engine.
  await tab.locator("#results .badge", { hasText: "in order" }).waitFor({ timeout: 60_000 });
  await tab.locator("#name").fill("plan");
  await tab.locator("#source").fill(FIRST);
  await unfold(tab, "Settings");
  await tab.locator("#settings").fill(SETTINGS);
  await unfold(tab, /Golden cases/);
  await tab.getByText("The same as JSON").click();
  await tab.locator("#cases").fill("");
  // It is compiled and tested first.
  await press(visit, "Save and activate", 60_000);
  await tab.waitForURL(/plugins\/plan\?done=activated/);
  for (const node of nodes) await until("the first version at each node", async () => (await claims(node, users[0])).plan === "team");

  // 2. A recording of the next calls, on all nodes.
  await tab.getByRole("link", { name: "Recordings", exact: true }).click();
  await visit.seeScreen("plan");
  await tab.locator("#count").fill("20");
  await tab.getByText("Unredacted members", { exact: true }).click();
  await tab.locator("#keep").fill("context.user.customData.plan");
  await press(visit, "Start recording");
  await until("twenty recorded calls", async () => {
    await nobody();
    await tab.reload();
    return tab.locator("#list .badge", { hasText: "complete" }).count();
  });
  assert.match(await tab.locator("#list").innerText(), /20 of 20/);
  await visit.seeScreen("plan");

  // 3. The change over the recorded calls.
  await tab.getByRole("link", { name: "Code", exact: true }).click();
  await tab.locator("code-editor.ready").first().waitFor();
  await tab.locator("#source").fill(SECOND);
  await button(tab, "Replay").click();
  await tab.locator("#replay", { hasText: "0 of 20 calls have the same answer" }).waitFor({ timeout: 30_000 });
  await tab.locator("#replay summary", { hasText: "different" }).first().click();
  assert.match(await tab.locator("#replay .diff .add").first().innerText(), /"plan"|"seats"/);
  await visit.seeScreen("plan");

  // 4. It is stored, and answers nobody.
  await press(visit, "Save as a version");
  await nobody();

  // 5. A shadow shows the difference, and answers nobody.
  await tab.getByRole("link", { name: "Rollout", exact: true }).click();
  await visit.seeScreen("plan");
  await tab.locator("#version").selectOption("2");
  await tab.locator("#mode").selectOption("shadow");
  await tab.locator("#share").fill("100");
  await press(visit, "Start");
  await tab.locator(".badge", { hasText: "running" }).waitFor();
  const row = tab.locator("div[aria-label=Claims] tr", { hasText: "seats" });
  await until("compared answers", async () => {
    await nobody();
    await tab.reload();
    return (await row.count()) && Number(await row.locator("td").nth(1).innerText()) >= 4;
  });
  assert.match(await tab.locator("div[aria-label=Answers]").innerText(), /Different/);
  await visit.seeScreen("plan");

  // 6. A canary answers half of the users, on every node the same ones.
  await tab.locator("#mode").selectOption("canary");
  await tab.locator("#share").fill("50");
  await tab.getByLabel("Promote after (runs)").fill("1000000");
  await press(visit, "Save");
  // What is missing is said at its field, and what was typed is kept.
  const minutes = tab.getByLabel("Promote after (minutes)");
  assert.equal(await minutes.getAttribute("aria-invalid"), "true");
  assert.equal(await tab.locator("#share").inputValue(), "50");
  await minutes.fill("60");
  await tab.getByLabel("Abort over (% failed)").fill("2.5");
  await press(visit, "Save");
  assert.equal(await tab.getByLabel("Promote after (runs)").inputValue(), "1000000");
  assert.equal(await tab.getByLabel("Abort over (% failed)").inputValue(), "2.5");
  const chosen = await seats(server, users);
  assert.ok(chosen.includes(true) && chosen.includes(false), `${chosen}`);
  for (const node of nodes) {
    await until("the same users at each node", async () => `${await seats(node, users)}` === `${chosen}`);
  }
  await visit.seeScreen("plan");

  // 7. A person decides, and then it is one version for everybody.
  await press(visit, "Promote");
  await tab.locator(".badge", { hasText: "promoted" }).waitFor();
  assert.match(await tab.locator(".titled").innerText(), /version 2 serves/);
  for (const node of nodes) await until("the new version for everybody", async () => (await seats(node, users)).every(Boolean));
  await visit.seeScreen("plan");
};

for (const database of DATABASES) {
  const options = { own: { database }, scripted: true };
  story(`a risky change goes from a recording to promotion, on ${database}`, options, async (visit, { server }) => {
    const nodes = await server.nodes();
    await tell(visit, server, nodes).finally(() => Promise.all(nodes.slice(1).map((node) => node.stop())));
  });
}
