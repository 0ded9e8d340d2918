// Signing keys, settings and administrators at the console.

import assert from "node:assert/strict";
import { said, signInAtConsole } from "../operator.mjs";
import { story } from "../world.mjs";

story("an administrator rotates a key, reads settings, and gives a role", { scripted: true }, async (visit, { server }) => {
  const { tab } = visit;
  await server.user({ username: "new_helper", name: "Hetty Helper" });
  await signInAtConsole(visit);
  await visit.open("/console/keys");
  await visit.seeScreen("Signing keys");
  await tab.getByRole("link", { name: "Rotate ES256" }).click();
  await visit.seeScreen("Rotate ES256");
  await tab.getByRole("button", { name: "Rotate" }).click();
  assert.match(await said(tab), /Rotated/);
  await tab.getByText("Published, will sign").first().waitFor();

  await visit.open("/console/settings");
  await visit.seeScreen("Settings");
  await tab.locator("[data-search]").pressSequentially("base_url");
  await tab.locator("#list tbody tr").nth(5).waitFor({ state: "detached" });
  assert.match(await tab.locator("#list").innerText(), /server\.base_url/);

  await visit.open("/console/administrators");
  await visit.seeScreen("Administrators");
  await tab.getByRole("link", { name: "Give a role" }).click();
  await tab.getByLabel("User", { exact: true }).fill("nobody_at_all");
  await tab.getByRole("button", { name: "Give the role" }).click();
  assert.match(await tab.getByRole("alert").innerText(), /no user/);
  await tab.getByLabel("User", { exact: true }).fill("new_helper");
  await tab.getByRole("combobox", { name: "Role" }).selectOption({ label: "Support" });
  await tab.getByRole("button", { name: "Give the role" }).click();
  assert.match(await said(tab), /Added/);
  await tab.getByRole("link", { name: "Take away the role Support from Hetty Helper" }).click();
  await visit.seeScreen("Take a role from Hetty Helper?");
  await tab.getByRole("button", { name: "Take the role away" }).click();
  assert.match(await said(tab), /Removed/);
});

story("support sees neither keys nor settings, and gives no roles", async (visit) => {
  const { tab } = visit;
  await signInAtConsole(visit, "support");
  for (const page of ["keys", "settings"]) {
    await visit.open(`/console/${page}`);
    await tab.getByRole("heading", { level: 1, name: "Not for your role" }).waitFor();
  }
  await visit.open("/console/administrators");
  await visit.seeScreen("Administrators");
  assert.equal(await tab.getByRole("link", { name: "Give a role" }).count(), 0);
});
