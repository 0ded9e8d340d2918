// The first page of the console: next steps, health, activity; and the search over everything.

import assert from "node:assert/strict";
import { signInAtConsole } from "../operator.mjs";
import { story } from "../world.mjs";

story("the overview leads to what is next, and shows how the server does", async (visit) => {
  const { tab } = visit;
  await signInAtConsole(visit);
  await visit.open("/console");
  await visit.seeScreen("Overview");
  const health = tab.locator("ul.health li");
  assert.match(await health.filter({ hasText: "answers in" }).innerText(), /answers in/);
  for (const step of await tab.locator(".steps a").all()) {
    const { status } = await tab.evaluate(
      async (url) => ({ status: (await fetch(url)).status }), await step.getAttribute("href"),
    );
    assert.equal(status, 200, await step.innerText());
  }
  await tab.getByRole("link", { name: "1 hour" }).click();
  await tab.waitForURL(/range=1h/);
  await tab.locator("#activity").getByRole("heading", { name: "Sign-ins" }).waitFor();
  await visit.seeScreen("Overview");
});

story("the palette finds people, pages and commands", { scripted: true }, async (visit, { server }) => {
  const { tab } = visit;
  await server.user({ username: "findable", name: "Fiona Findable" });
  await signInAtConsole(visit);
  await tab.keyboard.press("Control+k");
  const field = tab.getByRole("combobox");
  await field.fill("fiona");
  await tab.getByRole("option", { name: /Fiona Findable/ }).waitFor();
  await field.press("Enter");
  await tab.getByRole("heading", { level: 1, name: "Fiona Findable" }).waitFor();

  await visit.open("/console/search?q=create");
  await visit.seeScreen("Search");
  const commands = tab.locator("#list a");
  assert.equal(await commands.count(), 7);
  for (const path of await commands.evaluateAll((all) => all.map((link) => link.getAttribute("href")))) {
    const status = await tab.evaluate(async (url) => (await fetch(url)).status, path);
    assert.equal(status, 200, path);
  }
});

story("the search offers a reader nothing to create", async (visit) => {
  const { tab } = visit;
  await signInAtConsole(visit, "reader");
  await visit.open("/console/search?q=create");
  await visit.seeScreen("Search");
  assert.equal(await tab.locator("#list a").count(), 0);
});
