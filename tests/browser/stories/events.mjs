// What is told of a sign-in to a receiver of webhooks, on both databases.

import assert from "node:assert/strict";
import { Receiver } from "../receiver.mjs";
import { DATABASES } from "../server.mjs";
import { story } from "../world.mjs";

const PASSWORD = "violet-kettle-42";
const EVENTS = ["PostRegister", "PostSignIn", "User.Created", "User.Data.Updated", "Identifier.Lockout"];
const method = (identifier) => ({ identifier, password: true, verificationCode: false, isPasswordPrimary: true });

for (const database of DATABASES) {
  story(`what people do is told to a receiver, on ${database}`, { own: { database } }, async (visit, world) => {
    const { server, application } = world;
    const receiver = await Receiver.start(server, EVENTS);
    await server.settings({
      sentinelPolicy: { maxAttempts: 2, lockoutDuration: 5 },
      signIn: { methods: [method("username"), method("email")] },
    });
    const client = await application.register(server);
    const about = (id) => (body) => (body.userId ?? body.data?.id) === id;

    // Somebody registers.
    let request = application.request(server, client, { prompt: "create" });
    await visit.open(request.url);
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
    request = application.request(server, client, { prompt: "login" });
    await visit.open(request.url);
    await visit.send({ identifier: "ada", password: PASSWORD });
    await application.told(visit.tab, request);
    const signedIn = await receiver.wait("PostSignIn", about(sub));
    assert.deepEqual([signedIn.interactionEvent, signedIn.user.username], ["SignIn", "ada"]);

    // Somebody completes a profile.
    const id = await server.user({ primaryEmail: "lee@example.com", password: PASSWORD });
    request = application.request(server, client, { prompt: "login" });
    await visit.open(request.url);
    await visit.send({ identifier: "lee@example.com", password: PASSWORD });
    await visit.see("profile");
    await visit.send({ username: "lee" });
    await application.told(visit.tab, request);
    const updated = await receiver.wait("User.Data.Updated", about(id));
    assert.equal(updated.data.username, "lee");
    await receiver.wait("PostSignIn", about(id));

    // Somebody guesses, in another browser: in one where people are signed in, nobody is locked out.
    const guesser = await world.visit();
    await guesser.open(application.request(server, client).url);
    for (const message of ["That did not work", "That did not work", "Too many attempts"]) {
      await guesser.send({ identifier: "ada", password: "wrong" });
      await guesser.tab.getByRole("alert").filter({ hasText: message }).waitFor();
    }
    const locked = await receiver.wait("Identifier.Lockout");
    assert.deepEqual([locked.type, locked.value], ["username", "ada"]);

    // Each once, and nothing secret in any of it.
    const told = EVENTS.map((event) => receiver.of(event).length);
    assert.deepEqual(told, [1, 2, 2, 1, 1]);
    const all = JSON.stringify(EVENTS.flatMap((event) => receiver.of(event)));
    assert.ok(!all.includes("argon2") && !all.includes(PASSWORD));
    receiver.stop();
  });
}
