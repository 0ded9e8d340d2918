// One's own account: a keyboard and no JavaScript are enough, and what others do is seen and ended.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { arriveAtAccount, NEW_PASSWORD, PASSWORD } from "../people.mjs";
import { about } from "../receiver.mjs";
import { told } from "../told.mjs";
import { oneTimePassword } from "../totp.mjs";

/** The button of a form of the page. */
const buttonOf = (path, more = "") => `form[action='/account/${path}'] button[type=submit]${more}`;

const CHANGED = ["User.Data.Updated", "User.Deleted"];

told("somebody changes their account", CHANGED, { javaScript: false }, async (visit, { server }, receiver) => {
  const addresses = { primaryEmail: "own@example.com", primaryPhone: "4915112345678" };
  const id = await server.user({ username: "own", password: PASSWORD, ...addresses });
  await server.settings({ mfa: { factors: ["Totp", "BackupCode"], policy: "NoPrompt" } });
  await arriveAtAccount(visit, "own");
  let changes = 0;
  const isTold = async () => {
    changes += 1;
    return (await receiver.wait("User.Data.Updated", about(id), changes)).data;
  };
  const change = async (fields, button) => {
    await visit.send(fields, button);
    await visit.see("account");
    assert.match(await visit.tab.getByRole("status").innerText(), /Your changes are saved/);
    return isTold();
  };

  await visit.send({ avatar: "nowhere" }, buttonOf("profile"));
  await visit.tab.locator("#avatar-error").waitFor();
  await visit.see("account");
  const named = { name: "Robin", avatar: "https://example.com/robin.png" };
  assert.equal((await change(named, buttonOf("profile"))).name, "Robin");
  assert.equal(await visit.tab.locator("#name").inputValue(), "Robin");
  assert.equal((await change({ username: "robin" }, buttonOf("user-name"))).username, "robin");

  await visit.send({ current_password: "wrong", new_password: NEW_PASSWORD }, buttonOf("password"));
  await visit.tab.locator("#current_password-error").waitFor();
  await visit.see("account");
  await change({ current_password: PASSWORD, new_password: NEW_PASSWORD }, buttonOf("password"));
  assert.ok(!(await change({}, buttonOf("address", "[value=email]"))).primaryEmail);
  assert.ok(!(await change({}, buttonOf("address", "[value=phone]"))).primaryPhone);

  await visit.open("/account/authenticator");
  await visit.see("account-authenticator");
  const secret = await visit.tab.locator(".secret").innerText();
  await visit.send({ code: "000000" });
  await visit.tab.locator("#code-error").waitFor();
  await visit.see("account-authenticator");
  await change({ code: oneTimePassword(secret) });
  await visit.send({}, buttonOf("backup-codes"));
  await visit.see("account-codes");
  const codes = (await visit.tab.locator(".secret").innerText()).split("\n");
  assert.equal(codes.length, 10);
  await isTold();
  await visit.open("/account");
  await visit.see("account");
  assert.ok(await visit.tab.getByText("10 codes left").isVisible());
  await visit.tab.locator("form[action='/account/factor-name'] input[name=name]").fill("Telephone");
  await change({}, buttonOf("factor-name"));
  assert.ok(await visit.tab.getByText("Telephone", { exact: true }).isVisible());
  await change({}, buttonOf("factor"));
  assert.equal(await visit.tab.getByText("Telephone", { exact: true }).count(), 0);
  receiver.isDiscreet(secret, secret.replace(/\s/g, ""), ...codes);
});

told("somebody ends what others do, takes their data, and leaves", CHANGED, async (visit, world, receiver) => {
  const { server, application } = world;
  const id = await server.user({ username: "leaver", name: "Robin", password: PASSWORD });
  await arriveAtAccount(visit, "leaver");
  assert.ok(await visit.tab.getByText("this device").isVisible());

  // Where else they are signed in.
  const elsewhere = await world.visit();
  await arriveAtAccount(elsewhere, "leaver");
  await visit.open("/account");
  await visit.see("account");
  await visit.send({}, buttonOf("session", "[name=others]"));
  await visit.see("account");
  await elsewhere.open("/account");
  await elsewhere.see("sign-in");

  // An application that has access.
  const client = await application.register(server, { name: "Photo Prints", isThirdParty: true });
  const request = await application.begin(visit, client);
  await visit.see("consent");
  await visit.send({}, "button[value=allow]");
  assert.equal((await application.exchange(visit.tab, server, request)).sub, id);
  await visit.open("/account");
  await visit.see("account");
  assert.ok(await visit.tab.getByText("Photo Prints").isVisible());
  await visit.send({}, buttonOf("application"));
  await visit.see("account");
  assert.equal(await visit.tab.getByText("Photo Prints").count(), 0);

  const downloading = visit.tab.waitForEvent("download");
  await visit.tab.locator(buttonOf("export")).click();
  const download = await downloading;
  assert.equal(download.suggestedFilename(), "account.json");
  const file = readFileSync(await download.path(), "utf8");
  assert.equal(JSON.parse(file).user.id, id);
  assert.ok(!file.includes("argon2"), "no digest leaves the server");

  assert.equal(await visit.tab.getByRole("link", { name: "Delete account" }).count(), 0);
  await server.call("PATCH", "/account-center", { deletionEnabled: true });
  await visit.open("/account/delete");
  await visit.see("account-delete");
  await visit.send({}, "button[value=delete]");
  await visit.see("signed-out");
  const deleted = await receiver.wait("User.Deleted", about(id));
  assert.equal(deleted.data.username, "leaver");
  await assert.rejects(server.call("GET", `/users/${id}`), /404/);
});

told("who acted as somebody is seen by them, and ended", ["PostSignIn"], async (visit, world, receiver) => {
  const { server } = world;
  const { customerUserId: casey, customerPassword, engineerPassword, engineerUserId: erin } = server.demo;
  const engineer = await world.visit();
  await engineer.open("/demo");
  await engineer.tab.getByRole("button", { name: "Sign in" }).click();
  await engineer.see("sign-in");
  await engineer.send({ identifier: "engineer", password: engineerPassword });
  await engineer.tab.getByRole("heading", { name: "Your tokens" }).waitFor();
  await engineer.send({ reason: "Invoice does not load", ticket: "TICKET-4711" }, "#act button");
  await engineer.tab.locator("#acted").waitFor();
  const live = () => server.call("GET", `/impersonations?userId=${casey}&isActive=true`);
  assert.deepEqual((await live()).map(({ actorId }) => actorId), [erin]);

  await arriveAtAccount(visit, "customer", customerPassword);
  await receiver.wait("PostSignIn", about(casey));
  const text = await visit.tab.locator("#acted").innerText();
  for (const said of ["Erin Engineer", "Invoice does not load", "TICKET-4711"]) assert.ok(text.includes(said), said);
  await visit.send({}, buttonOf("impersonation"));
  await visit.see("account");
  assert.ok(await visit.tab.locator("#acted").getByText("Over", { exact: true }).isVisible());
  assert.equal(await visit.tab.locator(buttonOf("impersonation")).count(), 0);
  assert.deepEqual(await live(), []);
});
