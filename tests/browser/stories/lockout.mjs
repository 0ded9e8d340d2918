// Guessing codes: too many wrong ones lock the address, whoever is right afterwards; an operator unlocks it.

import assert from "node:assert/strict";
import { Mailbox } from "../mailbox.mjs";
import { anotherThan, method, PASSWORD } from "../people.mjs";
import { about } from "../receiver.mjs";
import { told } from "../told.mjs";

const EMAIL = "ada@example.com";
const EVENTS = ["Identifier.Lockout", "PostSignIn"];

told("too many wrong codes lock an address until it is unlocked", EVENTS, async (visit, world, receiver) => {
  const { server, application } = world;
  const id = await server.user({ username: "ada", primaryEmail: EMAIL, password: PASSWORD });
  await server.settings({
    sentinelPolicy: { maxAttempts: 2, lockoutDuration: 5 },
    signIn: { methods: [method("email", { code: true })] },
  });
  const mailbox = await Mailbox.open(server);
  const client = await application.register(server);
  const request = await application.begin(visit, client);
  await visit.see("sign-in");
  await visit.send({ identifier: EMAIL }, "button[value=code]");
  await visit.see("verification-code");
  const code = await mailbox.code(EMAIL);
  await visit.send({ code: anotherThan(code) });
  await visit.tab.locator("#code-error").waitFor();
  await visit.see("verification-code");
  // The second guess locks the address at once, also for the right code.
  for (const typed of [anotherThan(code), code]) {
    await visit.send({ code: typed });
    await visit.tab.getByRole("alert").filter({ hasText: "try again in 5 minutes" }).waitFor();
    await visit.see("verification-code");
  }
  const locked = await receiver.wait("Identifier.Lockout");
  assert.deepEqual([locked.type, locked.value], ["email", EMAIL]);
  assert.deepEqual(receiver.of("PostSignIn"), []);

  await server.call("POST", "/sentinel-activities/delete", { targetType: "User", targets: [EMAIL] });
  await visit.send({ code });
  assert.equal((await application.exchange(visit.tab, server, request)).sub, id);
  await receiver.wait("PostSignIn", about(id));
  assert.equal(receiver.of("Identifier.Lockout").length, 1);
});
