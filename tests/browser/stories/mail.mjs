// Codes by a real mail relay: encrypted by STARTTLS, and by whoever signs in there.

import assert from "node:assert/strict";
import { method, PASSWORD } from "../people.mjs";
import { about } from "../receiver.mjs";
import { MailRelay } from "../relay.mjs";
import { told } from "../told.mjs";

const EMAIL = "ada@example.com";

told("a code comes by a mail relay", ["PostSignIn"], async (visit, { server, application }, receiver) => {
  const relay = await MailRelay.start();
  try {
    const { config } = relay;
    const id = await server.user({ primaryEmail: EMAIL, username: "ada", password: PASSWORD });
    // Neither with another password nor with another certificate is anything sent.
    for (const wrong of [{ auth: { user: relay.user, pass: "wrong" } }, { tls: {} }]) {
      const trial = server.call("POST", "/connectors/smtp/test", { email: EMAIL, config: { ...config, ...wrong } });
      await assert.rejects(trial, /422 .*connector\.general/);
    }
    assert.equal(relay.count, 0);
    await server.call("POST", "/connectors/smtp/test", { email: "operator@example.com", config });
    assert.match((await relay.wait("operator@example.com")).text, /000000/);

    await server.call("POST", "/connectors", { connectorId: "smtp", config });
    await server.settings({ signIn: { methods: [method("email", { code: true })] } });
    const client = await application.register(server);
    const request = await application.begin(visit, client);
    await visit.see("sign-in");
    await visit.send({ identifier: EMAIL }, "button[value=code]");
    await visit.see("verification-code");
    const mail = await relay.wait(EMAIL);
    assert.deepEqual([mail.from, mail.to], ["no-reply@example.com", [EMAIL]]);
    assert.deepEqual([mail.user, mail.encrypted], ["shop", true]);
    assert.equal(mail.sender, "Shop <no-reply@example.com>");
    assert.equal(mail.subject, "Your sign-in code · Northwind Shop");
    const [, code] = /Code: (\d{6})/.exec(mail.text);
    assert.ok(mail.html.includes(code));
    await visit.send({ code });
    assert.equal((await application.exchange(visit.tab, server, request)).sub, id);
    await receiver.wait("PostSignIn", about(id));
    // What opens the relay is not shown again.
    assert.ok(!JSON.stringify(await server.call("GET", "/connectors")).includes(relay.password));
    receiver.isDiscreet(code, relay.password);
  } finally {
    await relay.stop();
  }
});
