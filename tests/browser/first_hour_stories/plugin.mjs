// A plugin is written in the workbench. Later it is broken, seen on each screen that lists trouble, and rolled back by
// the button.

import assert from "node:assert/strict";
import { PLAN } from "../../snippets/fixture.mjs";
import { said } from "../operator.mjs";

const GOOD = `export const getCustomJwtClaims = () => ({ plan: "${PLAN}" });\n`;
const BROKEN = "export const getCustomJwtClaims = ({ context }) => {\n  return { plan: context.no.such };\n};\n";
/** The first check of a server compiles the engine. */
const COMPILE_MS = 120_000;
/** As many as it takes to be in trouble, and some. */
const TOKENS = 7;

/** Writes a version, and lets it serve. */
const save = async (window, source) => {
  const { tab } = window;
  await tab.locator("code-editor.ready").first().waitFor();
  await tab.locator("#source").fill(source);
  await tab.locator("#results .badge.good").first().waitFor({ timeout: COMPILE_MS });
  await window.leaves(tab.getByRole("button", { name: "Save and activate", exact: true }));
  await tab.waitForURL(/plugins\/plan\?done=activated/);
};

export const writePlugin = async (world) => {
  const { window } = world;
  const { tab } = window;
  await window.section("/plugins");
  await window.leaves(tab.locator("main a[href$='/console/plugins/new']"));
  await tab.locator("#name").fill("plan");
  await save(window, GOOD);
};

export const breakPlugin = async (world) => {
  const { window, server, orders, machine } = world;
  const { tab } = window;
  assert.equal((await server.token(machine, orders.indicator)).status, 200);
  await window.section("/plugins");
  await window.leaves(tab.locator("#list").getByRole("link", { name: "plan", exact: true }));
  await save(window, BROKEN);
  for (let at = 0; at < TOKENS; at += 1) {
    const { status, body } = await server.token(machine, orders.indicator);
    assert.equal(status, 500);
    assert.match(body.error_description, /request id: \S+$/);
  }
  const line = new RegExp(`plan refused ${TOKENS} of ${TOKENS} tokens in the last hour: TypeError[^]*plan\\.js:2:\\d+`);
  // The overview has it in its health, with the way out.
  await window.section("");
  const health = tab.locator("ul.health li", { hasText: "plan refused" });
  assert.match(await health.innerText(), line);
  assert.equal(await health.locator(".badge.bad").count(), 1, await health.innerText());
  // The list has it first, the plugin's page on top, and the audit log names it.
  await window.section("/plugins");
  assert.match(await tab.locator("#list tbody tr").first().innerText(), line);
  await window.leaves(tab.locator("#list").getByRole("link", { name: "plan", exact: true }));
  assert.match(await tab.getByRole("alert").filter({ hasText: "plan refused" }).innerText(), line);
  await window.open("/console/logs?result=Error");
  await window.leaves(tab.locator("#list tbody a"));
  await tab.locator("main").getByRole("link", { name: "plan", exact: true }).waitFor();
  // One press, and tokens are issued again.
  await window.section("");
  await window.press("Roll back to version 1");
  assert.match(await said(tab), /Activated/);
  const { status, body } = await server.token(machine, orders.indicator);
  assert.equal(status, 200, JSON.stringify(body));
  await window.section("");
  assert.equal(await tab.getByText("plan refused").count(), 0);
};
