// Social connectors at the console: Google from the redirect URI to its own page, the place on the sign-in page, and the
// presets of mail services.

import assert from "node:assert/strict";
import { press, said, signInAtConsole } from "../operator.mjs";
import { OtherProvider } from "../provider.mjs";
import { story } from "../world.mjs";

story("an administrator connects Google, and people get to its page", { own: {} }, async (visit, world) => {
  const { server, tab } = visit;
  await signInAtConsole(visit);
  await visit.open("/console/connectors");
  await tab.getByRole("link", { name: "Google", exact: true }).click();
  await visit.seeScreen("New connector: Google");
  // What Google asks for comes first.
  const redirectUri = await tab.locator("section[aria-labelledby=register] .copyable code").first().innerText();
  assert.equal(redirectUri, `${server.origin}/callback/google`);
  const link = tab.getByRole("link", { name: "Google Cloud: clients" });
  assert.equal(await link.getAttribute("href"), "https://console.cloud.google.com/auth/clients");
  assert.ok((await tab.locator("ol.numbered li").count()) >= 5);
  // A missing client ID is refused; the page keeps what was entered.
  const form = tab.locator("form[data-guard]");
  await form.evaluate((form) => { form.noValidate = true; });
  await tab.getByLabel("Client secret").fill("not to be seen");
  await press(visit, "Create connector");
  await tab.getByRole("alert").waitFor();
  assert.ok(await tab.getByLabel("Show on the sign-in page").isChecked());
  await tab.getByLabel("Client ID").fill("claimsmith");
  await tab.getByLabel("Client secret").fill("not to be seen");
  await press(visit, "Create connector");
  assert.match(await said(tab), /Created/);
  await visit.seeScreen("Google");
  assert.ok(!(await tab.content()).includes("not to be seen"));

  // A provider of this machine stands in for Google, and takes the redirect URI that was copied, and no other.
  const google = await OtherProvider.start({ ada: { name: "Ada of Google", email: "ada@gmail.test", email_verified: true } });
  try {
    await server.call("PATCH", "/connectors/google", { config: google.admit([redirectUri]) });
    const visitor = await world.visit();
    const client = await world.application.register(server);
    await world.application.begin(visitor, client);
    await visitor.tab.locator("button[formaction$='/social/google']").click();
    await google.signIn(visitor, "ada");
    await visitor.tab.waitForURL((url) => !url.href.startsWith(google.issuer));
    assert.ok(visitor.tab.url().startsWith(server.origin) || visitor.tab.url().startsWith(world.application.origin));
  } finally {
    google.stop();
  }

  // Its button goes and comes back by the switch.
  await visit.open("/console/connectors/google");
  await tab.getByLabel("Show on the sign-in page").uncheck();
  await tab.locator("section[aria-labelledby=sign-in-page] button").click();
  assert.match(await said(tab), /Saved/);
  await visit.open("/console/connectors");
  assert.match(await tab.locator("#list").innerText(), /Google[^]*not on the sign-in page/);
  const settings = await server.call("GET", "/sign-in-exp");
  assert.deepEqual(settings.socialSignInConnectorTargets, []);
});

story("a mail service fills in the form of SMTP", { own: {} }, async (visit) => {
  const { tab } = visit;
  await signInAtConsole(visit);
  await visit.open("/console/connectors");
  await tab.getByRole("link", { name: "SendGrid" }).click();
  await visit.seeScreen("New connector: SMTP");
  assert.equal(await tab.getByLabel("Host").inputValue(), "smtp.sendgrid.net");
  assert.equal(await tab.getByLabel("User", { exact: true }).inputValue(), "apikey");
  assert.match(await tab.locator("ol.numbered").innerText(), /API key/);
  await tab.getByRole("link", { name: "Postmark" }).click();
  assert.equal(await tab.getByLabel("Host").inputValue(), "smtp.postmarkapp.com");
  await tab.getByLabel("User", { exact: true }).fill("token");
  await tab.getByLabel("Password", { exact: true }).fill("token");
  await tab.getByLabel("Sender").fill("Shop <no-reply@shop.example>");
  await press(visit, "Create connector");
  assert.match(await said(tab), /Created/);
  await tab.getByRole("link", { name: "Postmark: servers" }).waitFor();
});
