// API resources, roles and their matrix at the console; and a reader, who looks and changes nothing.

import assert from "node:assert/strict";
import { said, signInAtConsole } from "../operator.mjs";
import { story } from "../world.mjs";

story("an administrator protects an API, and says who may do what", async (visit, { server }) => {
  const { tab } = visit;
  await server.user({ username: "clerk_to_be", name: "Clara Clerk" });
  await signInAtConsole(visit);
  await visit.open("/console/resources/create");
  await tab.getByLabel("Name", { exact: true }).fill("Invoices");
  await tab.getByLabel("Indicator", { exact: true }).fill("https://invoices.example.com/api#part");
  await tab.getByRole("button", { name: "Create the resource" }).click();
  assert.match(await tab.getByRole("alert").innerText(), /fragment/);
  assert.equal(await tab.getByLabel("Name", { exact: true }).inputValue(), "Invoices");
  await tab.getByLabel("Indicator", { exact: true }).fill("https://invoices.example.com/api");
  await tab.getByRole("button", { name: "Create the resource" }).click();
  for (const scope of ["invoices:read", "invoices:write"]) {
    await tab.getByLabel("New scope").fill(scope);
    await tab.getByRole("button", { name: "Add it" }).click();
    await tab.locator("#list code", { hasText: scope }).waitFor();
  }

  await visit.open("/console/roles/create");
  await tab.getByLabel("Name", { exact: true }).fill("Invoice clerk");
  await tab.getByRole("checkbox", { name: "invoices:read" }).check();
  await tab.getByRole("button", { name: "Create the role" }).click();
  assert.match(await said(tab), /Created/);

  await tab.getByRole("link", { name: "Users", exact: true }).last().click();
  await tab.getByRole("link", { name: "Give it to others" }).click();
  await tab.locator("[data-search]").fill("clerk_to");
  await tab.getByRole("button", { name: "Search", exact: true }).last().click();
  await tab.getByRole("checkbox", { name: /Clara Clerk/ }).check();
  await tab.getByRole("button", { name: "Give the role" }).click();
  await tab.getByRole("link", { name: "Clara Clerk" }).waitFor();

  await visit.open("/console/roles/matrix");
  await tab.getByLabel("API resource").selectOption({ label: "Invoices" });
  await tab.getByRole("button", { name: "Show" }).click();
  const cell = tab.getByRole("checkbox", { name: "Invoice clerk: invoices:write" });
  await cell.check();
  await tab.getByRole("button", { name: "Save" }).click();
  assert.match(await said(tab), /Saved/);
  assert.ok(await cell.isChecked());

  // The server's own roles are shown, and stay as they are.
  await visit.open("/console/roles?q=Console");
  await tab.getByRole("link", { name: "Console: support" }).click();
  assert.match(await tab.locator("main").innerText(), /built in/);
  assert.equal(await tab.getByRole("button", { name: "Save the scopes" }).count(), 0);
});

story("a reader sees roles and resources, and changes none", async (visit) => {
  const { tab } = visit;
  await signInAtConsole(visit, "reader");
  for (const page of ["resources", "roles", "organizations", "users"]) {
    await visit.open(`/console/${page}`);
    await tab.getByRole("heading", { level: 1 }).waitFor();
    assert.equal(await tab.getByRole("link", { name: /^New / }).count(), 0, page);
  }
  await visit.open("/console/roles/matrix");
  assert.equal(await tab.getByRole("button", { name: "Save" }).count(), 0);
});
