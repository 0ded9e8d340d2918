// Completing a profile: what the server wants to know of everybody is asked for when they sign in.

import assert from "node:assert/strict";
import { method, PASSWORD } from "../people.mjs";
import { story } from "../world.mjs";

story("who has no user name yet is asked for one", async (visit, { server, application }) => {
  await server.settings({ signIn: { methods: [method("username"), method("email")] } });
  const id = await server.user({ primaryEmail: "lee@example.com", password: PASSWORD });
  const client = await application.register(server);
  const request = application.request(server, client);
  await visit.open(request.url);
  await visit.see("sign-in");
  assert.ok(await visit.tab.getByLabel("User name or email address").isVisible());
  await visit.send({ identifier: "LEE@example.com", password: PASSWORD });
  await visit.see("profile");
  await visit.send({ username: "customer" });
  await visit.tab.locator("#username-error").waitFor();
  await visit.see("profile");
  await visit.send({ username: "lee" });
  assert.equal((await application.exchange(visit.tab, server, request)).sub, id);
  assert.equal((await server.call("GET", `/users/${id}`)).username, "lee");
  await server.settings({ signIn: { methods: [method("username")] } });
});
