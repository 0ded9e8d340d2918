// Signing in: the right password, wrong ones, and too many of those.

import assert from "node:assert/strict";
import { PASSWORD } from "../people.mjs";
import { story } from "../world.mjs";

story("somebody signs in, and again without being asked", async (visit, { server, application }) => {
  const id = await server.user({ username: "grace", password: PASSWORD });
  const client = await application.register(server);
  const request = application.request(server, client, { login_hint: "grace" });
  await visit.open(request.url);
  await visit.see("sign-in");
  assert.equal(await visit.tab.inputValue("#identifier"), "grace");
  assert.ok(await visit.tab.locator("#password").evaluate((element) => element === document.activeElement));
  await visit.send({ password: PASSWORD });
  assert.equal((await application.exchange(visit.tab, server, request)).sub, id);

  const again = application.request(server, client, { prompt: "none" });
  await visit.open(again.url);
  assert.equal((await application.exchange(visit.tab, server, again)).sub, id);
});

story("a wrong password and an unknown user are refused alike", async (visit, { server, application }) => {
  await server.user({ username: "edsger", password: PASSWORD });
  const client = await application.register(server);
  await visit.open(application.request(server, client).url);
  await visit.see("sign-in");
  const said = new Set();
  for (const [identifier, password] of [["edsger", "a wrong one"], ["nobody", PASSWORD], ["nobody@example.com", "x"]]) {
    await visit.send({ identifier, password });
    await visit.tab.getByRole("alert").waitFor();
    await visit.see("sign-in");
    said.add(await visit.tab.getByRole("alert").innerText());
    assert.equal(await visit.tab.inputValue("#identifier"), identifier);
    const focused = visit.tab.locator(":focus");
    assert.equal(await focused.getAttribute("name"), "password");
    assert.equal(await focused.getAttribute("aria-describedby"), "form-error", "a screen reader says it at the field");
  }
  assert.deepEqual([...said], ["That did not work. Please check what you entered."]);
});

story("too many wrong passwords lock an identifier, but not in a browser that is known", async (visit, world) => {
  const { server, application } = world;
  const id = await server.user({ username: "alan", password: PASSWORD });
  await server.settings({ sentinelPolicy: { maxAttempts: 2, lockoutDuration: 5 } });
  const client = await application.register(server);
  const known = await world.visit();
  let request = application.request(server, client);
  await known.open(request.url);
  await known.send({ identifier: "alan", password: PASSWORD });
  await application.told(known.tab, request);

  await visit.open(application.request(server, client).url);
  for (const [password, message] of [
    ["wrong", "That did not work"],
    ["wrong", "try again in 5 minutes"],
    [PASSWORD, "try again in 5 minutes"],
  ]) {
    await visit.send({ identifier: "alan", password });
    await visit.tab.getByRole("alert").filter({ hasText: message }).waitFor();
    await visit.see("sign-in");
  }

  request = application.request(server, client, { prompt: "login" });
  await known.open(request.url);
  await known.send({ identifier: "alan", password: PASSWORD });
  assert.equal((await application.exchange(known.tab, server, request)).sub, id);
  await server.settings({ sentinelPolicy: {} });
});
