// The cookies as a browser keeps them: over https their names say that no other host has set them; over http, which is
// for this machine alone, browsers do not take such names.

import assert from "node:assert/strict";
import { story } from "../world.mjs";

const PASSWORD = "violet-kettle-42";

/** Signs somebody in, and answers the cookies of the server that are there then. */
const cookiesOf = async (visit, { server, application }) => {
  await server.user({ username: "crumbs", password: PASSWORD });
  const client = await application.register(server);
  const request = application.request(server, client);
  await visit.open(request.url);
  await visit.see("sign-in");
  const during = await visit.context.cookies(server.origin);
  await visit.fillIn({ identifier: "crumbs", password: PASSWORD });
  await application.told(visit.tab, request);
  return [...during, ...(await visit.context.cookies(server.origin))];
};

const check = (cookies, names, secure) => {
  assert.deepEqual([...new Set(cookies.map(({ name }) => name))].sort(), names);
  for (const cookie of cookies) {
    const { httpOnly, sameSite, path, domain, expires } = cookie;
    const kept = { httpOnly, sameSite, path, domain, expires, secure: cookie.secure };
    assert.deepEqual(kept, { httpOnly: true, sameSite: "Lax", path: "/", domain: "localhost", expires: -1, secure });
  }
};

story("over http, cookies have plain names, and no script reads them", async (visit, world) => {
  const cookies = await cookiesOf(visit, world);
  check(cookies, ["claimsmith-interaction", "claimsmith-session"], false);
  assert.ok(!cookies.some(({ value }) => value.length < 43));
  await visit.open("/");
  assert.equal(await visit.tab.evaluate(() => document.cookie), "");
});

const https = { own: { https: true }, context: { ignoreHTTPSErrors: true } };

story("over https, no other host can have set them", https, async (visit, world) => {
  const cookies = await cookiesOf(visit, world);
  check(cookies, ["__Host-claimsmith-interaction", "__Host-claimsmith-session"], true);
});
