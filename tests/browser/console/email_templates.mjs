// E-mail templates at the console: one is written, not written over, changed and deleted; a reader looks.

import assert from "node:assert/strict";
import { press, said, signInAtConsole } from "../operator.mjs";
import { story } from "../world.mjs";

const fill = async (tab, subject) => {
  await tab.getByLabel("What it is for").selectOption("Register");
  await tab.getByLabel("Language").fill("de");
  await tab.getByLabel("Subject").fill(subject);
};

story("an administrator says what an e-mail says", async (visit) => {
  const { tab } = visit;
  await signInAtConsole(visit);
  await visit.open("/console/connectors");
  await tab.getByRole("link", { name: "E-mail templates" }).click();
  await visit.seeScreen("E-mail templates");
  assert.equal(await tab.locator(".navigation [aria-current=page]").innerText(), "Connectors");

  await tab.getByRole("link", { name: "New template" }).click();
  await visit.seeScreen("New e-mail template");
  await fill(tab, "Willkommen: {{code}}");
  await tab.getByLabel("Language").fill("no language");
  await press(visit, "Create template");
  await tab.getByRole("alert").waitFor();
  assert.equal(await tab.getByLabel("Subject").inputValue(), "Willkommen: {{code}}");
  await tab.getByLabel("Language").fill("de");
  await press(visit, "Create template");
  assert.match(await said(tab), /Created/);
  await visit.seeScreen("Code to register");

  await visit.open("/console/connectors/email-templates/new");
  await fill(tab, "Another one");
  await press(visit, "Create template");
  assert.match(await tab.getByRole("alert").innerText(), /already/);

  await visit.open("/console/connectors/email-templates?templateType=Register&languageTag=de");
  assert.equal(await tab.locator("#list tbody tr").count(), 1);
  await tab.getByRole("link", { name: "Code to register" }).click();
  await tab.getByLabel("Subject").fill("Moin: {{code}}");
  await tab.getByLabel("Written in").selectOption("Plain text");
  await press(visit, "Save");
  assert.match(await said(tab), /Saved/);
  assert.equal(await tab.getByLabel("Subject").inputValue(), "Moin: {{code}}");

  await tab.getByRole("link", { name: "Delete this template" }).click();
  await tab.getByLabel("To delete it, type its name").fill("Register");
  await press(visit, "Delete");
  assert.match(await tab.getByRole("alert").innerText(), /Nothing was deleted/);
  await tab.getByLabel("To delete it, type its name").fill("Register de");
  await press(visit, "Delete");
  assert.match(await said(tab), /Deleted/);
});

story("a reader sees no e-mail templates", async (visit) => {
  await signInAtConsole(visit, "reader");
  await visit.open("/console/connectors/email-templates");
  await visit.seeScreen("Not for your role");
});
