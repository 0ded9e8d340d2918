// Passkeys, with an authenticator that the browser makes up: asked for after a password, made, and used in its place.

import assert from "node:assert/strict";
import { plugIn } from "../authenticator.mjs";
import { PASSWORD } from "../people.mjs";
import { about } from "../receiver.mjs";
import { told } from "../told.mjs";

const EVENTS = ["PostSignIn", "User.Data.Updated"];

told("a passkey is made after a password, and opens the next sign-in", EVENTS, async (visit, world, receiver) => {
  const { server, application } = world;
  const id = await server.user({ username: "keyed", password: PASSWORD });
  const client = await application.register(server);
  await server.settings({ passkeySignIn: { enabled: true, showPasskeyButton: true } });
  await plugIn(visit);
  const begin = async () => {
    const request = await application.begin(visit, client, { prompt: "login" });
    await visit.see("sign-in");
    return request;
  };

  let request = await begin();
  await visit.send({ identifier: "keyed", password: PASSWORD });
  await visit.see("passkey");
  await visit.tab.getByRole("button", { name: "Create a passkey" }).click();
  assert.equal((await application.exchange(visit.tab, server, request)).sub, id);
  await receiver.wait("User.Data.Updated", about(id));
  await receiver.wait("PostSignIn", about(id));

  request = await begin();
  await visit.tab.getByRole("button", { name: "Sign in with a passkey" }).click();
  const claims = await application.exchange(visit.tab, server, request);
  assert.equal(claims.sub, id);
  assert.equal(claims.amr.at(-1), "mfa");
  await receiver.wait("PostSignIn", about(id), 2);
});

told("a passkey that the browser offers in the field signs in", ["PostSignIn"], async (visit, world, receiver) => {
  const { server, application } = world;
  const id = await server.user({ username: "offered", password: PASSWORD });
  const client = await application.register(server);
  await server.settings({ passkeySignIn: { enabled: true, allowAutofill: true } });
  await plugIn(visit, { offers: true });
  let request = await application.begin(visit, client, { prompt: "login" });
  await visit.see("sign-in");
  await visit.send({ identifier: "offered", password: PASSWORD });
  await visit.see("passkey");
  await visit.tab.getByRole("button", { name: "Create a passkey" }).click();
  assert.equal((await application.exchange(visit.tab, server, request)).sub, id);
  await receiver.wait("PostSignIn", about(id));

  // Nothing is pressed.
  request = await application.begin(visit, client, { prompt: "login" });
  assert.equal((await application.exchange(visit.tab, server, request)).sub, id);
  await receiver.wait("PostSignIn", about(id), 2);
});

told("a passkey is a second factor", EVENTS, async (visit, { server, application }, receiver) => {
  const id = await server.user({ username: "twofold", password: PASSWORD });
  const client = await application.register(server);
  await server.settings({ mfa: { factors: ["WebAuthn"], policy: "Mandatory" } });
  await plugIn(visit);
  const signIn = async () => {
    const request = await application.begin(visit, client, { prompt: "login" });
    await visit.see("sign-in");
    await visit.send({ identifier: "twofold", password: PASSWORD });
    await visit.see("passkey");
    return request;
  };

  let request = await signIn();
  await visit.tab.getByRole("button", { name: "Create a passkey" }).click();
  assert.equal((await application.exchange(visit.tab, server, request)).sub, id);
  await receiver.wait("User.Data.Updated", about(id));

  request = await signIn();
  await visit.tab.getByRole("button", { name: "Use your passkey" }).click();
  assert.equal((await application.exchange(visit.tab, server, request)).amr.at(-1), "mfa");
  await receiver.wait("PostSignIn", about(id), 2);
});

told("a passkey works though the page was left before the backup codes", EVENTS, async (visit, world, receiver) => {
  const { server, application } = world;
  const client = await application.register(server);
  await server.settings({
    passkeySignIn: { enabled: true, showPasskeyButton: true },
    mfa: { factors: ["WebAuthn", "BackupCode"], policy: "Mandatory" },
  });
  await plugIn(visit);

  await visit.open(application.request(server, client, { prompt: "create" }).url);
  await visit.see("register");
  await visit.send({ username: "leaver", password: PASSWORD });
  await visit.see("passkey");
  await visit.tab.getByRole("button", { name: "Create a passkey" }).click();
  await visit.see("backup-codes");

  // The page is left, and the device has the passkey.
  const request = await application.begin(visit, client, { prompt: "login" });
  await visit.see("sign-in");
  await visit.tab.getByRole("button", { name: "Sign in with a passkey" }).click();
  await visit.see("backup-codes");
  await visit.send({});
  const { sub } = await application.exchange(visit.tab, server, request);
  await receiver.wait("User.Data.Updated", about(sub));
  await receiver.wait("PostSignIn", about(sub));
});

told("the browser is told of a passkey that nobody has", ["PostSignIn"], async (visit, world, receiver) => {
  const { server, application } = world;
  const id = await server.user({ username: "keyless", password: PASSWORD });
  const client = await application.register(server);
  await server.settings({ passkeySignIn: { enabled: true, showPasskeyButton: true } });
  await plugIn(visit);
  const begin = async () => {
    const request = await application.begin(visit, client, { prompt: "login" });
    await visit.see("sign-in");
    return request;
  };
  const request = await begin();
  await visit.send({ identifier: "keyless", password: PASSWORD });
  await visit.see("passkey");
  await visit.tab.getByRole("button", { name: "Create a passkey" }).click();
  assert.equal((await application.exchange(visit.tab, server, request)).sub, id);
  await receiver.wait("PostSignIn", about(id));
  const [factor] = await server.call("GET", `/users/${id}/mfa-verifications`);
  await server.call("DELETE", `/users/${id}/mfa-verifications/${factor.id}`);

  await visit.tab.addInitScript(() => {
    if (!globalThis.PublicKeyCredential) return;
    PublicKeyCredential.signalUnknownCredential = async (told) => document.documentElement.setAttribute("data-told", JSON.stringify(told));
  });
  await begin();
  await visit.tab.getByRole("button", { name: "Sign in with a passkey" }).click();
  await visit.tab.locator("html[data-told]").waitFor({ state: "attached" });
  const told = JSON.parse(await visit.tab.locator("html").getAttribute("data-told"));
  assert.equal(told.rpId, "localhost");
  assert.match(told.credentialId, /^[\w-]{16,}$/);
});
