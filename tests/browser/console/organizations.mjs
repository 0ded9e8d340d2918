// Organizations at the console: the template, an organization, its members, an invitation, a domain.

import assert from "node:assert/strict";
import { said, signInAtConsole } from "../operator.mjs";
import { story } from "../world.mjs";

story("an administrator sets an organization up", async (visit, { server }) => {
  const { tab } = visit;
  await server.user({ username: "member_to_be", name: "Milo Member" });
  await signInAtConsole(visit);
  await visit.open("/console/organizations/template");
  const role = tab.locator("form[action$='/template/roles']");
  await role.getByLabel("Name").fill("bookkeeper");
  await role.getByRole("button").click();
  const permission = tab.locator("form[action$='/template/permissions']");
  await permission.getByLabel("Name").fill("books:write");
  await permission.getByRole("button").click();
  const cell = tab.getByRole("checkbox", { name: "bookkeeper: books:write" });
  await cell.check();
  await tab.getByRole("button", { name: "Save" }).click();
  assert.match(await said(tab), /Saved/);
  assert.ok(await cell.isChecked());

  await visit.open("/console/organizations/create");
  await tab.getByLabel("Name", { exact: true }).fill("Books and Sons");
  await tab.getByRole("button", { name: "Create the organization" }).click();
  await tab.getByRole("link", { name: "Add members" }).first().click();
  await tab.locator("[data-search]").fill("member_to");
  await tab.getByRole("button", { name: "Search", exact: true }).last().click();
  await tab.getByRole("checkbox", { name: /Milo Member/ }).check();
  await tab.getByRole("checkbox", { name: /bookkeeper/ }).check();
  await tab.getByRole("button", { name: "Add them" }).click();
  assert.match(await said(tab), /Added/);
  assert.match(await tab.locator("#list").innerText(), /Milo Member[^]*bookkeeper/);

  await tab.getByRole("link", { name: "Just in time" }).click();
  await tab.getByLabel("New domain").fill("books.example");
  await tab.getByRole("button", { name: "Add it" }).click();
  await tab.getByRole("cell", { name: "books.example" }).waitFor();

  await tab.getByRole("link", { name: "Invitations" }).click();
  await tab.getByLabel("Email address").fill("lee@books.example");
  await tab.getByLabel("Last day").fill("2100-01-01");
  await tab.getByRole("checkbox", { name: /Send an email/ }).uncheck();
  await tab.getByRole("button", { name: "Invite" }).click();
  await tab.getByRole("cell", { name: "lee@books.example" }).waitFor();
  await tab.getByRole("button", { name: "Revoke" }).click();
  assert.match(await said(tab), /Revoked/);

  await tab.getByRole("link", { name: "Delete" }).click();
  await tab.getByLabel("To delete it, type its name").fill("Books and Sons");
  await tab.getByRole("button", { name: "Delete" }).click();
  assert.match(await said(tab), /Deleted/);
});

story("support does not change organizations", async (visit) => {
  const { tab } = visit;
  await signInAtConsole(visit, "support");
  await visit.open("/console/organizations/template");
  assert.equal(await tab.getByRole("button", { name: /Save|Add/ }).count(), 0);
});
