// Texts at the console: a language is added, says something of its own, and is deleted; a reader looks.

import assert from "node:assert/strict";
import { press, said, signInAtConsole } from "../operator.mjs";
import { story } from "../world.mjs";

const LANGUAGES = "/console/sign-in-experience/languages";

story("an administrator teaches the pages a language", async (visit) => {
  const { tab } = visit;
  await signInAtConsole(visit);
  await visit.open(LANGUAGES);
  await visit.seeScreen("Sign-in experience");
  await tab.getByLabel("Another language").fill("no language");
  await press(visit, "Add language");
  await tab.getByRole("alert").waitFor();
  assert.equal(await tab.getByLabel("Another language").inputValue(), "no language");
  await tab.getByLabel("Another language").fill("nl");
  await press(visit, "Add language");
  await visit.seeScreen("Texts in nl");
  assert.equal(await tab.getByRole("link", { name: "Delete your own words" }).count(), 0);

  await tab.getByLabel("Your own words (JSON)").fill('{"sign_in": {"titel": "Aanmelden"}}');
  await press(visit, "Save");
  assert.match(await tab.getByRole("alert").innerText(), /sign_in\.titel/);
  await tab.getByLabel("Your own words (JSON)").fill('{"sign_in": {"title": "Aanmelden"}}');
  await press(visit, "Save");
  assert.match(await said(tab), /Saved/);
  await tab.getByText("All texts as people see them").click();
  assert.match(await tab.getByRole("row", { name: /sign_in\.title your own/ }).innerText(), /Aanmelden/);
  await visit.seeScreen("Texts in nl");

  await visit.open(LANGUAGES);
  assert.match(await tab.getByRole("row", { name: /^nl/ }).innerText(), /1/);
  await tab.getByRole("link", { name: "nl", exact: true }).click();
  await tab.getByRole("link", { name: "Delete your own words" }).click();
  await tab.getByLabel("To delete it, type its name").fill("nl");
  await press(visit, "Delete");
  assert.match(await said(tab), /Deleted/);
  assert.equal(await tab.getByRole("link", { name: "nl", exact: true }).count(), 0);
});

story("support changes no texts", async (visit) => {
  await signInAtConsole(visit, "support");
  await visit.open(LANGUAGES);
  await visit.seeScreen("Not for your role");
});
