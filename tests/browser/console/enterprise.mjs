// Enterprise connectors at the console: one begins with a name, shows its redirect URI, and is deleted; a reader looks.

import assert from "node:assert/strict";
import { press, said, signInAtConsole } from "../operator.mjs";
import { story } from "../world.mjs";

story("an administrator connects a company", async (visit) => {
  const { tab } = visit;
  await signInAtConsole(visit);
  await visit.open("/console/connectors/enterprise");
  await visit.seeScreen("Enterprise connectors");
  assert.equal(await tab.locator(".navigation [aria-current=page]").innerText(), "Connectors");
  await tab.getByRole("link", { name: "OIDC", exact: true }).click();
  await visit.seeScreen("New enterprise connector: OIDC");
  await tab.getByLabel("Name", { exact: true }).fill("Globex");
  await tab.getByLabel(/^Domains/).fill("gmail.com");
  await press(visit, "Create connector");
  await tab.getByRole("alert").waitFor();
  assert.equal(await tab.getByLabel(/^Domains/).inputValue(), "gmail.com");
  await tab.getByLabel(/^Domains/).fill("globex.example\nglobex.test");
  await press(visit, "Create connector");
  assert.match(await said(tab), /Created/);
  await visit.seeScreen("Globex");
  const id = new URL(tab.url()).pathname.split("/").pop();
  assert.ok((await tab.locator("main").innerText()).includes(`/callback/${id}`));

  // A provider that is not asked by https is refused, and the secret is not shown again.
  await tab.getByLabel("Issuer (URL)").fill("http://id.globex.example");
  await tab.getByLabel("Client ID").fill("claimsmith");
  await tab.getByLabel("Client secret").fill("not to be seen");
  await press(visit, "Save");
  await tab.getByRole("alert").waitFor();
  await visit.open(`/console/connectors/enterprise/${id}`);
  await tab.getByLabel("Name on the pages").fill("Globex Corporation");
  await press(visit, "Save");
  assert.match(await said(tab), /Saved/);
  assert.ok(!(await tab.content()).includes("not to be seen"));

  // Where it signs in those who administer, they link their accounts, which has an address of its own.
  const main = tab.locator("main");
  assert.ok(!(await main.innerText()).includes(`/account/callback/sso/${id}`));
  const marked = tab.getByLabel("Users who administer this server sign in here");
  await marked.selectOption("true");
  await press(visit, "Save");
  assert.match(await said(tab), /Saved/);
  assert.ok((await main.innerText()).includes(`/account/callback/sso/${id}`));
  assert.equal(await marked.inputValue(), "true");

  await visit.open("/console/connectors/enterprise");
  assert.match(await tab.locator("#list").innerText(), /Globex[^]*globex\.example, globex\.test[^]*not configured/);
  await tab.getByRole("link", { name: "Globex" }).click();
  await tab.getByRole("link", { name: "Delete this connector" }).click();
  await tab.getByLabel("To delete it, type its name").fill("Globex");
  await press(visit, "Delete");
  assert.match(await said(tab), /Deleted/);
});

story("a developer sees no connectors of companies", async (visit) => {
  await signInAtConsole(visit, "developer");
  for (const page of ["enterprise", "enterprise/new/Okta"]) {
    await visit.open(`/console/connectors/${page}`);
    await visit.seeScreen("Not for your role");
  }
});
