// The workbench of a plugin records the next calls, and replays a draft over them while somebody writes.

import assert from "node:assert/strict";
import { claims, until } from "../calls.mjs";
import { button, signInAtConsole } from "../operator.mjs";
import { story } from "../world.mjs";

const NAME = "wb-replayed";
const CALLS = 3;
const source = (plan) => `export const getCustomJwtClaims = ({ context }) => ({ plan: "${plan}", who: typeof context.user?.id });\n`;

const tell = async (visit, server) => {
  const { tab } = visit;
  const form = new FormData();
  form.set("source", new Blob([source("free")]), `${NAME}.js`);
  await server.send("PUT", `/plugins/${NAME}`, form);
  const user = await server.user({ username: "replayed" });
  await signInAtConsole(visit);
  await visit.open(`/console/plugins/${NAME}`);
  await tab.locator("code-editor.ready").first().waitFor();
  await tab.locator("#results .badge", { hasText: "in order" }).waitFor({ timeout: 60_000 });

  await button(tab, "Record the next 50").click();
  await tab.locator("#replay", { hasText: "The next 50 calls are recorded." }).waitFor();
  await visit.seeScreen(NAME);
  for (let call = 0; call < CALLS; call += 1) await claims(server, user);
  await until("recorded calls", async () => (await server.call("GET", `/plugins/${NAME}/recordings`))[0].recorded === CALLS);
  await button(tab, "Replay").click();
  await tab.locator("#replay", { hasText: `${CALLS} of ${CALLS} calls have the same answer` }).waitFor({ timeout: 30_000 });

  // Nobody presses a button any more.
  await tab.locator("#source").fill(source("basic"));
  await tab.locator("#replay", { hasText: `0 of ${CALLS} calls have the same answer` }).waitFor({ timeout: 30_000 });
  await tab.locator("#replay summary", { hasText: "different" }).first().click();
  assert.match(await tab.locator("#replay .diff .add").first().innerText(), /basic/);
  await visit.seeScreen(NAME);
  await tab.locator("#source").fill(source("free"));
  await tab.locator("#replay", { hasText: `${CALLS} of ${CALLS} calls have the same answer` }).waitFor({ timeout: 30_000 });
};

story("a draft is replayed over the next calls while somebody writes", { scripted: true }, async (visit, { server }) => {
  await tell(visit, server).finally(() => server.call("DELETE", `/plugins/${NAME}`));
});
