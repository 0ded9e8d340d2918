// Applications at the console: three steps to a new one, its addresses, its secret shown once, and a trial that shows the
// tokens; and what a reader is not offered.

import assert from "node:assert/strict";
import { signInAtConsole } from "../operator.mjs";
import { PASSWORD } from "../people.mjs";
import { story } from "../world.mjs";

/** Creates an application by the three steps. */
const create = async (tab, type, name, redirectUri) => {
  await tab.getByRole("link", { name: "New application" }).first().click();
  await tab.getByRole("radio", { name: type }).check();
  await tab.getByRole("button", { name: "Next" }).click();
  await tab.getByLabel("Name", { exact: true }).fill(name);
  if (redirectUri) await tab.getByLabel("Redirect URIs", { exact: true }).fill(redirectUri);
  await tab.getByRole("button", { name: "Create application" }).click();
};

story("an administrator creates an application, and sees its tokens", { scripted: true }, async (visit, world) => {
  const { server } = world;
  const { tab } = visit;
  await server.user({ username: "console_try", name: "Trixie Tryer", password: PASSWORD });
  await signInAtConsole(visit);
  await visit.open("/console/applications");

  // An address that cannot work is said so while it is typed, and again by the server.
  await tab.getByRole("link", { name: "New application" }).first().click();
  await tab.getByRole("radio", { name: "Web application" }).check();
  await tab.getByRole("button", { name: "Next" }).click();
  const area = tab.getByLabel("Redirect URIs", { exact: true });
  await area.fill("https://shop.example.com/#here");
  assert.match(await tab.locator(".problem").first().innerText(), /fragment/);
  await area.fill("localhost:3000/callback");
  assert.match(await tab.locator("#redirectUris-problem").innerText(), /no scheme/);
  await area.fill("http://intranet.example.com/callback");
  assert.match(await tab.locator("#redirectUris-remark").innerText(), /Not encrypted/);
  assert.ok(await area.evaluate((field) => field.checkValidity()), "a remark refuses nothing");
  await area.fill("https://shop.example.com/#here");
  await area.evaluate((field) => field.setCustomValidity(""));
  await tab.getByLabel("Name", { exact: true }).fill("Console shop");
  await tab.getByRole("button", { name: "Create application" }).click();
  assert.match(await tab.getByRole("alert").innerText(), /fragment/);
  assert.equal(await area.getAttribute("aria-invalid"), "true");
  assert.match(await tab.locator("#redirectUris-problem").innerText(), /fragment/);
  assert.equal(await tab.getByLabel("Name", { exact: true }).inputValue(), "Console shop");
  await area.fill("https://shop.example.com/callback");
  await tab.getByRole("button", { name: "Create application" }).click();

  // The secret is shown once, and stands in the code.
  await tab.getByRole("heading", { name: "Its secret" }).waitFor();
  const secret = await tab.locator("section[aria-labelledby=secret] code").innerText();
  assert.ok((await tab.locator("pre.source").allInnerTexts()).join().includes(secret));
  await tab.getByRole("link", { name: "Secrets" }).click();
  assert.ok(!(await tab.content()).includes(secret));

  // The trial: its redirect URI, a sign-in in another tab, the tokens.
  await tab.getByRole("link", { name: "Try it" }).click();
  await tab.getByRole("button", { name: "Add it to the application" }).click();
  await tab.getByRole("status").waitFor();
  const opened = tab.context().waitForEvent("page");
  await tab.getByRole("button", { name: "Sign in, in a new tab" }).click();
  const trial = await opened;
  await trial.locator("input[name=identifier]").fill("console_try");
  await trial.locator("input[name=password]").fill(PASSWORD);
  await trial.locator("button[type=submit].button").first().click();
  await trial.getByRole("heading", { name: "ID token" }).waitFor();
  assert.match(await trial.locator(".ticks").innerText(), /nonce/);
  assert.match(await trial.locator("section[aria-labelledby=me]").innerText(), /Trixie Tryer/);

  // The same answer again is of no trial any longer.
  await trial.reload();
  assert.match(await trial.getByRole("alert").innerText(), /no trial/);
  await trial.close();

  // The secret of the trial is gone, and the redirect URI goes.
  await tab.getByRole("link", { name: "Secrets" }).click();
  assert.ok(!(await tab.content()).includes("Try it in the console"));
  await tab.getByRole("link", { name: "Try it" }).click();
  await tab.getByRole("button", { name: "Remove it" }).click();
  await tab.getByRole("button", { name: "Add it to the application" }).waitFor();

  // It ends only under its name.
  await tab.getByRole("navigation", { name: "Pages of" }).getByRole("link", { name: "Settings" }).click();
  await tab.getByRole("link", { name: "Delete this application" }).click();
  await tab.getByLabel(/Type its name/).fill("Console");
  await tab.getByRole("button", { name: "Delete application" }).click();
  assert.match(await tab.getByRole("alert").innerText(), /Nothing was deleted/);
  await tab.getByLabel(/Type its name/).fill("Console shop");
  await tab.getByRole("button", { name: "Delete application" }).click();
  assert.match(await tab.getByRole("status").innerText(), /Deleted/);
});

story("a program asks for a token at the console, without JavaScript", { javaScript: false }, async (visit, world) => {
  const { tab } = visit;
  await signInAtConsole(visit);
  await visit.open("/console/applications");
  await create(tab, "Machine-to-machine", "Console nightly job");
  await tab.getByRole("link", { name: "Try it" }).first().click();
  await tab.getByRole("button", { name: "Ask for a token" }).click();
  await tab.getByRole("heading", { name: "Access token" }).waitFor();
});

story("a reader of the console is offered no new application", async (visit, world) => {
  const { tab } = visit;
  await signInAtConsole(visit, "reader");
  await visit.open("/console/applications");
  await tab.getByRole("heading", { name: "Applications", level: 1 }).waitFor();
  assert.equal(await tab.getByRole("link", { name: "New application" }).count(), 0);
});
