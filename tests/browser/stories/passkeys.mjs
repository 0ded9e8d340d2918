// Passkeys, with an authenticator that the browser makes up: asked for after a password, made, and used in its place.

import assert from "node:assert/strict";
import { story } from "../world.mjs";

const PASSWORD = "violet-kettle-42";

/** Gives the window an authenticator that does what its user would: unlocks. */
const plugIn = async (visit) => {
  const devtools = await visit.tab.context().newCDPSession(visit.tab);
  await devtools.send("WebAuthn.enable");
  await devtools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
};

story("a passkey is made after a password, and opens the next sign-in", async (visit, { server, application }) => {
  const id = await server.user({ username: "keyed", password: PASSWORD });
  const client = await application.register(server);
  await server.settings({ passkeySignIn: { enabled: true, showPasskeyButton: true } });
  await plugIn(visit);
  const begin = async () => {
    const request = application.request(server, client, { prompt: "login" });
    await visit.open(request.url);
    await visit.see("sign-in");
    return request;
  };

  let request = await begin();
  await visit.send({ identifier: "keyed", password: PASSWORD });
  await visit.see("passkey");
  await visit.tab.getByRole("button", { name: "Create a passkey" }).click();
  assert.equal((await application.exchange(visit.tab, server, request)).sub, id);

  request = await begin();
  await visit.tab.getByRole("button", { name: "Sign in with a passkey" }).click();
  const claims = await application.exchange(visit.tab, server, request);
  assert.equal(claims.sub, id);
  assert.equal(claims.amr.at(-1), "mfa");
  await server.settings({ passkeySignIn: { enabled: false } });
});

story("a passkey is a second factor", async (visit, { server, application }) => {
  const id = await server.user({ username: "twofold", password: PASSWORD });
  const client = await application.register(server);
  await server.settings({ mfa: { factors: ["WebAuthn"], policy: "Mandatory" } });
  await plugIn(visit);
  const signIn = async () => {
    const request = application.request(server, client, { prompt: "login" });
    await visit.open(request.url);
    await visit.see("sign-in");
    await visit.send({ identifier: "twofold", password: PASSWORD });
    await visit.see("passkey");
    return request;
  };

  let request = await signIn();
  await visit.tab.getByRole("button", { name: "Create a passkey" }).click();
  assert.equal((await application.exchange(visit.tab, server, request)).sub, id);

  request = await signIn();
  await visit.tab.getByRole("button", { name: "Use your passkey" }).click();
  assert.equal((await application.exchange(visit.tab, server, request)).amr.at(-1), "mfa");
  await server.settings({ mfa: { factors: [], policy: "UserControlled" } });
});
