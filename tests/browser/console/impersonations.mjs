// Acting as somebody, from the console by way of the demo application; ending it; and who may not.

import assert from "node:assert/strict";
import { signInAtConsole } from "../operator.mjs";
import { story } from "../world.mjs";

story("support acts as Casey for a ticket, and ends it", { scripted: true }, async (visit, { server }) => {
  const { tab } = visit;
  const id = await signInAtConsole(visit, "support");
  await visit.open(`/console/users/${server.demo.customerUserId}/impersonate`);
  await visit.seeScreen("Impersonate Casey Customer");
  await tab.locator("form#impersonate").evaluate((form) => { form.noValidate = true; });
  await tab.getByLabel("Reason", { exact: true }).fill("The invoice does not load");
  await tab.getByRole("button", { name: "Impersonate" }).click();
  assert.match(await tab.getByRole("alert").innerText(), /ticket/);
  assert.equal(await tab.getByLabel("Reason", { exact: true }).inputValue(), "The invoice does not load");
  await tab.getByLabel("Ticket", { exact: true }).fill("TICKET-815");
  const urls = [];
  tab.on("request", (request) => urls.push(request.url()));
  await tab.getByRole("button", { name: "Impersonate" }).click();
  // The demo application signs the operator in with the session that there is, and exchanges the token.
  await tab.locator("#acted").waitFor();
  assert.ok(urls.every((url) => !url.includes("sub_")), "the token is in no URL");
  const acted = await tab.locator("#acted").innerText();
  assert.match(acted, new RegExp(server.demo.customerUserId));
  assert.match(acted, new RegExp(id));

  await visit.open("/console/impersonations?ticket=TICKET-815");
  await visit.seeScreen("Impersonations");
  await tab.locator("#list tbody a").first().click();
  await visit.seeScreen("the_support for Casey Customer");
  await tab.getByRole("link", { name: "End now" }).click();
  await visit.seeScreen("End this impersonation?");
  await tab.getByRole("button", { name: "End it now" }).click();
  assert.match(await tab.getByRole("status").first().innerText(), /Ended/);
  await tab.getByText("Ended", { exact: true }).first().waitFor();
});

story("nobody acts as an administrator, and a reader as nobody", async (visit, { server }) => {
  const { tab } = visit;
  const id = await signInAtConsole(visit, "reader");
  await visit.open(`/console/users/${server.demo.customerUserId}/impersonate`);
  await tab.getByRole("heading", { name: "Not for your role" }).waitFor();
  assert.equal(await tab.locator("form#impersonate").count(), 0);
  const other = await visit.world.visit();
  await signInAtConsole(other, "support", "other_support");
  await other.open(`/console/users/${id}/impersonate`);
  await other.tab.getByLabel("Reason", { exact: true }).fill("Curious");
  await other.tab.getByLabel("Ticket", { exact: true }).fill("T-1");
  await other.tab.getByRole("button", { name: "Impersonate" }).click();
  await other.tab.getByRole("heading", { level: 1, name: "Not for your role" }).waitFor();
});
