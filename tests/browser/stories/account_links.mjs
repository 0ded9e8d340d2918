// What people link at their own account: an address, a number, an account elsewhere, a passkey; and codes as a second
// factor of whoever has no address yet.

import assert from "node:assert/strict";
import { plugIn } from "../authenticator.mjs";
import { Mailbox } from "../mailbox.mjs";
import { anotherThan, arriveAtAccount, PASSWORD } from "../people.mjs";
import { about } from "../receiver.mjs";
import { told } from "../told.mjs";
import { connect, Upstream } from "../upstream.mjs";

const EVENTS = ["PostSignIn", "User.Data.Updated"];
const SCRIPTLESS = { javaScript: false };
const ADDRESSES = [
  ["email", "linker@example.com", "linker@example.com", "primaryEmail"],
  ["phone", "+49 151 12345678", "4915112345678", "primaryPhone"],
];

told("an address and a number are linked at the account", EVENTS, SCRIPTLESS, async (visit, { server }, receiver) => {
  const id = await server.user({ username: "linker", password: PASSWORD });
  const mailbox = await Mailbox.open(server);
  await arriveAtAccount(visit, "linker");
  for (const [channel, typed, stored, property] of ADDRESSES) {
    await visit.open(`/account/${channel}`);
    await visit.see("account-address");
    await visit.send({ identifier: typed });
    await visit.see("account-address");
    const code = await mailbox.code(stored);
    await visit.send({ code: anotherThan(code) });
    await visit.tab.locator("#code-error").waitFor();
    await visit.see("account-address");
    await visit.send({ code });
    await visit.see("account");
    await receiver.wait("User.Data.Updated", (body) => about(id)(body) && body.data[property] === stored);
  }
});

told("an account elsewhere and a passkey are linked at the account", EVENTS, async (visit, { server }, receiver) => {
  const upstream = await Upstream.start();
  try {
    const there = await upstream.user("robin", "robin@example.com");
    const id = await server.user({ username: "linker", password: PASSWORD });
    await connect(server, upstream);
    await server.settings({ mfa: { factors: ["WebAuthn"], policy: "NoPrompt" } });
    await arriveAtAccount(visit, "linker");
    await visit.send({}, "form[action='/account/identity/link'] button[type=submit]");
    await upstream.signIn(visit, "robin");
    await visit.see("account");
    const linked = await receiver.wait("User.Data.Updated", about(id));
    assert.equal(linked.data.identities.partner.userId, there);

    await plugIn(visit);
    await visit.open("/account/passkey");
    await visit.see("account-passkey");
    await visit.tab.getByRole("button", { name: "Create a passkey" }).click();
    await visit.see("account");
    await receiver.wait("User.Data.Updated", about(id), 2);
    const factors = await server.call("GET", `/users/${id}/mfa-verifications`);
    assert.deepEqual(factors.map(({ type }) => type), ["WebAuthn"]);
    // The browser learns which passkeys are left.
    await visit.tab.addInitScript(() => {
      if (!globalThis.PublicKeyCredential) return;
      PublicKeyCredential.signalAllAcceptedCredentials = async (told) => document.documentElement.setAttribute("data-accepted", JSON.stringify(told));
    });
    const accepted = async () => {
      await visit.open("/account");
      await visit.tab.locator("html[data-accepted]").waitFor({ state: "attached" });
      return JSON.parse(await visit.tab.locator("html").getAttribute("data-accepted"));
    };
    const before = await accepted();
    assert.equal(before.rpId, "localhost");
    assert.match(before.userId, /^[\w-]{22}$/);
    assert.equal(before.allAcceptedCredentialIds.length, 1);
    await server.call("DELETE", `/users/${id}/mfa-verifications/${factors[0].id}`);
    assert.deepEqual((await accepted()).allAcceptedCredentialIds, []);
  } finally {
    await upstream.stop();
  }
});

told("who has no address sets codes up while signing in", EVENTS, SCRIPTLESS, async (visit, world, receiver) => {
  const { server, application } = world;
  const id = await server.user({ username: "linker", password: PASSWORD });
  const mailbox = await Mailbox.open(server);
  const client = await application.register(server);
  for (const [channel, typed, stored, property] of ADDRESSES) {
    const factor = channel === "email" ? "EmailVerificationCode" : "PhoneVerificationCode";
    await server.settings({ mfa: { factors: [factor], policy: "Mandatory" } });
    const request = await application.begin(visit, client, { prompt: "login" });
    await visit.see("sign-in");
    await visit.send({ identifier: "linker", password: PASSWORD });
    await visit.see("set-up-code");
    await visit.send({ identifier: typed });
    await visit.see("set-up-code");
    await visit.send({ code: await mailbox.code(stored) });
    assert.equal((await application.exchange(visit.tab, server, request)).sub, id);
    await receiver.wait("User.Data.Updated", (body) => about(id)(body) && body.data[property] === stored);
  }
  await receiver.wait("PostSignIn", about(id), 2);
});
