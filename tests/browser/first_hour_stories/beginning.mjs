// The first minutes: the link of the terminal makes an administrator with an email address, who signs out and in.

import assert from "node:assert/strict";
import { PASSWORD } from "../people.mjs";
import { ADDRESS } from "./window.mjs";

export const setUp = async ({ window, server }) => {
  const { tab } = window;
  // The link is of the server as people reach it.
  assert.ok(server.setup?.startsWith(`${server.origin}/console/setup?`), server.setup);
  await tab.goto(server.setup);
  await window.fits();
  await tab.locator("input[name=identifier]").fill(ADDRESS);
  await tab.locator("input[name=password]").fill(PASSWORD);
  await window.leaves(tab.locator("button[type=submit].button"));
  await tab.locator("header.bar details.who").waitFor();
  assert.equal(tab.url(), `${server.origin}/console`);
  assert.match(await tab.locator("header.bar").innerText(), new RegExp(`${ADDRESS}|ruth`));
  // It is used up.
  const context = await window.newContext();
  const other = await context.newPage();
  await other.goto(server.setup);
  await other.getByRole("heading", { level: 1 }).waitFor();
  assert.equal(await other.locator("input[name=password]").count(), 0);
  await context.close();
};

export const signOutAndIn = async ({ window }) => {
  const { tab } = window;
  await tab.locator("details.who summary").click();
  await window.submit("/console/sign-out");
  await window.open("/console");
  assert.equal(await tab.locator("header.bar details.who").count(), 0, "the session has ended");
  await window.enter();
  await window.fits();
  await window.signsIn();
};
