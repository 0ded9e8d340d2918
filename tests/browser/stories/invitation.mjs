// Links by e-mail: an invitation that is accepted on a page, and a one-time token that signs somebody in. Opened, they
// do nothing; each works once.

import assert from "node:assert/strict";
import { Mailbox } from "../mailbox.mjs";
import { PASSWORD } from "../people.mjs";
import { about } from "../receiver.mjs";
import { told } from "../told.mjs";

const INVITED = ["Organization.Membership.Updated", "User.Created"];
const SIGNED_IN = ["PostRegister", "PostSignIn", "User.Created"];

told("an invitation is accepted", INVITED, { javaScript: false }, async (visit, { server }, receiver) => {
  const mailbox = await Mailbox.open(server);
  const organization = await server.call("POST", "/organizations", { name: "Zoo & Co" });
  const known = await server.user({ username: "ada", primaryEmail: "ada@example.com", password: PASSWORD });
  const isMember = async (id) => {
    const joined = await receiver.wait("Organization.Membership.Updated", (body) => body.addedUserIds?.includes(id));
    assert.equal(joined.organizationId, organization.id);
  };
  for (const invitee of ["ada@example.com", "new@example.com"]) {
    await server.call("POST", "/organization-invitations", {
      invitee,
      organizationId: organization.id,
      expiresAt: Date.now() + 3_600_000,
      messagePayload: {},
    });
    const { link } = await mailbox.message(invitee);
    await visit.open(link);
    await visit.see("invitation");
    const text = await visit.tab.locator("main").innerText();
    for (const said of ["Zoo & Co", invitee]) assert.ok(text.includes(said), said);
    await visit.send({});
    await visit.see("invitation");
    assert.match(await visit.tab.locator("h1").innerText(), /Welcome to Zoo & Co/);
    await visit.open(link);
    await visit.see("invitation");
    assert.match(await visit.tab.locator("h1").innerText(), /does not work any more/);
  }
  await isMember(known);
  const created = await receiver.wait("User.Created", ({ data }) => data.primaryEmail === "new@example.com");
  await isMember(created.data.id);
});

told("a one-time token registers somebody, and signs them in", SIGNED_IN, async (visit, world, receiver) => {
  const { server, application } = world;
  await server.settings({ signUp: { identifiers: [], password: false, verify: false } });
  const client = await application.register(server);
  const email = "lee@example.com";
  const follow = async (from, token) => {
    const request = await application.begin(from, client, { one_time_token: token, login_hint: email });
    await from.see("one-time-token");
    assert.match(await from.tab.locator("main").innerText(), /lee@example\.com/);
    await from.send({});
    return request;
  };
  const make = async () => (await server.call("POST", "/one-time-tokens", { email })).token;

  const { sub } = await application.exchange(visit.tab, server, await follow(visit, await make()));
  const created = await receiver.wait("User.Created", about(sub));
  assert.equal(created.data.primaryEmail, email);
  await receiver.wait("PostRegister", about(sub));

  const token = await make();
  const second = await world.visit({ javaScript: false });
  assert.equal((await application.exchange(second.tab, server, await follow(second, token))).sub, sub);
  await receiver.wait("PostSignIn", about(sub));

  const late = await world.visit();
  await follow(late, token);
  await late.see("one-time-token");
  assert.match(await late.tab.locator("h1").innerText(), /does not work any more/);
  receiver.isDiscreet(token);
});
