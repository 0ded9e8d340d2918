// Captcha: the browser solves a puzzle for each form, by itself; without JavaScript the page says that it needs it.

import assert from "node:assert/strict";
import { PASSWORD } from "../people.mjs";
import { about } from "../receiver.mjs";
import { told } from "../told.mjs";
import { story } from "../world.mjs";

const ask = async (server) => {
  await server.call("PUT", "/captcha-provider", { config: { type: "ProofOfWork", difficulty: 12 } });
  await server.settings({ captchaPolicy: { enabled: true } });
};

told("who registers and signs in need not know of the puzzle", ["PostRegister", "PostSignIn"],
  async (visit, { server, application }, receiver) => {
    await ask(server);
    const client = await application.register(server);
    let request = await application.begin(visit, client, { prompt: "create" });
    await visit.see("register");
    await visit.send({ username: "puzzled", password: PASSWORD });
    const { sub } = await application.exchange(visit.tab, server, request);
    await receiver.wait("PostRegister", about(sub));

    request = await application.begin(visit, client, { prompt: "login" });
    await visit.see("sign-in");
    await visit.send({ identifier: "puzzled", password: "not-this-one" });
    // Each attempt has a puzzle of its own.
    await visit.see("sign-in");
    await visit.send({ identifier: "puzzled", password: PASSWORD });
    assert.equal((await application.exchange(visit.tab, server, request)).sub, sub);
    await receiver.wait("PostSignIn", about(sub));
  });

story("without JavaScript a page with a puzzle says that it needs it", { javaScript: false, own: {} },
  async (visit, { server, application }) => {
    await ask(server);
    await server.user({ username: "puzzled", password: PASSWORD });
    const client = await application.register(server);
    await application.begin(visit, client);
    await visit.see("sign-in");
    assert.match(await visit.tab.locator("body").innerText(), /JavaScript/);
    await visit.send({ identifier: "puzzled", password: PASSWORD });
    await visit.see("sign-in");
    assert.ok(await visit.tab.getByRole("alert").isVisible());
  });
