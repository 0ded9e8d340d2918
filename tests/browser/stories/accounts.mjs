// Several accounts in one browser: one of them is chosen, or another one signs in.

import assert from "node:assert/strict";
import { PASSWORD } from "../people.mjs";
import { story } from "../world.mjs";

story("one of several accounts is chosen, and switched", async (visit, { server, application }) => {
  const ids = {};
  for (const username of ["barbara", "donald"]) ids[username] = await server.user({ username, password: PASSWORD });
  const client = await application.register(server);
  const asked = async () => {
    const request = application.request(server, client, { prompt: "select_account" });
    await visit.open(request.url);
    return request;
  };

  let request = await asked();
  await visit.see("sign-in");
  await visit.send({ identifier: "barbara", password: PASSWORD });
  assert.equal((await application.exchange(visit.tab, server, request)).sub, ids.barbara);

  request = await asked();
  await visit.see("choose-account");
  await visit.tab.getByRole("button", { name: "Use another account" }).click();
  await visit.see("sign-in");
  await visit.send({ identifier: "donald", password: PASSWORD });
  assert.equal((await application.exchange(visit.tab, server, request)).sub, ids.donald);

  for (const username of ["barbara", "donald"]) {
    request = await asked();
    await visit.see("choose-account");
    assert.equal(await visit.tab.locator(".choice").count(), 3);
    await visit.tab.getByRole("button", { name: username }).click();
    assert.equal((await application.exchange(visit.tab, server, request)).sub, ids[username]);
  }
});
