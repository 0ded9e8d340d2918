// Second factors: an authenticator is set up, backup codes are kept, and one of them opens the next sign-in; codes to
// what people have.

import assert from "node:assert/strict";
import { Mailbox } from "../mailbox.mjs";
import { PASSWORD } from "../people.mjs";
import { about } from "../receiver.mjs";
import { told } from "../told.mjs";
import { oneTimePassword } from "../totp.mjs";

const EVENTS = ["PostSignIn", "User.Data.Updated"];
const CREDENTIALS = { identifier: "careful", password: PASSWORD };

told("who needs a second factor sets one up, and proves it the next time", EVENTS, async (visit, world, receiver) => {
  const { server, application } = world;
  const id = await server.user({ username: "careful", password: PASSWORD });
  const client = await application.register(server);
  await server.settings({ mfa: { factors: ["Totp", "BackupCode"], policy: "Mandatory" } });
  const signIn = async () => {
    const request = await application.begin(visit, client, { prompt: "login" });
    await visit.see("sign-in");
    await visit.send(CREDENTIALS);
    return request;
  };

  let request = await signIn();
  await visit.see("set-up-factor");
  await visit.send({ code: "000000" });
  await visit.tab.locator("#code-error").waitFor();
  await visit.see("set-up-factor");
  const secret = await visit.tab.locator(".secret").innerText();
  await visit.send({ code: oneTimePassword(secret) });
  await visit.see("backup-codes");
  const codes = (await visit.tab.locator(".secret").innerText()).split("\n");
  assert.equal(codes.length, 10);
  assert.deepEqual(receiver.of("PostSignIn"), [], "nobody is signed in before the end");
  await visit.send({});
  assert.equal((await application.exchange(visit.tab, server, request)).sub, id);
  const updated = await receiver.wait("User.Data.Updated", about(id));
  assert.equal(updated.interactionEvent, "SignIn");
  await receiver.wait("PostSignIn", about(id));

  request = await signIn();
  await visit.see("second-factor");
  await visit.send({ code: "000000" });
  await visit.tab.locator("#code-error, #form-error").waitFor();
  await visit.see("second-factor");
  await visit.tab.getByRole("link", { name: "Use a backup code" }).click();
  await visit.tab.getByLabel("Backup code").waitFor();
  await visit.see("second-factor");
  await visit.send({ code: codes[3] });
  assert.deepEqual((await application.exchange(visit.tab, server, request)).amr, ["pwd", "otp", "mfa"]);
  await receiver.wait("PostSignIn", about(id), 2);
  receiver.isDiscreet(secret, secret.replace(/\s/g, ""), ...codes);
});

const NAME = "a code by e-mail or by text message is a second factor, without JavaScript";

told(NAME, EVENTS, { javaScript: false }, async (visit, { server, application }, receiver) => {
  const addresses = { primaryEmail: "careful@example.com", primaryPhone: "4915112345678" };
  const id = await server.user({ username: "careful", password: PASSWORD, ...addresses });
  const mailbox = await Mailbox.open(server);
  const client = await application.register(server);
  await server.settings({ mfa: { factors: ["EmailVerificationCode", "PhoneVerificationCode"], policy: "Mandatory" } });
  for (const [number, path, recipient, amr] of [
    [1, "/second-factor/email", addresses.primaryEmail, ["pwd", "otp", "mfa"]],
    [2, "/second-factor/phone", addresses.primaryPhone, ["pwd", "sms", "mfa"]],
  ]) {
    const request = await application.begin(visit, client, { prompt: "login" });
    await visit.see("sign-in");
    await visit.send(CREDENTIALS);
    await visit.see("second-factor");
    await visit.open(path);
    await visit.see("second-factor");
    const text = await visit.tab.locator("main").innerText();
    assert.ok(!text.includes(recipient), "whoever knows the password does not learn the address");
    // It is sent when somebody asks for it.
    await assert.rejects(mailbox.code(recipient));
    await visit.send({});
    await visit.see("second-factor");
    await visit.send({ code: await mailbox.code(recipient) });
    const claims = await application.exchange(visit.tab, server, request);
    assert.deepEqual([claims.sub, claims.amr], [id, amr]);
    await receiver.wait("PostSignIn", about(id), number);
  }
  assert.deepEqual(receiver.of("User.Data.Updated"), [], "there was nothing to set up");
});
