// The demo application: the whole story of a newcomer, from the start page to the audit log and a webhook.

import assert from "node:assert/strict";
import { PASSWORD } from "../people.mjs";
import { story } from "../world.mjs";

/** The claims of a part of the page, by their names. */
const claims = (visit, title) =>
  visit.tab.locator("section, .result", { has: visit.tab.getByRole("heading", { name: title, exact: true }) }).last()
    .locator(".claim").evaluateAll((all) => Object.fromEntries(
      all.map((claim) => [claim.querySelector("dt").firstChild.data.trim(), claim.querySelector("dd").textContent]),
    ));

story("a newcomer registers, acts as Casey, and finds all of it", async (visit, { server }) => {
  await visit.open("/");
  await visit.tab.getByText("Demo application").click();
  await visit.see("demo");
  await visit.tab.getByRole("button", { name: "Create an account" }).click();
  await visit.see("register");
  await visit.send({ username: "newcomer", password: PASSWORD });
  await visit.tab.getByRole("heading", { name: "Your tokens" }).waitFor();
  await visit.see("demo");
  const [user] = await server.call("GET", "/users?search=newcomer");
  const first = await claims(visit, "Your access token for the API");
  assert.equal(first.sub, user.id);
  assert.equal(first.aud, server.demo.resource);
  assert.equal((await claims(visit, "Your ID token")).sub, user.id);

  await visit.tab.getByRole("button", { name: "Refresh" }).click();
  await visit.tab.waitForFunction((jti) => !document.body.innerText.includes(jti), first.jti);
  await visit.see("demo");
  await visit.tab.getByRole("button", { name: "Userinfo" }).click();
  await visit.tab.getByRole("heading", { name: "What the userinfo endpoint says" }).waitFor();
  assert.equal((await claims(visit, "What the userinfo endpoint says")).username, "newcomer");

  const act = "#act button";
  await visit.send({ reason: " ", ticket: "TICKET-4711" }, act);
  await visit.tab.locator("#reason-error").waitFor();
  await visit.see("demo");
  await visit.send({ reason: "Invoice does not load", ticket: "TICKET-4711" }, act);
  await visit.tab.locator("#acted").waitFor();
  await visit.see("demo");
  const acted = await claims(visit, "The access token for the API: somebody else is the subject, you act");
  assert.equal(acted.sub, server.demo.customerUserId);
  assert.deepEqual(JSON.parse(acted.act), { sub: user.id });
  assert.equal(acted.ticket_id, "TICKET-4711");
  assert.equal(acted.reason, "Invoice does not load");

  // Deliveries come soon, and the page shows those that have come.
  for (const [event, deadline] of [["PostRegister", Date.now() + 20_000], ["User.Created", Date.now() + 20_000]]) {
    while (!(await visit.tab.locator("summary").filter({ hasText: event }).count())) {
      assert.ok(Date.now() < deadline, `no ${event}`);
      await visit.open("/demo");
    }
  }
  const entry = visit.tab.locator("summary").filter({ hasText: "ExchangeTokenBy.TokenExchange" }).first();
  await entry.click();
  await visit.see("demo");

  await visit.tab.getByRole("button", { name: "Sign out" }).click();
  await visit.tab.getByRole("button", { name: "Create an account" }).waitFor();
  await visit.see("demo");
  const { sessions } = await server.call("GET", `/users/${user.id}/sessions`);
  assert.deepEqual(sessions, []);
});

story("Erin signs in with the password of the terminal, and Casey cannot be Casey", async (visit, { server }) => {
  for (const [identifier, password, said] of [
    ["engineer", server.demo.engineerPassword, "Erin Engineer"],
    ["customer", server.demo.customerPassword, "You are Casey"],
  ]) {
    await visit.open("/demo");
    await visit.tab.getByRole("button", { name: "Sign in" }).click();
    await visit.see("sign-in");
    await visit.send({ identifier, password });
    await visit.tab.getByText(said).first().waitFor();
    await visit.see("demo");
    await visit.tab.getByRole("button", { name: "Sign out" }).click();
    await visit.tab.getByRole("button", { name: "Create an account" }).waitFor();
  }
});
