// Plugins at the console: one is written, found wrong, mended, tried with a real user, broken, and rolled back; without
// JavaScript, by two people at once, in place of a file, and by those who may not.

import assert from "node:assert/strict";
import { button, press, signInAtConsole, unfold } from "../operator.mjs";
import { story } from "../world.mjs";

const WRONG = "export const getCustomJwtClaims = ({ context }) => {\n  return { stamp: ;\n};\n";
const stamp = (value) => `export const getCustomJwtClaims = ({ context }) => {\n  console.log("stamping");\n  return { stamp: "${value}" };\n};\n`;
const CASES = JSON.stringify([{ name: "stamps", input: { context: {} }, expected: { claims: { stamp: "one" } } }]);

/** Writes into the editor as somebody does who selects everything first. */
const write = async (tab, text) => {
  await tab.locator("#source").fill(text);
};

const upload = async (server, name, source, cases) => {
  const form = new FormData();
  form.set("source", new Blob([source]), `${name}.js`);
  form.set("manifest", new Blob(["order = 90\n"]), `${name}.toml`);
  if (cases) form.set("cases", new Blob([cases]), `${name}.cases.json`);
  await server.send("PUT", `/plugins/${name}`, form);
};

/** Issues a token to a program: those of the Management API call no plugin. */
const issueTo = async (server, { id, secret }) => {
  const response = await fetch(`${server.listens}/oidc/token`, {
    method: "POST",
    headers: { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}` },
    body: new URLSearchParams({ grant_type: "client_credentials", resource: "https://api.example.com" }),
  });
  assert.equal(response.status, 200, await response.text());
};

story("an administrator writes a plugin, sees its claim, breaks it, and rolls back", { scripted: true }, async (visit, { server }) => {
  const { tab } = visit;
  await server.user({ username: "plugin_customer", name: "Paula Plug" });
  await signInAtConsole(visit);
  await visit.open("/console/plugins");
  await visit.seeScreen("Plugins");
  await visit.open("/console/plugins/examples");
  await visit.seeScreen("Begin a plugin");
  await visit.open("/console/plugins/new");
  await tab.locator("code-editor.ready").first().waitFor();
  // The first check of a server compiles the engine.
  await tab.locator("#results .badge", { hasText: "in order" }).waitFor({ timeout: 60_000 });
  await visit.seeScreen("New plugin");
  await tab.locator("#name").fill("wb-stamp");
  await unfold(tab, /Golden cases/);
  await tab.getByText("The same as JSON").click();
  await tab.locator("#cases").fill(CASES);

  // The line of a mistake is marked while one writes, and leads there.
  await write(tab, WRONG);
  await tab.locator("#results li[data-line='2']").waitFor();
  await tab.locator("code-editor[data-part=source] .gutter .wrong", { hasText: "2" }).waitFor();
  await visit.seeScreen("New plugin");
  await tab.locator("#results li[data-line='2']").click();
  assert.equal(await tab.evaluate(() => document.activeElement.id), "source");
  await press(visit, "Save and activate");
  assert.match(await tab.getByRole("alert").first().innerText(), /not saved/);
  assert.equal(await tab.locator("#source").inputValue(), WRONG);

  // Tab indents, and leaves the field behind Esc.
  await write(tab, stamp("one"));
  await tab.locator("#source").press("Control+Home");
  await tab.keyboard.press("Tab");
  assert.equal(await tab.locator("#source").inputValue(), `  ${stamp("one")}`);
  await tab.keyboard.press("Control+z");
  await tab.keyboard.press("Escape");
  await tab.keyboard.press("Tab");
  assert.notEqual(await tab.evaluate(() => document.activeElement.id), "source");
  await write(tab, stamp("one"));
  await tab.locator("#results", { hasText: "1 of 1 golden cases pass" }).waitFor();

  // It is tried with a real user before anybody has it.
  await tab.getByText("With a person and an application").click();
  if (!(await tab.locator("#try-application").isVisible())) await tab.getByText("With a person and an application").click();
  await tab.locator("#try-application").selectOption(server.demo.webClientId);
  await tab.locator("#try-user").fill("plugin_customer");
  await tab.locator("#try-resource").selectOption("https://api.example.com");
  await tab.locator("#try-user").press("Control+Enter");
  await tab.locator("#trial", { hasText: '"stamp": "one"' }).waitFor();
  await visit.seeScreen("New plugin");
  await tab.locator("#source").press("Control+s");
  await tab.waitForURL(/plugins\/wb-stamp\?done=activated/);
  await visit.seeScreen("wb-stamp");
  assert.equal(await tab.locator("#draft").count(), 0);

  // What was not saved is offered again.
  await write(tab, stamp("two"));
  await tab.getByText("Not saved yet; kept in this browser.").waitFor();
  tab.once("dialog", (dialog) => dialog.accept());
  await tab.goto(`${server.origin}/console/plugins/wb-stamp`);
  await button(tab, "Bring it back").click();
  assert.equal(await tab.locator("#source").inputValue(), stamp("two"));

  // The golden case says why this is no version, until it expects the new answer.
  await tab.locator("#results li[data-part=cases]").first().click();
  assert.equal(await tab.evaluate(() => document.activeElement.id), "cases");
  await tab.locator("#case-forms .case", { hasText: "fails" }).waitFor();
  await press(visit, "Save and activate");
  assert.match(await tab.locator("#results").innerText(), /Golden cases/);
  await unfold(tab, /Golden cases/);
  await visit.seeScreen("wb-stamp");
  await button(tab, "Expect this answer from now on").click();
  await tab.locator("#results", { hasText: "1 of 1 golden cases pass" }).waitFor();
  await press(visit, "Save and activate");
  await tab.waitForURL(/done=activated/);
  assert.equal(await tab.locator("#draft").count(), 0);

  // What differs is seen, and the version before serves again.
  await tab.getByRole("link", { name: "Versions", exact: true }).click();
  await visit.seeScreen("wb-stamp");
  await tab.getByRole("heading", { name: "What the golden cases cost" }).waitFor();
  await tab.getByRole("link", { name: "Version 1", exact: true }).click();
  assert.match(await tab.locator(".diff .remove").first().innerText(), /two/);
  await visit.seeScreen("Version 1");
  await press(visit, "Activate");
  assert.match(await tab.locator(".titled").innerText(), /version 1 serves/);
});

story("a plugin has settings, secrets, a log that goes on, and an end", { scripted: true }, async (visit, { server }) => {
  const { tab } = visit;
  await upload(server, "wb-noisy", stamp("noise"));
  const program = await server.call("POST", "/applications", { name: "wb-program", type: "MachineToMachine" });
  await signInAtConsole(visit);
  await visit.open("/console/plugins/wb-noisy");
  await unfold(tab, "Settings");
  await tab.getByLabel("Order", { exact: true }).fill("91");
  await tab.getByLabel("Order", { exact: true }).blur();
  await visit.until(() => document.querySelector("#settings").value.includes("order = 91"));
  await visit.seeScreen("wb-noisy");
  await press(visit, "Save and activate");
  await tab.waitForURL(/done=activated/);
  assert.equal((await server.call("GET", "/plugins/wb-noisy")).order, 91);

  await tab.getByRole("link", { name: "Secrets and access" }).click();
  await visit.seeScreen("wb-noisy");
  await tab.getByLabel("Name", { exact: true }).fill("API_KEY");
  await tab.getByLabel("Value", { exact: true }).fill("a-hidden-value");
  await press(visit, "Set the secret");
  await tab.getByRole("cell", { name: "API_KEY" }).waitFor();
  assert.ok(!(await tab.content()).includes("a-hidden-value"));
  await tab.getByLabel("Servers").fill("api.example.com");
  await press(visit, "Grant");
  assert.match(await tab.locator("main").innerText(), /GET to api\.example\.com/);

  await tab.getByRole("link", { name: "Log", exact: true }).click();
  await visit.seeScreen("wb-noisy");
  const followed = tab.waitForResponse((response) => response.url().endsWith("/log/live"));
  await tab.getByText("Live", { exact: true }).click();
  await followed;
  await issueTo(server, program);
  await tab.locator(".tail", { hasText: "stamping" }).waitFor();
  await tab.reload();
  await visit.seeScreen("wb-noisy");

  await tab.getByRole("link", { name: "Delete", exact: true }).click();
  await tab.getByLabel(/Type the plugin/).fill("wb-nois");
  await press(visit, "Delete the plugin");
  assert.match(await tab.getByRole("alert").innerText(), /not the plugin/);
  await visit.seeScreen("Delete wb-noisy");
  await tab.getByLabel(/Type the plugin/).fill("wb-noisy");
  await press(visit, "Delete the plugin");
  await visit.seeScreen("Plugins");
});

story("a plugin is written without JavaScript", { javaScript: false, width: 360, scheme: "dark" }, async (visit) => {
  const { tab } = visit;
  await signInAtConsole(visit);
  await visit.open("/console/plugins/new");
  await visit.seeScreen("New plugin");
  await tab.locator("#name").fill("wb-plain");
  await write(tab, WRONG);
  await press(visit, "Check");
  assert.match(await tab.locator("#results").innerText(), /line 2/);
  await visit.seeScreen("New plugin");
  await write(tab, stamp("plain"));
  await tab.locator("#cases").evaluate((field) => { field.value = ""; });
  await press(visit, "Run this draft");
  assert.match(await tab.locator("#trial").innerText(), /Choose a token/);
  await press(visit, "Save and activate");
  await visit.seeScreen("wb-plain");
  assert.match(await tab.getByRole("status").first().innerText(), /ctivated/);
});

story("two people who change a plugin at once see each other's text", { scripted: true }, async (visit, world) => {
  const { server } = world;
  const { tab } = visit;
  await upload(server, "wb-both", stamp("first"));
  await signInAtConsole(visit);
  await visit.open("/console/plugins/wb-both");
  await upload(server, "wb-both", stamp("theirs"));
  await write(tab, stamp("mine"));
  await tab.locator("#results [data-newer]").waitFor();
  await press(visit, "Save and activate");
  await tab.getByRole("heading", { name: "Somebody else has saved this plugin meanwhile" }).waitFor();
  assert.match(await tab.locator("#conflict .remove").first().innerText(), /theirs/);
  assert.equal(await tab.locator("#source").inputValue(), stamp("mine"));
  await visit.seeScreen("wb-both");
  await press(visit, "Save mine over theirs, and activate");
  await tab.waitForURL(/done=activated/);
  assert.equal(await tab.locator("#source").inputValue(), stamp("mine"));
});

story("a page that is older than the plugin does nothing to it", async (visit, { server }) => {
  const { tab } = visit;
  await upload(server, "wb-older", stamp("first"));
  await upload(server, "wb-older", stamp("second"));
  await signInAtConsole(visit);
  const refused = () => tab.getByRole("heading", { level: 1, name: "Changed by somebody else" }).waitFor();
  const acts = [
    ["/console/plugins/wb-older/delete", "Delete the plugin"],
    ["/console/plugins/wb-older/versions", "Roll back to the version before"],
    ["/console/plugins/wb-older", "Disable"],
  ];
  for (const [path, name] of acts) {
    await visit.open(path);
    if (path.endsWith("/delete")) await tab.getByLabel(/Type the plugin/).fill("wb-older");
    await upload(server, "wb-older", stamp(`seen at ${path}`));
    await press(visit, name);
    await refused();
  }
  const { state, enabled } = await server.call("GET", "/plugins/wb-older");
  assert.deepEqual({ state, enabled }, { state: "active", enabled: true });
});

story("two people who order plugins at once do not undo each other's order", async (visit, { server }) => {
  const { tab } = visit;
  for (const name of ["wb-early", "wb-late"]) await upload(server, name, stamp(name));
  const orders = async () => {
    const read = (name) => server.call("GET", `/plugins/${name}`);
    return [(await read("wb-early")).order, (await read("wb-late")).order];
  };
  await signInAtConsole(visit);
  await visit.open("/console/plugins/order");
  await visit.seeScreen("Order");
  // What they have not touched stays as it is by now.
  await server.call("PATCH", "/plugins/wb-late", { order: 7 });
  await tab.getByLabel("Order of wb-early").fill("91");
  await press(visit, "Save the order");
  assert.deepEqual(await orders(), [91, 7]);
  // What both have changed is shown first.
  await server.call("PATCH", "/plugins/wb-late", { order: 8 });
  await tab.getByLabel("Order of wb-late").fill("92");
  await press(visit, "Save the order");
  assert.match(await tab.getByRole("alert").first().innerText(), /somebody else has set it to 8/);
  assert.deepEqual(await orders(), [91, 8]);
  await press(visit, "Save the order");
  assert.deepEqual(await orders(), [91, 92]);
  for (const name of ["wb-early", "wb-late"]) await server.send("DELETE", `/plugins/${name}`);
});

story("a plugin of the folder is taken over, and given back", async (visit) => {
  const { tab } = visit;
  await signInAtConsole(visit);
  await visit.open("/console/plugins/impersonation-guard");
  assert.equal(await tab.locator("#source").count(), 0);
  await visit.seeScreen("impersonation-guard");
  await tab.getByRole("link", { name: "Copy into the database and take over" }).click();
  await visit.seeScreen("Take over impersonation-guard");
  await press(visit, "Take over");
  await tab.locator("#source").waitFor();
  await visit.seeScreen("impersonation-guard");
  await tab.getByRole("link", { name: /give the file back/ }).click();
  await tab.getByLabel(/Type the plugin/).fill("impersonation-guard");
  await press(visit, "Delete the plugin");
  await visit.open("/console/plugins/impersonation-guard");
  await tab.locator(".titled .badge", { hasText: "folder" }).waitFor();
});

story("a developer writes plugins", { width: 360, scripted: true }, async (visit, { server }) => {
  const { tab } = visit;
  await signInAtConsole(visit, "developer");
  await visit.open("/console/plugins/new?template=mask&language=typescript");
  await tab.locator("#name").fill("wb-developer");
  await tab.locator("#results .badge", { hasText: "in order" }).waitFor();
  await visit.seeScreen("New plugin");
  await press(visit, "Save and activate");
  await visit.seeScreen("wb-developer");
  // It would change what other stories receive.
  await server.call("DELETE", "/plugins/wb-developer");
});

story("a reader of plugins changes none", { scheme: "dark" }, async (visit, { server }) => {
  const { tab } = visit;
  await upload(server, "wb-read", stamp("read"));
  await signInAtConsole(visit, "reader");
  await visit.open("/console/plugins");
  assert.equal(await tab.getByRole("link", { name: "New plugin" }).count(), 0);
  await visit.open("/console/plugins/wb-read");
  await visit.seeScreen("wb-read");
  assert.match(await tab.locator("pre.source").first().innerText(), /stamping/);
  for (const name of ["Disable", "Save and activate"]) assert.equal(await button(tab, name).count(), 0, name);
  assert.equal(await tab.getByRole("link", { name: "Delete" }).count(), 0);
  await visit.open("/console/plugins/new");
  await visit.seeScreen("Not for your role");
});
