// Profile fields at the console: two are made, ordered, changed and deleted; a reader looks.

import assert from "node:assert/strict";
import { press, said, signInAtConsole } from "../operator.mjs";
import { story } from "../world.mjs";

const PAGE = "/console/sign-in-experience/profile-fields";

story("an administrator asks people for a size and a town", async (visit) => {
  const { tab } = visit;
  const names = () => tab.locator("#list tbody tr td:first-child small").allInnerTexts();
  await signInAtConsole(visit);
  await visit.open("/console/sign-in-experience");
  await tab.getByRole("link", { name: "Profile fields" }).click();
  await visit.seeScreen("Profile fields");
  assert.equal(await tab.locator(".navigation [aria-current=page]").innerText(), "Sign-in experience");

  await tab.getByRole("link", { name: "Choice", exact: true }).click();
  await visit.seeScreen("New profile field: Choice");
  await tab.getByLabel("Name", { exact: true }).fill("primaryEmail");
  await tab.getByLabel("Label").fill("Size");
  await tab.getByLabel("Choices, one a line").fill("s = Small\nm");
  await press(visit, "Create field");
  await tab.getByRole("alert").waitFor();
  assert.equal(await tab.getByLabel("Choices, one a line").inputValue(), "s = Small\nm");
  await tab.getByLabel("Name", { exact: true }).fill("size");
  await press(visit, "Create field");
  assert.match(await said(tab), /Created/);

  await tab.getByRole("link", { name: "Postal address" }).click();
  await tab.getByLabel("Name", { exact: true }).fill("address");
  await tab.getByRole("group", { name: "Parts that people are asked for" }).getByLabel("Country").uncheck();
  await press(visit, "Create field");
  assert.match(await said(tab), /Created/);
  assert.deepEqual((await names()).slice(-2), ["size", "address"]);
  await press(visit, "Move address up");
  assert.deepEqual((await names()).slice(-2), ["address", "size"]);
  await visit.seeScreen("Profile fields");

  await tab.getByRole("link", { name: "Size" }).click();
  assert.equal(await tab.getByLabel("Choices, one a line").inputValue(), "s = Small\nm");
  await tab.getByLabel("Has to be filled in").selectOption("Yes");
  await press(visit, "Save");
  assert.match(await said(tab), /Saved/);
  await visit.seeScreen("Size");
  await visit.open(`${PAGE}/address`);
  const asked = tab.getByRole("group", { name: "Parts that people are asked for" });
  assert.ok(await asked.getByLabel("Town").isChecked());
  assert.ok(!(await asked.getByLabel("Country").isChecked()));

  for (const name of ["size", "address"]) {
    await visit.open(`${PAGE}/${name}`);
    await tab.getByRole("link", { name: "Delete this field" }).click();
    await tab.getByLabel("To delete it, type its name").fill(name);
    await press(visit, "Delete");
    assert.match(await said(tab), /Deleted/);
  }
});

story("a reader sees no profile fields", async (visit) => {
  await signInAtConsole(visit, "reader");
  await visit.open(PAGE);
  await visit.seeScreen("Not for your role");
});
