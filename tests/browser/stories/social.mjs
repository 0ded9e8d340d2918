// Signing in with an account elsewhere: at a second server of this make, and at a provider of another make.

import assert from "node:assert/strict";
import { OtherProvider } from "../provider.mjs";
import { about } from "../receiver.mjs";
import { told } from "../told.mjs";
import { BUTTON, connect, Upstream } from "../upstream.mjs";

const EVENTS = ["PostRegister", "PostSignIn", "User.Created"];
const EMAIL = "ada@example.com";

/** Registers somebody by the button, and signs them in by it in another browser. */
const comeTwice = async (visit, world, receiver, upstream, [login, id]) => {
  const { server, application } = world;
  await connect(server, upstream);
  const client = await application.register(server);
  let request = await application.begin(visit, client);
  await visit.see("sign-in");
  assert.equal(await visit.tab.locator(BUTTON).innerText(), "Continue with Partner");
  await visit.send({}, BUTTON);
  await upstream.signIn(visit, login);
  // Somebody new, who still needs a user name.
  await visit.see("profile");
  await visit.send({ username: "ada" });
  const { sub } = await application.exchange(visit.tab, server, request);
  const created = await receiver.wait("User.Created", about(sub));
  assert.equal(created.data.identities.partner.userId, id);
  assert.deepEqual([created.data.username, created.data.primaryEmail], ["ada", EMAIL]);
  await receiver.wait("PostRegister", about(sub));

  const again = await world.visit();
  request = await application.begin(again, client);
  await again.see("sign-in");
  await again.send({}, BUTTON);
  await upstream.signIn(again, login);
  assert.equal((await application.exchange(again.tab, server, request)).sub, sub);
  await receiver.wait("PostSignIn", about(sub));
  again.isQuiet();
};

told("somebody comes from a second server", EVENTS, { javaScript: false }, async (visit, world, receiver) => {
  const upstream = await Upstream.start();
  try {
    await comeTwice(visit, world, receiver, upstream, ["ada", await upstream.user("ada", EMAIL)]);
  } finally {
    await upstream.stop();
  }
});

told("somebody comes from a provider of another make", EVENTS, async (visit, world, receiver) => {
  const upstream = await OtherProvider.start({ "ada-7": { name: "Ada", email: EMAIL, email_verified: true } });
  try {
    await comeTwice(visit, world, receiver, upstream, ["ada-7", "ada-7"]);
  } finally {
    upstream.stop();
  }
});

told("who is not let in elsewhere tries otherwise", ["PostSignIn"], async (visit, world, receiver) => {
  const { server, application } = world;
  const upstream = await OtherProvider.start({});
  try {
    await connect(server, upstream);
    const client = await application.register(server);
    await application.begin(visit, client);
    await visit.see("sign-in");
    await visit.send({}, BUTTON);
    await upstream.refuse(visit);
    await visit.see("sign-in");
    assert.match(await visit.tab.getByRole("alert").innerText(), /You were not signed in there/);
    assert.deepEqual(receiver.of("PostSignIn"), []);
  } finally {
    upstream.stop();
  }
});
