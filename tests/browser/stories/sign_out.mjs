// Signing out: an application sends people with its ID token; everybody else is asked first.

import assert from "node:assert/strict";
import { PASSWORD } from "../people.mjs";
import { story } from "../world.mjs";

story("who signs out without an ID token is asked, and is signed out then", async (visit, { server, application }) => {
  const client = await application.register(server);
  for (const identifier of ["leaving", "leaving_too"]) {
    await server.user({ username: identifier, password: PASSWORD });
    const request = application.request(server, client, { prompt: "login" });
    await visit.open(request.url);
    await visit.send({ identifier, password: PASSWORD });
    await application.told(visit.tab, request);
  }

  await visit.open("/oidc/session/end");
  await visit.see("sign-out");
  assert.match(await visit.tab.locator("main").innerText(), /leaving_too, leaving\./);
  await visit.send({});
  await visit.see("signed-out");

  const silent = application.request(server, client, { prompt: "none" });
  await visit.open(silent.url);
  assert.equal((await application.told(visit.tab, silent)).error, "login_required");
});
