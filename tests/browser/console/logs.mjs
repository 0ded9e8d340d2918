// The audit log at the console: filters, an entry, files, and entries as they come.

import assert from "node:assert/strict";
import { signInAtConsole } from "../operator.mjs";
import { story } from "../world.mjs";

story("an administrator finds an entry, saves the log, and watches it", { scripted: true }, async (visit, { server }) => {
  const { tab } = visit;
  const id = await server.user({ username: "logged", name: "=Lena Logged" });
  await signInAtConsole(visit);
  await visit.open("/console/logs");
  await visit.seeScreen("Audit log");
  await tab.getByLabel("User", { exact: true }).fill("logged");
  await tab.locator("[data-search]").fill("Management.User.Cr");
  await tab.getByRole("button", { name: "Filter" }).click();
  await tab.locator("#list .chips").waitFor();
  await tab.getByRole("link", { name: "Management.User.Create" }).click();
  await visit.seeScreen("Management.User.Create");
  assert.match(await tab.locator("pre").first().innerText(), new RegExp(`"userId": "${id}"`));

  const file = (format) => tab.evaluate(async (url) => (await fetch(url)).text(),
    `/console/logs/export?format=${format}&q=Management.User.Create&person=logged`);
  const lines = (await file("jsonl")).trim().split("\n").map((line) => JSON.parse(line));
  assert.deepEqual(lines.map(({ payload }) => payload.userId), [id]);
  assert.match(await file("csv"), /^id,createdAt,key/);

  await visit.open("/console/logs/live?q=Management.User");
  await visit.seeScreen("Audit log, live");
  await server.user({ username: "logged_live" });
  const { id: newest } = (await server.call("GET", "/users?search.username=logged_live&mode=exact"))[0];
  const [entry] = await server.call("GET", `/logs?logKey=Management.User.Create&userId=${newest}`);
  await tab.locator(`#list a[href="/console/logs/${entry.id}"]`).waitFor();
});

story("the audit log works without JavaScript, and says when there is nothing", { javaScript: false }, async (visit) => {
  const { tab } = visit;
  await signInAtConsole(visit, "reader");
  await visit.open("/console/logs?q=Nothing.Of.The.Kind");
  await visit.seeScreen("Audit log");
  await tab.getByText("Nothing fits these filters.").waitFor();
  await visit.open("/console/logs/no-such-entry");
  await tab.getByRole("heading", { level: 1, name: "Not found" }).waitFor();
});
