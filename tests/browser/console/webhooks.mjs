// Webhooks at the console: a receiver that shows what arrives, a hook that sends there, its deliveries and keys, and a
// transform that is bound by a click; and those who may not.

import assert from "node:assert/strict";
import { button, press, said, signInAtConsole } from "../operator.mjs";
import { story } from "../world.mjs";

const TRANSFORM = "export const transformWebhook = ({ event }) => ({ body: { shaped: event.event } });\n";

/** Looks at the receiver again until a request with this text has arrived. */
const arrived = async (tab, text) => {
  const end = Date.now() + 20_000;
  for (;;) {
    await tab.reload();
    const found = tab.locator("#list details", { hasText: text }).first();
    if (await found.count()) return found;
    assert.ok(Date.now() < end, `nothing arrived with ${text}`);
  }
};

story("an administrator hooks a receiver up, and sees what arrives", async (visit, { server }) => {
  const { tab } = visit;
  await signInAtConsole(visit);
  await visit.open("/console/webhooks");
  await visit.seeScreen("Webhooks");
  await tab.getByRole("link", { name: "Receivers to try out" }).click();
  await visit.seeScreen("Receivers to try out");
  await press(visit, "New receiver");
  await visit.seeScreen("Receiver");
  const receiver = tab.url();
  await tab.getByRole("link", { name: "Make a webhook that sends here" }).click();
  await visit.seeScreen("New webhook");
  const url = tab.getByLabel("URL", { exact: true });
  const address = await url.inputValue();
  assert.ok(address.startsWith(server.origin));

  // Nothing of what was entered is lost when it is refused.
  await tab.getByLabel("Name", { exact: true }).fill("wb-crm");
  await tab.getByRole("checkbox", { name: /^User\b/ }).first().check();
  await tab.locator("main form").first().evaluate((form) => { form.noValidate = true; });
  await url.fill("nowhere");
  await press(visit, "Create webhook");
  await tab.getByRole("alert").waitFor();
  assert.equal(await tab.getByLabel("Name", { exact: true }).inputValue(), "wb-crm");
  await url.fill(address);
  await press(visit, "Create webhook");
  await visit.seeScreen("wb-crm");
  const hook = new URL(tab.url()).pathname;

  // An example, and something that happens.
  await tab.locator("select[name=event]").selectOption("User.Created");
  await press(visit, "Send an example");
  await tab.goto(receiver);
  await arrived(tab, "signature valid");
  const hooked = await server.user({ username: "wb_hooked" });
  await (await arrived(tab, hooked)).getByText("signature valid").waitFor();
  await visit.seeScreen("Receiver");

  // What it answers is a part of the delivery, which is sent again.
  await tab.getByLabel("Response status").fill("500");
  await press(visit, "Change");
  const failing = await server.user({ username: "wb_failing" });
  await arrived(tab, failing);
  await visit.open(`${hook}/deliveries`);
  await visit.seeScreen("Deliveries");
  await tab.locator("#list tbody tr", { hasText: "User.Created" }).first().getByRole("link").click();
  await visit.seeScreen("User.Created");
  await tab.getByRole("cell", { name: "500" }).first().waitFor();
  await tab.goto(receiver);
  await tab.getByLabel("Response status").fill("204");
  await press(visit, "Change");

  // It pauses, and its key is another one.
  await visit.open(hook);
  await press(visit, "Pause");
  await tab.getByText("paused", { exact: true }).waitFor();
  await press(visit, "Resume");
  await button(tab, "Pause").waitFor();
  const secret = () => tab.locator("#keys ~ dl code, #keys ~ dl [data-copy]").first().textContent();
  const before = await secret();
  await press(visit, "Rotate");
  assert.notEqual(await secret(), before);

  await tab.getByRole("link", { name: "Delete this webhook" }).click();
  await visit.seeScreen("Delete wb-crm");
  await tab.getByLabel(/Type its name/).fill("wb");
  await press(visit, "Delete webhook");
  await tab.getByRole("alert").waitFor();
  await tab.getByLabel(/Type its name/).fill("wb-crm");
  await press(visit, "Delete webhook");
  await visit.seeScreen("Webhooks");
});

story("a transform is bound to a hook by a click, without JavaScript", { javaScript: false }, async (visit, { server }) => {
  const { tab } = visit;
  const hooks = [];
  for (const name of ["wb-one", "wb-two"]) {
    const config = { url: `${server.origin}/nowhere` };
    hooks.push(await server.call("POST", "/hooks", { name, events: ["Role.Created"], config, enabled: true }));
  }
  const form = new FormData();
  form.set("source", new Blob([TRANSFORM]), "wb-shape.js");
  await server.send("PUT", "/plugins/wb-shape", form);
  await signInAtConsole(visit);
  const row = tab.getByRole("row", { name: /wb-shape/ });
  const bound = async () => (await server.call("GET", "/plugins/wb-shape")).hooks;

  // It is for all hooks until it is taken from one.
  await visit.open(`/console/webhooks/hooks/${hooks[0].id}`);
  await row.getByText("bound").waitFor();
  await Promise.all([tab.waitForEvent("load"), row.getByRole("button", { name: "Remove" }).click()]);
  assert.match(await said(tab), /Saved/);
  assert.ok((await bound()).includes(hooks[1].id) && !(await bound()).includes(hooks[0].id));

  // The last one stays: no hook would mean all of them.
  await server.call("PATCH", "/plugins/wb-shape", { hooks: ["wb-two"] });
  await visit.open(`/console/webhooks/hooks/${hooks[1].id}`);
  await Promise.all([tab.waitForEvent("load"), row.getByRole("button", { name: "Remove" }).click()]);
  await tab.getByText(/only webhook that the plugin is for/).waitFor();
  assert.deepEqual(await bound(), ["wb-two"]);
  await visit.open(`/console/webhooks/hooks/${hooks[0].id}`);
  await Promise.all([tab.waitForEvent("load"), row.getByRole("button", { name: "Bind" }).click()]);
  assert.deepEqual(await bound(), ["wb-two", hooks[0].id]);
  await server.call("DELETE", "/plugins/wb-shape");
  for (const { id } of hooks) await server.call("DELETE", `/hooks/${id}`);
});

story("a reader of webhooks changes none", async (visit, { server }) => {
  const { tab } = visit;
  const config = { url: `${server.origin}/nowhere` };
  const { id } = await server.call("POST", "/hooks", { name: "wb-seen", events: ["Role.Created"], config });
  await signInAtConsole(visit, "reader");
  await visit.open("/console/webhooks");
  await visit.seeScreen("Webhooks");
  assert.equal(await tab.getByRole("link", { name: "New webhook" }).count(), 0);
  await visit.open(`/console/webhooks/hooks/${id}`);
  await visit.seeScreen("wb-seen");
  for (const name of ["Save", "Pause", "Rotate", "Send an example"]) {
    assert.equal(await button(tab, name).count(), 0, name);
  }
  await server.call("DELETE", `/hooks/${id}`);
});
