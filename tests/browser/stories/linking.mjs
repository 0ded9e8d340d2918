// Linking an address and a number: what the settings ask of everybody is asked for at the next sign-in, and proved.

import assert from "node:assert/strict";
import { Mailbox } from "../mailbox.mjs";
import { PASSWORD } from "../people.mjs";
import { about } from "../receiver.mjs";
import { told } from "../told.mjs";

const EVENTS = ["PostSignIn", "User.Data.Updated"];

told("an address and a number are linked by codes", EVENTS, async (visit, world, receiver) => {
  const { server, application } = world;
  const id = await server.user({ username: "lee", password: PASSWORD });
  const mailbox = await Mailbox.open(server);
  const client = await application.register(server);
  for (const [identifier, wrong, typed, stored, property] of [
    ["email", "lee", "lee@example.com", "lee@example.com", "primaryEmail"],
    ["phone", "lee@example.com", "+49 151 12345678", "4915112345678", "primaryPhone"],
  ]) {
    await server.settings({
      signUp: {
        identifiers: ["username"],
        password: true,
        verify: true,
        secondaryIdentifiers: [{ identifier, verify: true }],
      },
    });
    const request = await application.begin(visit, client, { prompt: "login" });
    await visit.see("sign-in");
    await visit.send({ identifier: "lee", password: PASSWORD });
    await visit.see("profile");
    await visit.send({ identifier: wrong });
    await visit.tab.locator("#identifier-error").waitFor();
    await visit.see("profile");
    await visit.send({ identifier: typed });
    await visit.see("verification-code");
    await visit.send({ code: await mailbox.code(stored) });
    assert.equal((await application.exchange(visit.tab, server, request)).sub, id);
    const isLinked = (body) => about(id)(body) && body.data[property] === stored;
    const updated = await receiver.wait("User.Data.Updated", isLinked);
    assert.equal(updated.interactionEvent, "SignIn");
    assert.equal((await server.call("GET", `/users/${id}`))[property], stored);
  }
  await receiver.wait("PostSignIn", about(id), 2);
});
