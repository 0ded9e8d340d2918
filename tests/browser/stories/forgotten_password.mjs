// A way back in for whoever forgot their password: a code, a new password, and everybody else is signed out.

import assert from "node:assert/strict";
import { Mailbox } from "../mailbox.mjs";
import { NEW_PASSWORD, PASSWORD } from "../people.mjs";
import { about } from "../receiver.mjs";
import { told } from "../told.mjs";

const EMAIL = "lee@example.com";
const EVENTS = ["PostResetPassword", "User.Data.Updated", "PostSignIn"];

const name = "a forgotten password is replaced, without JavaScript";

told(name, EVENTS, { javaScript: false }, async (visit, world, receiver) => {
  const { server, application } = world;
  const id = await server.user({ username: "lee", primaryEmail: EMAIL, password: PASSWORD });
  const mailbox = await Mailbox.open(server);
  const client = await application.register(server);
  const elsewhere = await world.visit();
  let request = await application.begin(elsewhere, client);
  await elsewhere.send({ identifier: "lee", password: PASSWORD });
  await application.told(elsewhere.tab, request);

  request = await application.begin(visit, client);
  await visit.see("sign-in");
  await visit.tab.getByRole("link", { name: "Forgot your password?" }).click();
  await visit.see("reset-password");
  await visit.send({ identifier: EMAIL });
  await visit.see("verification-code");
  await visit.send({ code: await mailbox.code(EMAIL) });
  await visit.see("new-password");
  for (const [password, message] of [["1234567", /at least 8/], [PASSWORD, /different from the old one/]]) {
    await visit.send({ password });
    await visit.tab.locator("#password-error").waitFor();
    await visit.see("new-password");
    assert.match(await visit.tab.locator("#password-error").innerText(), message);
  }
  await visit.send({ password: NEW_PASSWORD });
  await visit.see("sign-in");
  assert.match(await visit.tab.getByRole("status").innerText(), /Your password was changed/);
  await visit.send({ identifier: "lee", password: NEW_PASSWORD });
  assert.equal((await application.exchange(visit.tab, server, request)).sub, id);

  const reset = await receiver.wait("PostResetPassword", about(id));
  assert.deepEqual([reset.interactionEvent, reset.user.primaryEmail], ["ForgotPassword", EMAIL]);
  assert.equal(reset.application.id, client);
  const updated = await receiver.wait("User.Data.Updated", about(id));
  assert.equal(updated.interactionEvent, "ForgotPassword");
  await receiver.wait("PostSignIn", about(id), 2);
  assert.deepEqual(EVENTS.map((event) => receiver.of(event).length), [1, 1, 2]);

  const silent = await application.begin(elsewhere, client, { prompt: "none" });
  assert.equal((await application.told(elsewhere.tab, silent)).error, "login_required");
});
