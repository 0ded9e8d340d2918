// Second factors: an authenticator is set up, backup codes are kept, and one of them opens the next sign-in.

import assert from "node:assert/strict";
import { oneTimePassword } from "../totp.mjs";
import { story } from "../world.mjs";

const PASSWORD = "violet-kettle-42";

story("who needs a second factor sets one up, and proves it the next time", async (visit, { server, application }) => {
  const id = await server.user({ username: "careful", password: PASSWORD });
  const client = await application.register(server);
  await server.settings({ mfa: { factors: ["Totp", "BackupCode"], policy: "Mandatory" } });
  const signIn = async () => {
    const request = application.request(server, client, { prompt: "login" });
    await visit.open(request.url);
    await visit.see("sign-in");
    await visit.send({ identifier: "careful", password: PASSWORD });
    return request;
  };

  let request = await signIn();
  await visit.see("set-up-factor");
  await visit.send({ code: "000000" });
  await visit.tab.locator("#code-error").waitFor();
  await visit.see("set-up-factor");
  await visit.send({ code: oneTimePassword(await visit.tab.locator(".secret").innerText()) });
  await visit.see("backup-codes");
  const codes = (await visit.tab.locator(".secret").innerText()).split("\n");
  assert.equal(codes.length, 10);
  await visit.send({});
  assert.equal((await application.exchange(visit.tab, server, request)).sub, id);

  request = await signIn();
  await visit.see("second-factor");
  await visit.send({ code: "000000" });
  await visit.tab.locator("#code-error, #form-error").waitFor();
  await visit.see("second-factor");
  await visit.tab.getByRole("link", { name: "Use a backup code" }).click();
  await visit.tab.getByLabel("Backup code").waitFor();
  await visit.see("second-factor");
  await visit.send({ code: codes[3] });
  assert.deepEqual((await application.exchange(visit.tab, server, request)).amr, ["pwd", "otp", "mfa"]);
  await server.settings({ mfa: { factors: [], policy: "UserControlled" } });
});
