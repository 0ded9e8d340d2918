// Signing in with the keyboard alone: everything is reached by Tab in the order of the page, what has the focus is
// seen, and Enter sends.

import assert from "node:assert/strict";
import { PASSWORD } from "../people.mjs";
import { story } from "../world.mjs";

/** What has the focus: its name, and whether it is seen to have it. */
const focus = (visit) =>
  visit.tab.evaluate(() => {
    const element = document.activeElement;
    const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(element);
    const isSeen = outlineStyle !== "none" && parseFloat(outlineWidth) >= 2 && !outlineColor.endsWith(", 0)");
    const { top, bottom } = element.getBoundingClientRect();
    const name = element.name || element.getAttribute("aria-label") || element.textContent.trim();
    return { name, isSeen, isOnScreen: top >= 0 && bottom <= innerHeight };
  });

/** Presses Tab until something of this name has the focus; answers all that had it. */
const tabTo = async (visit, name) => {
  const passed = [];
  for (let steps = 0; steps < 20; steps += 1) {
    const now = await focus(visit);
    passed.push(now.name);
    assert.ok(now.isSeen && now.isOnScreen, `${now.name} has the focus, and nobody sees it: ${JSON.stringify(now)}`);
    if (now.name === name) return passed;
    await visit.tab.keyboard.press("Tab");
  }
  throw new Error(`${name} is not reached: ${passed}`);
};

story("somebody registers and signs in with the keyboard alone", async (visit, { server, application }) => {
  const client = await application.register(server, { isThirdParty: true });
  let request = application.request(server, client);
  const type = (text) => visit.tab.keyboard.type(text);
  const press = (key) => visit.tab.keyboard.press(key);

  await visit.open(request.url);
  await visit.see("sign-in");
  const order = ["identifier", "password", "Show password", "Forgot your password?", "Sign in", "Create account"];
  assert.deepEqual(await tabTo(visit, "Create account"), order);
  await press("Enter");
  await visit.see("register");
  await type("keys");
  await tabTo(visit, "password");
  await type(PASSWORD);
  assert.deepEqual(await tabTo(visit, "Create account"), ["password", "Show password", "Create account"]);
  await press("Space");
  await visit.see("consent");
  await press("Tab");
  await tabTo(visit, "decision");
  await press("Enter");
  const { sub } = await application.exchange(visit.tab, server, request);

  request = application.request(server, client, { prompt: "login" });
  await visit.open(request.url);
  await visit.see("sign-in");
  await type("keys");
  await tabTo(visit, "password");
  await type("wrong");
  await press("Enter");
  await visit.tab.getByRole("alert").waitFor();
  await visit.see("sign-in");
  assert.deepEqual(await focus(visit), { name: "password", isSeen: true, isOnScreen: true });
  await type(PASSWORD);
  await press("Enter");
  assert.equal((await application.exchange(visit.tab, server, request)).sub, sub);

  request = application.request(server, client, { prompt: "select_account" });
  await visit.open(request.url);
  await visit.see("choose-account");
  await press("Tab");
  await tabTo(visit, "account");
  await press("Enter");
  assert.equal((await application.exchange(visit.tab, server, request)).sub, sub);
});

story("the demo application is used with the keyboard alone", { height: 600 }, async (visit, { server }) => {
  await visit.open("/demo");
  await visit.tab.keyboard.press("Tab");
  assert.deepEqual(await tabTo(visit, "screen"), ["screen"]);
  await visit.tab.keyboard.press("Tab");
  await visit.tab.keyboard.press("Enter");
  await visit.see("sign-in");
  await visit.tab.keyboard.type("engineer");
  await tabTo(visit, "password");
  await visit.tab.keyboard.type(server.demo.engineerPassword);
  await visit.tab.keyboard.press("Enter");
  await visit.tab.getByRole("heading", { name: "Your tokens" }).waitFor();
  await visit.tab.keyboard.press("Tab");
  const passed = await tabTo(visit, "ticket");
  assert.deepEqual(passed, ["Refresh", "Userinfo", "Your account", "Sign out", "reason", "ticket"]);
});
