// The cookies as a browser keeps them: over https their names say that no other host has set them; over http, which is
// for this machine alone, browsers do not take such names.

import assert from "node:assert/strict";
import { PASSWORD } from "../people.mjs";
import { story } from "../world.mjs";

/** Signs somebody in, and answers the cookies of the server that are there then. */
const cookiesOf = async (visit, { server, application }) => {
  await server.user({ username: "crumbs", password: PASSWORD });
  const client = await application.register(server);
  const request = application.request(server, client);
  await visit.open(request.url);
  await visit.see("sign-in");
  const during = await visit.context.cookies(server.origin);
  await visit.send({ identifier: "crumbs", password: PASSWORD });
  await application.told(visit.tab, request);
  return [...during, ...(await visit.context.cookies(server.origin))];
};

const check = (cookies, names, secure) => {
  // That of an interaction has its id behind it.
  const kinds = cookies.map(({ name }) => name.replace(/-interaction-.*/, "-interaction"));
  assert.deepEqual([...new Set(kinds)].sort(), names);
  for (const { name, value, httpOnly, sameSite, path, domain, expires, secure: isSecure } of cookies) {
    const kept = { httpOnly, sameSite, path, domain, secure: isSecure };
    assert.deepEqual(kept, { httpOnly: true, sameSite: "Lax", path: "/", domain: "localhost", secure }, name);
    assert.ok(value.length >= 43, name);
    // All but the one by which a browser is known again end with the browser.
    assert.equal(expires === -1, !name.endsWith("known"), name);
  }
};

story("over http, cookies have plain names, and no script reads them", async (visit, world) => {
  const cookies = await cookiesOf(visit, world);
  check(cookies, ["claimsmith-interaction", "claimsmith-known", "claimsmith-session"], false);
  await visit.open("/");
  assert.equal(await visit.tab.evaluate(() => document.cookie), "");
});

const https = { own: { https: true }, context: { ignoreHTTPSErrors: true } };

story("over https, no other host can have set them", https, async (visit, world) => {
  const cookies = await cookiesOf(visit, world);
  check(cookies, ["interaction", "known", "session"].map((name) => `__Host-claimsmith-${name}`), true);
});
