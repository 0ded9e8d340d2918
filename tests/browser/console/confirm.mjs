// Confirming one's identity on the page that needs it: with a password, with a second factor, and with a passkey. All
// but the passkey works without JavaScript.

import assert from "node:assert/strict";
import { plugIn } from "../authenticator.mjs";
import { button, confirm, isAsked, operator, said, signInAtConsole } from "../operator.mjs";
import { PASSWORD } from "../people.mjs";
import { DATABASES } from "../server.mjs";
import { oneTimePassword } from "../totp.mjs";
import { story } from "../world.mjs";

/** Fills in the page that deletes a user, and sends it. */
const remove = async (visit, id, username) => {
  await visit.open(`/console/users/${id}/delete`);
  await visit.tab.locator("input[name=name]").fill(username);
  await Promise.all([visit.tab.waitForEvent("load"), button(visit.tab, "Delete").click()]);
};

for (const database of DATABASES) {
  story(`a deletion is confirmed with the password, on ${database}`, { own: { database } }, async (visit, { server }) => {
    const { tab } = visit;
    await signInAtConsole(visit);
    const ids = await Promise.all(["first", "second", "third"].map((username) => server.user({ username })));
    server.age(11);
    await remove(visit, ids[0], "first");
    await visit.seeScreen("Confirm it's you");
    await confirm(visit, "a wrong password");
    assert.match(await tab.getByRole("alert").first().innerText(), /Incorrect password/);
    await confirm(visit, PASSWORD);
    assert.match(await said(tab), /Deleted/);
    await visit.seeScreen("Users");
    // It counts for a while, then no longer.
    await remove(visit, ids[1], "second");
    assert.match(await said(tab), /Deleted/);
    server.age(11);
    await remove(visit, ids[2], "third");
    assert.ok(await isAsked(tab));
    // Nothing was deleted by asking.
    await server.call("GET", `/users/${ids[2]}`);
  });
}

story("a second factor is confirmed beside the password", { own: {} }, async (visit, { server }) => {
  const { tab } = visit;
  const id = await signInAtConsole(visit, "administrator", "two_factors");
  const { secret } = await server.call("POST", `/users/${id}/mfa-verifications`, { type: "Totp" });
  const other = await server.user({ username: "someone" });
  server.age(11);
  await remove(visit, other, "someone");
  await confirm(visit, PASSWORD, "000000");
  assert.match(await tab.getByRole("alert").first().innerText(), /Incorrect code/);
  await confirm(visit, PASSWORD, oneTimePassword(secret));
  assert.match(await said(tab), /Deleted/);
});

story("a sign-in in another tab confirms as well", { own: {} }, async (visit, { server }) => {
  const { tab } = visit;
  await signInAtConsole(visit);
  const id = await server.user({ username: "someone" });
  server.age(11);
  await remove(visit, id, "someone");
  await tab.locator("summary", { hasText: "Sign in again instead" }).click();
  const opened = tab.context().waitForEvent("page");
  await tab.getByRole("link", { name: /Sign in again/ }).click();
  const again = await opened;
  await again.locator("input[name=password]").fill(PASSWORD);
  await again.locator("button[type=submit].button").first().click();
  await again.getByRole("heading", { level: 1, name: "You've confirmed your identity" }).waitFor();
  await again.close();
  await Promise.all([tab.waitForEvent("load"), button(tab, "2. Continue").click()]);
  assert.match(await said(tab), /Deleted/);
});

story("a passkey confirms", { own: {}, scripted: true }, async (visit, { server, application }) => {
  const { tab } = visit;
  await operator(server, "keyed_admin");
  const client = await application.register(server);
  await server.settings({ passkeySignIn: { enabled: true, showPasskeyButton: true } });
  await plugIn(visit);
  const request = await application.begin(visit, client, { prompt: "login" });
  await visit.see("sign-in");
  await visit.send({ identifier: "keyed_admin", password: PASSWORD });
  await visit.see("passkey");
  await tab.getByRole("button", { name: "Create a passkey" }).click();
  await application.exchange(tab, server, request);
  await visit.open("/console");
  await visit.see("sign-in");
  await tab.getByRole("button", { name: "Sign in with a passkey" }).click();
  await visit.seeScreen("Overview");
  const id = await server.user({ username: "someone" });
  server.age(11);
  await remove(visit, id, "someone");
  await visit.seeScreen("Confirm it's you");
  assert.equal(await tab.locator("input[name='confirm.password']").count(), 0, "a passkey is the second factor");
  await Promise.all([tab.waitForEvent("load"), button(tab, "Use a passkey").click()]);
  assert.match(await said(tab), /Deleted/);
});
