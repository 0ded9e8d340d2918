// What is told of a sign-in with a password to a receiver of webhooks.

import assert from "node:assert/strict";
import { method, PASSWORD } from "../people.mjs";
import { about } from "../receiver.mjs";
import { told } from "../told.mjs";

const EVENTS = ["PostRegister", "PostSignIn", "User.Created", "User.Data.Updated", "Identifier.Lockout"];

told("what people do is told to a receiver", EVENTS, async (visit, world, receiver) => {
  const { server, application } = world;
  await server.settings({
    sentinelPolicy: { maxAttempts: 2, lockoutDuration: 5 },
    signIn: { methods: [method("username"), method("email")] },
  });
  const client = await application.register(server);

  // Somebody registers.
  let request = await application.begin(visit, client, { prompt: "create" });
  await visit.see("register");
  await visit.send({ username: "ada", password: PASSWORD });
  const { sub } = await application.exchange(visit.tab, server, request);
  const created = await receiver.wait("User.Created", about(sub));
  assert.equal(created.data.username, "ada");
  const registered = await receiver.wait("PostRegister", about(sub));
  assert.equal(registered.interactionEvent, "Register");
  assert.equal(registered.application.id, client);
  assert.match(registered.userAgent, /Chrome/);
  assert.ok(["127.0.0.1", "::1"].includes(registered.userIp), registered.userIp);

  // They sign in.
  request = await application.begin(visit, client, { prompt: "login" });
  await visit.send({ identifier: "ada", password: PASSWORD });
  await application.told(visit.tab, request);
  const signedIn = await receiver.wait("PostSignIn", about(sub));
  assert.deepEqual([signedIn.interactionEvent, signedIn.user.username], ["SignIn", "ada"]);

  // Somebody completes a profile.
  const id = await server.user({ primaryEmail: "lee@example.com", password: PASSWORD });
  request = await application.begin(visit, client, { prompt: "login" });
  await visit.send({ identifier: "lee@example.com", password: PASSWORD });
  await visit.see("profile");
  await visit.send({ username: "lee" });
  await application.told(visit.tab, request);
  const updated = await receiver.wait("User.Data.Updated", about(id));
  assert.equal(updated.data.username, "lee");
  await receiver.wait("PostSignIn", about(id));

  // Somebody guesses, in another browser: in one where people are signed in, nobody is locked out.
  const guesser = await world.visit();
  await application.begin(guesser, client);
  for (const message of ["That did not work", "Too many attempts", "Too many attempts"]) {
    await guesser.send({ identifier: "ada", password: "wrong" });
    await guesser.tab.getByRole("alert").filter({ hasText: message }).waitFor();
  }
  const locked = await receiver.wait("Identifier.Lockout");
  assert.deepEqual([locked.type, locked.value], ["username", "ada"]);

  // Each once.
  assert.deepEqual(EVENTS.map((event) => receiver.of(event).length), [1, 2, 2, 1, 1]);
});
