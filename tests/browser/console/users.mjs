// Users at the console: creating one, finding them, everything on their page, files of many; and what other roles get.

import assert from "node:assert/strict";
import { said, signInAtConsole } from "../operator.mjs";
import { story } from "../world.mjs";

/** Opens the page of the user who is found by this. */
const find = async (visit, text) => {
  await visit.open(`/console/users?q=${encodeURIComponent(text)}`);
  await visit.tab.locator("#list tbody a").first().click();
  await visit.tab.locator("nav.tabs").waitFor();
};

story("an administrator creates a user, and changes everything about them", { scripted: true }, async (visit) => {
  const { tab } = visit;
  await signInAtConsole(visit);
  await visit.open("/console/users/create");
  await tab.getByLabel("Name", { exact: true }).fill("Casey Console");
  await tab.getByRole("textbox", { name: "Email address" }).fill("nobody at all");
  await tab.locator("form[action='/console/users/create']").evaluate((form) => { form.noValidate = true; });
  await tab.getByRole("button", { name: "Create the user" }).click();
  // Nothing of what was typed is lost.
  await tab.getByRole("alert").waitFor();
  assert.equal(await tab.getByLabel("Name", { exact: true }).inputValue(), "Casey Console");
  await tab.getByRole("textbox", { name: "Email address" }).fill("casey@example.org");
  await tab.getByRole("button", { name: "Create the user" }).click();
  await tab.getByRole("heading", { name: "The new password" }).waitFor();
  const password = (await tab.locator("section pre code").first().innerText()).trim();
  assert.equal(password.length, 20);
  await tab.getByRole("link", { name: "I have copied it" }).click();
  await tab.getByRole("heading", { name: "Password" }).waitFor();
  assert.ok(!(await tab.content()).includes(password));

  // Found while one types.
  await visit.open("/console/users");
  await tab.locator("[data-search]").pressSequentially("casey@");
  await tab.locator("#list tbody tr").nth(1).waitFor({ state: "detached" });
  await find(visit, "casey@");

  await tab.getByLabel("JSON").fill('{\n  "plan": gold\n}');
  await tab.getByRole("button", { name: "Save the custom data" }).click();
  assert.match(await tab.getByRole("alert").innerText(), /line 2, column 11/);
  await tab.getByLabel("JSON").fill('{ "plan": "gold" }');
  await tab.getByRole("button", { name: "Save the custom data" }).click();
  assert.match(await said(tab), /Saved/);

  await tab.getByRole("link", { name: "Sessions and tokens" }).click();
  await tab.getByLabel("New token").fill("backup");
  await tab.getByRole("button", { name: "Make it" }).click();
  assert.match(await tab.locator("section pre code").first().innerText(), /^pat_/);

  await find(visit, "casey@");
  await tab.getByRole("link", { name: "Suspend" }).click();
  await tab.getByRole("button", { name: "Suspend" }).click();
  assert.match(await said(tab), /Suspended/);
  await tab.getByRole("button", { name: "Reactivate" }).click();
  assert.match(await said(tab), /Reactivated/);

  await tab.getByRole("link", { name: "Delete" }).click();
  await tab.getByLabel("To delete it, type its name").fill("Casey");
  await tab.getByRole("button", { name: "Delete" }).click();
  assert.match(await tab.getByRole("alert").innerText(), /Nothing was deleted/);
  await tab.getByLabel("To delete it, type its name").fill("Casey Console");
  await tab.getByRole("button", { name: "Delete" }).click();
  assert.match(await said(tab), /Deleted/);
});

story("users come from a file and go into one, without scripts", { javaScript: false }, async (visit, { server }) => {
  const { tab } = visit;
  await signInAtConsole(visit);
  const lines = [
    { username: "from_a_file", name: "Fay File" },
    { username: "from_a_file", name: "The same once more" },
    { username: "no user name" },
  ];
  const file = { name: "users.jsonl", mimeType: "application/jsonl", buffer: Buffer.from(lines.map((line) => JSON.stringify(line)).join("\n")) };
  const send = async (isCheck) => {
    await visit.open("/console/users/import");
    await tab.getByLabel("Check only").setChecked(isCheck);
    await tab.locator("input[type=file]").setInputFiles(file);
    await tab.getByRole("button", { name: "Read the file" }).click();
    await tab.locator(".answers .end").waitFor();
    return tab.locator(".answers").innerText();
  };
  const checked = await send(true);
  assert.match(checked, /Line 3/);
  assert.equal((await server.call("GET", "/users?search.username=from_a_file&mode=exact")).length, 0);
  const imported = await send(false);
  assert.match(imported, /Line 2/);
  assert.match(imported, /3 users read: 1 created, 2 refused/);
  assert.equal((await server.call("GET", "/users?search.username=from_a_file&mode=exact"))[0].name, "Fay File");

  await visit.open("/console/users/export?q=from_a_file");
  const waiting = tab.waitForEvent("download");
  await tab.getByRole("link", { name: "CSV" }).click();
  const download = await waiting;
  const text = (await download.createReadStream().then((stream) => stream.toArray())).join("");
  assert.match(text, /^id,username,/);
  assert.match(text, /Fay File/);
});

story("support helps users, and does not make them", async (visit, { server }) => {
  const { tab } = visit;
  await server.user({ username: "in_need", name: "Nina Need" });
  await signInAtConsole(visit, "support");
  await visit.open("/console/users");
  assert.equal(await tab.getByRole("link", { name: "New user" }).count(), 0);
  await find(visit, "in_need");
  assert.equal(await tab.getByRole("button", { name: "Save the profile" }).count(), 0);
  assert.equal(await tab.locator("main").getByRole("link", { name: "Delete" }).count(), 0);
  await tab.getByRole("link", { name: "Sign-in", exact: true }).click();
  await tab.getByRole("button", { name: "Unlock" }).click();
  assert.match(await said(tab), /Unlocked/);
  await visit.open("/console/users/import");
  await tab.getByRole("heading", { level: 1 }).waitFor();
  assert.match(await tab.locator("main").innerText(), /Your role, Support, cannot do this/);
  visit.complaints();
});
