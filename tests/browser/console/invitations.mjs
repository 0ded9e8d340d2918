// An administrator invites somebody: the link is shown once, a new account claims it, and the inviter confirms it by name.

import assert from "node:assert/strict";
import { PASSWORD } from "../people.mjs";
import { said, signInAtConsole } from "../operator.mjs";
import { story } from "../world.mjs";

story("somebody is invited, creates an account, and is confirmed by name", async (visit) => {
  const { tab } = visit;
  await signInAtConsole(visit);
  await visit.open("/console/administrators");
  await tab.getByRole("link", { name: "Invite", exact: true }).click();
  await visit.seeScreen("Invite an administrator");
  await tab.getByRole("combobox", { name: "Role" }).selectOption({ label: "Support" });
  await tab.getByLabel("For whom").fill("Nadia of the night shift");
  await tab.getByRole("button", { name: "Create the link" }).click();
  await visit.seeScreen("The link");
  const link = (await tab.locator("section pre code").first().innerText()).trim();
  assert.match(link, /\/console\/setup\?code=\S+$/);
  await tab.getByRole("link", { name: "I have copied it" }).click();
  await visit.seeScreen("Administrators");
  const row = tab.locator("tr", { hasText: "Nadia of the night shift" });
  assert.match(await row.innerText(), /Link not used/);
  assert.ok(!(await tab.content()).includes(link.split("=").pop()));

  const guest = await visit.world.visit();
  await guest.tab.goto(link);
  await guest.see("console-invited");
  // Nothing of what was typed is lost.
  await guest.tab.locator("#identifier").fill("nadia");
  await guest.tab.locator("#password").fill("password");
  await guest.tab.getByRole("button", { name: "Create account" }).click();
  await guest.tab.locator("#password-error").waitFor();
  assert.equal(await guest.tab.locator("#identifier").inputValue(), "nadia");
  await guest.tab.locator("#password").fill(PASSWORD);
  await guest.tab.getByRole("button", { name: "Create account" }).click();
  await guest.tab.getByRole("heading", { name: "Waiting for confirmation" }).waitFor();
  await guest.see("console-notice");
  await guest.tab.goto(link);
  await guest.tab.getByRole("heading", { name: "This link is not valid any more" }).waitFor();
  // Signed in, but not let in.
  await guest.open("/console");
  await guest.tab.getByRole("heading", { name: "The console is for administrators" }).waitFor();

  await visit.open("/console/administrators");
  assert.match(await row.innerText(), /Waiting\s+nadia/);
  await row.getByRole("link", { name: "Confirm" }).click();
  await visit.seeScreen("Give nadia the role Support?");
  await tab.getByLabel("To confirm it, type its name").fill("somebody else");
  await tab.getByRole("button", { name: "Give the role" }).click();
  assert.match(await tab.getByRole("alert").innerText(), /Nobody got the role/);
  await tab.getByLabel("To confirm it, type its name").fill("nadia");
  await tab.getByRole("button", { name: "Give the role" }).click();
  assert.match(await said(tab), /Added/);
  // They are signed in at the server since then.
  await guest.open("/console");
  await guest.seeScreen("Help people");
});

story("an invitation is revoked before it is used", async (visit) => {
  const { tab } = visit;
  await signInAtConsole(visit);
  await visit.open("/console/administrators/invite");
  await tab.getByRole("combobox", { name: "Role" }).selectOption({ label: "Reader" });
  await tab.getByLabel("For whom").fill("Nobody after all");
  await tab.getByRole("button", { name: "Create the link" }).click();
  const link = (await tab.locator("section pre code").first().innerText()).trim();
  await visit.open("/console/administrators");
  await tab.locator("tr", { hasText: "Nobody after all" }).getByRole("button", { name: "Revoke" }).click();
  assert.match(await said(tab), /Revoked/);
  const guest = await visit.world.visit();
  await guest.tab.goto(link);
  await guest.tab.getByRole("heading", { name: "This link is not valid any more" }).waitFor();
});
