// Somebody who has just started the server and opens the link that the terminal prints: an application, a user who signs
// in, a plugin with its claim in the token, broken, read and rolled back, a webhook that arrives, somebody acted as, and
// all of it in the audit log. On both databases.

import assert from "node:assert/strict";
import { button, press } from "../operator.mjs";
import { PASSWORD } from "../people.mjs";
import { DATABASES } from "../server.mjs";
import { story } from "../world.mjs";

const plan = (value) => `export const getCustomJwtClaims = ({ context }) => ({ plan: "${value}", of: context.user?.username });\n`;

/** Opens a screen by the navigation, as somebody does who knows no addresses. */
const go = (tab, name) =>
  tab.getByRole("navigation", { name: "Sections" }).getByRole("link", { name, exact: true }).click();

/** Tries the application as Nina, and answers the page that shows the tokens. */
const tryIt = async (tab) => {
  await go(tab, "Applications");
  await tab.getByRole("link", { name: "First shop" }).click();
  await tab.getByRole("navigation", { name: "Pages of" }).getByRole("link", { name: "Try it" }).click();
  const add = button(tab, "Add it to the application");
  if (await add.count()) await Promise.all([tab.waitForEvent("load"), add.click()]);
  await tab.getByLabel("API", { exact: true }).selectOption("https://api.example.com");
  const opened = tab.context().waitForEvent("page");
  await button(tab, "Sign in, in a new tab").click();
  const trial = await opened;
  await trial.locator("input[name=identifier]").fill("nina");
  await trial.locator("input[name=password]").fill(PASSWORD);
  await trial.locator("button[type=submit].button").first().click();
  await trial.getByRole("heading", { name: "ID token" }).waitFor();
  return trial;
};

for (const database of DATABASES) {
  story(`a newcomer gets all the way, on ${database}`, { own: { database }, scripted: true }, async (visit, { server }) => {
    const { tab } = visit;
    // The link makes the first administrator, and is used up by it.
    await tab.goto(server.setup);
    await visit.see("console-setup");
    await tab.locator("input[name=identifier]").fill("ruth");
    await tab.locator("input[name=password]").fill(PASSWORD);
    await tab.locator("button[type=submit].button").first().click();
    await visit.seeScreen("Overview");
    assert.match(await tab.locator("header").innerText(), /ruth/);
    const other = await visit.world.visit();
    await other.open(server.setup);
    await other.tab.getByText(/link/i).first().waitFor();
    assert.equal(await other.tab.locator("input[name=password]").count(), 0);

    await go(tab, "Applications");
    await tab.getByRole("link", { name: "New application" }).first().click();
    await tab.getByRole("radio", { name: "Single-page" }).check();
    await button(tab, "Next").click();
    await tab.getByLabel("Name", { exact: true }).fill("First shop");
    await tab.getByLabel("Redirect URIs", { exact: true }).fill("http://localhost:5173/callback");
    await button(tab, "Create application").click();
    await tab.getByRole("heading", { name: "First shop" }).waitFor();

    await go(tab, "Users");
    await tab.getByRole("link", { name: "New user" }).first().click();
    await tab.getByLabel("User name", { exact: true }).fill("nina");
    await tab.getByRole("radio", { name: /password/i }).first().check();
    await button(tab, "Create the user").click();
    await tab.getByRole("heading", { name: "The new password" }).waitFor();
    await tab.getByRole("link", { name: "I have copied it" }).click();
    const nina = new URL(tab.url()).pathname.split("/")[3];
    await server.call("PATCH", `/users/${nina}/password`, { password: PASSWORD });
    await (await tryIt(tab)).close();

    // A plugin is written in the editor; its claim is in the token.
    await go(tab, "Plugins");
    await tab.getByRole("link", { name: "New plugin" }).first().click();
    await tab.locator("code-editor.ready").first().waitFor();
    await tab.locator("#name").fill("plan");
    await tab.locator("#source").fill(plan("gold"));
    await tab.locator("#results .badge", { hasText: "in order" }).waitFor({ timeout: 60_000 });
    await press(visit, "Save and activate");
    await tab.waitForURL(/plugins\/plan\?done=activated/);
    const trial = await tryIt(tab);
    assert.match(await trial.locator("main").innerText(), /plan\s+"gold"[^]*of\s+"nina"/);
    await trial.close();

    // It is broken: the line says why, and what cannot start does not serve. What starts and fails is rolled back.
    await go(tab, "Plugins");
    await tab.getByRole("link", { name: "plan", exact: true }).click();
    await tab.locator("#source").fill("export const getCustomJwtClaims = () => {\n  return { plan: };\n};\n");
    await tab.locator("#results li[data-line='2']").waitFor();
    await press(visit, "Save and activate");
    assert.match(await tab.getByRole("alert").first().innerText(), /not saved/);
    await tab.locator("#source").fill(plan("silver"));
    await press(visit, "Save and activate");
    await tab.waitForURL(/done=activated/);
    await tab.getByRole("link", { name: "Versions", exact: true }).click();
    await tab.getByRole("link", { name: "Version 1", exact: true }).click();
    await press(visit, "Activate");
    assert.match(await tab.locator(".titled").innerText(), /version 1 serves/);

    await go(tab, "Webhooks");
    await tab.getByRole("link", { name: "Receivers to try out" }).click();
    await press(visit, "New receiver");
    const receiver = tab.url();
    await tab.getByRole("link", { name: "Make a webhook that sends here" }).click();
    await tab.getByLabel("Name", { exact: true }).fill("first-hook");
    await tab.getByRole("checkbox", { name: /^\*/ }).check();
    await press(visit, "Create webhook");
    await tab.getByRole("heading", { level: 1, name: "first-hook" }).waitFor();
    await press(visit, "Send an example");
    await tab.goto(receiver);
    for (const end = Date.now() + 20_000; !(await tab.getByText("signature valid").count()); await tab.reload()) {
      assert.ok(Date.now() < end, "nothing arrived");
    }

    // Acting as Nina, for a ticket.
    await visit.open(`/console/users/${nina}/impersonate`);
    await tab.getByLabel("Reason", { exact: true }).fill("The basket is empty");
    await tab.getByLabel("Ticket", { exact: true }).fill("T-1");
    await press(visit, "Impersonate");
    await tab.locator("main").getByText(nina).first().waitFor();
    await visit.open("/console");
    await go(tab, "Impersonations");
    await tab.getByText("T-1").first().waitFor();

    await go(tab, "Audit log");
    for (const key of ["Application.Create", "User.Create", "Plugin", "Hook.Create", "SubjectToken"]) {
      await tab.locator("[data-search]").fill(`Management.${key}`);
      await button(tab, "Filter").click();
      await tab.locator("#list tbody tr", { hasText: `Management.${key}` }).first().waitFor();
      assert.match(await tab.locator("#list tbody tr").first().innerText(), /ruth/, key);
    }
    await visit.seeScreen("Audit log");
  });
}
