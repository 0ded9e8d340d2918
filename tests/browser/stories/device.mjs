// Connecting a device (RFC 8628): somebody enters the code that it shows, and is asked whether it is theirs.

import assert from "node:assert/strict";
import { Device } from "../device.mjs";
import { PASSWORD } from "../people.mjs";
import { story } from "../world.mjs";

story("a device is connected by its code, once somebody has said that it is theirs", async (visit, { server }) => {
  const id = await server.user({ username: "viewer", password: PASSWORD });
  const device = await Device.register(server);
  let codes = await device.ask();
  assert.equal(codes.verification_uri, `${server.origin}/device`);
  await visit.open(codes.verification_uri);
  await visit.see("device");
  await visit.send({ user_code: "BCDF-GHJK" });
  await visit.tab.locator("#user_code-error, #form-error").waitFor();
  await visit.see("device");
  await visit.send({ user_code: codes.user_code.toLowerCase() });
  await visit.see("sign-in");
  await visit.send({ identifier: "viewer", password: PASSWORD });
  await visit.see("device");
  const text = await visit.tab.locator("main").innerText();
  for (const said of [codes.user_code, "viewer", "Living-room television"]) assert.ok(text.includes(said), said);
  await visit.send({}, "button[value=allow]");
  await visit.see("device-done");
  assert.equal((await device.poll(codes)).claims.sub, id);

  // Whoever follows an address with the code in it is asked as well.
  codes = await device.ask();
  await visit.open(codes.verification_uri_complete);
  await visit.see("device");
  assert.equal(await visit.tab.inputValue("#user_code"), codes.user_code);
  await visit.send({});
  await visit.see("device");
  await visit.send({}, "button[value=deny]");
  await visit.see("device-done");
  assert.equal((await device.poll(codes)).error, "access_denied");
});
