// One's own account: a keyboard and no JavaScript are enough, and what others do is seen and ended.

import assert from "node:assert/strict";
import { story } from "../world.mjs";

const PASSWORD = "violet-kettle-42";

story("somebody signs in to their account, changes it, and signs out elsewhere", async (visit, { server }) => {
  const username = `own_${Date.now().toString(36)}`;
  await server.user({ username, password: PASSWORD });
  await visit.open("/account");
  await visit.see("sign-in");
  await visit.send({ identifier: username, password: PASSWORD });
  await visit.see("account");
  await visit.send({ name: "Robin" }, "form[action='/account/profile'] button");
  await visit.see("account");
  assert.ok(await visit.tab.getByText("Your changes are saved.").isVisible());
  assert.equal(await visit.tab.locator("#name").inputValue(), "Robin");
  await visit.send({ avatar: "nowhere" }, "form[action='/account/profile'] button");
  await visit.see("account");
  assert.ok(await visit.tab.locator("#avatar-error").isVisible());
  assert.ok(await visit.tab.getByText("this device").isVisible());
});
