// Consent: a third-party application gets what people allow, and is told when they do not.

import assert from "node:assert/strict";
import { PASSWORD } from "../people.mjs";
import { story } from "../world.mjs";

story("a third party gets what somebody allows, and nothing when they do not", async (visit, world) => {
  const { server, application } = world;
  const username = "consenting";
  const id = await server.user({ username, name: "Connie Sent", password: PASSWORD });
  const organization = await server.call("POST", "/organizations", { name: "Northwind Traders" });
  await server.call("POST", `/organizations/${organization.id}/users`, { userIds: [id] });
  const client = await application.register(server, { name: "Photo Prints", isThirdParty: true });
  const scope = "openid profile email urn:logto:scope:organizations";
  const ask = (more) => application.request(server, client, { scope, ...more });

  let request = ask({ nonce: "of-a-denial" });
  await visit.open(request.url);
  await visit.see("sign-in");
  await visit.send({ identifier: username, password: PASSWORD });
  await visit.see("consent");
  const text = await visit.tab.locator("main").innerText();
  for (const said of ["Photo Prints", "Connie Sent", "See your email address", "Northwind Traders", "127.0.0.1"]) {
    assert.ok(text.includes(said), `${said}: ${text}`);
  }
  await visit.tab.getByRole("button", { name: "Deny" }).click();
  assert.equal((await application.told(visit.tab, request)).error, "access_denied");

  // Nothing of it was remembered.
  request = ask();
  await visit.open(request.url);
  await visit.see("consent");
  await visit.tab.getByRole("button", { name: "Allow" }).click();
  assert.equal((await application.exchange(visit.tab, server, request)).sub, id);

  // This was.
  request = ask();
  await visit.open(request.url);
  assert.equal((await application.exchange(visit.tab, server, request)).sub, id);
  await visit.open(ask({ prompt: "consent" }).url);
  await visit.see("consent");
});

story("a third party that wants nothing else says that it will know who somebody is", async (visit, world) => {
  const { server, application } = world;
  await server.user({ username: "known_only", password: PASSWORD });
  const client = await application.register(server, { isThirdParty: true });
  await visit.open(application.request(server, client, { scope: "openid" }).url);
  await visit.send({ identifier: "known_only", password: PASSWORD });
  await visit.see("consent");
  assert.deepEqual(await visit.tab.locator("main .list").allInnerTexts(), ["Know which account is yours"]);
});
