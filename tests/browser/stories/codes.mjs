// Codes by e-mail and by text message: registering and signing in without a password, and what is wrong with a code.

import assert from "node:assert/strict";
import { Mailbox } from "../mailbox.mjs";
import { anotherThan, method, PASSWORD } from "../people.mjs";
import { about } from "../receiver.mjs";
import { told } from "../told.mjs";
import { story } from "../world.mjs";

/** Codes alone open this server: those to an address, or those to a number. */
const take = (server, identifier) =>
  server.settings({
    signIn: { methods: [method(identifier, { password: false, code: true })] },
    signUp: { identifiers: [identifier], password: false, verify: true },
  });

for (const [what, identifier, typed, stored, property] of [
  ["by e-mail", "email", "ada@example.com", "ada@example.com", "primaryEmail"],
  ["by text message", "phone", "+49 (0)151 12345678", "4915112345678", "primaryPhone"],
]) {
  const events = ["PostRegister", "PostSignIn", "User.Created"];
  const name = `somebody registers and signs in with a code ${what}, without JavaScript`;
  told(name, events, { javaScript: false }, async (visit, { server, application }, receiver) => {
    await take(server, identifier);
    const mailbox = await Mailbox.open(server);
    const client = await application.register(server);

    let request = await application.begin(visit, client, { prompt: "create" });
    await visit.see("register");
    await visit.send({ identifier: typed });
    await visit.see("verification-code");
    const code = await mailbox.code(stored);
    await visit.send({ code: anotherThan(code) });
    await visit.tab.locator("#code-error").waitFor();
    await visit.see("verification-code");
    await visit.send({ code });
    const { sub } = await application.exchange(visit.tab, server, request);
    const created = await receiver.wait("User.Created", about(sub));
    assert.deepEqual([created.data[property], created.interactionEvent], [stored, "Register"]);
    const registered = await receiver.wait("PostRegister", about(sub));
    assert.equal(registered.user[property], stored);

    request = await application.begin(visit, client, { prompt: "login" });
    await visit.see("sign-in");
    assert.equal(await visit.tab.locator("#password").count(), 0, "nobody has a password");
    await visit.send({ identifier: typed });
    await visit.see("verification-code");
    await visit.send({ code: await mailbox.code(stored) });
    assert.equal((await application.exchange(visit.tab, server, request)).sub, sub);
    const signedIn = await receiver.wait("PostSignIn", about(sub));
    assert.equal(signedIn.interactionEvent, "SignIn");
    assert.deepEqual(events.map((event) => receiver.of(event).length), [1, 1, 1]);
    receiver.isDiscreet(code);
  });
}

told("who has no account is asked whether they want one", ["PostRegister"], async (visit, world, receiver) => {
  const { server, application } = world;
  await take(server, "email");
  const mailbox = await Mailbox.open(server);
  const client = await application.register(server);
  const request = await application.begin(visit, client);
  await visit.see("sign-in");
  await visit.send({ identifier: "new@example.com" });
  await visit.see("verification-code");
  await visit.send({ code: await mailbox.code("new@example.com") });
  await visit.see("no-account");
  assert.match(await visit.tab.locator("main").innerText(), /new@example\.com/);
  await visit.send({});
  const { sub } = await application.exchange(visit.tab, server, request);
  await receiver.wait("PostRegister", about(sub));
});

story("a code is read in the mailbox of the demo, and the newest one counts", async (visit, world) => {
  const { server, application } = world;
  const id = await server.user({ username: "reader", primaryEmail: "reader@example.com", password: PASSWORD });
  await server.settings({ signIn: { methods: [method("username"), method("email", { code: true })] } });
  const client = await application.register(server);
  const owner = await world.visit();
  await owner.open(server.mailbox);
  await owner.see("mailbox");
  await owner.send({});
  await owner.see("mailbox");
  const read = async () => {
    await owner.open("/demo/mailbox");
    await owner.see("mailbox");
    const letter = owner.tab.locator(".panel", { hasText: "reader@example.com" }).first();
    return /Code: (\d{6})/.exec(await letter.innerText())[1];
  };

  const request = await application.begin(visit, client);
  await visit.see("sign-in");
  await visit.send({ identifier: "reader@example.com" }, "button[value=code]");
  await visit.see("verification-code");
  const first = await read();
  await visit.send({}, "button[value=resend]");
  await visit.tab.getByRole("status").waitFor();
  await visit.see("verification-code");
  const second = await read();
  if (first !== second) {
    await visit.send({ code: first });
    await visit.tab.locator("#code-error").waitFor();
  }
  await visit.send({ code: second });
  assert.equal((await application.exchange(visit.tab, server, request)).sub, id);
  await server.settings({ signIn: { methods: [method("username")] } });
});
