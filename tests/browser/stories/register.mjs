// Registering: what is wrong is said at its field, which has the focus; and in the end there is an account.

import assert from "node:assert/strict";
import { PASSWORD } from "../people.mjs";
import { SUBMIT } from "../visit.mjs";
import { story } from "../world.mjs";

story("each field of a registration says what is wrong with it", async (visit, { server, application }) => {
  const client = await application.register(server);
  await visit.open(application.request(server, client, { prompt: "create" }).url);
  await visit.see("register");
  for (const [username, password, field, message] of [
    ["customer", PASSWORD, "username", "already in use"],
    ["9lives", PASSWORD, "username", "begins with a letter or an underscore"],
    [" ", PASSWORD, "username", "fill in this field"],
    ["unheard_of", "1234567", "password", "at least 8 characters"],
    ["unheard_of", "password", "password", "easily guessed"],
    ["unheard_of", "unheard_of1", "password", "your name"],
  ]) {
    await visit.send({ username, password });
    await visit.tab.locator(`#${field}-error`).waitFor();
    await visit.see("register");
    const input = visit.tab.locator(`#${field}`);
    assert.match(await visit.tab.locator(`#${field}-error`).innerText(), new RegExp(message), username);
    assert.equal(await input.getAttribute("aria-invalid"), "true");
    assert.ok((await input.getAttribute("aria-describedby")).includes(`${field}-error`));
    assert.ok(await input.evaluate((element) => element === document.activeElement), field);
    assert.equal(await visit.tab.inputValue("#username"), username.trim());
    assert.equal(await visit.tab.inputValue("#password"), "", "a password is not sent back");
  }
});

story("who agreed to the terms need not do so again", async (visit, { server, application }) => {
  await server.settings({ termsOfUseUrl: "https://example.com/terms", agreeToTermsPolicy: "ManualRegistrationOnly" });
  const client = await application.register(server);
  const request = application.request(server, client, { prompt: "create" });
  await visit.open(request.url);
  await visit.see("register");
  await visit.fillIn({ username: "agreeable", password: PASSWORD });
  await visit.tab.click(SUBMIT);
  assert.ok(await visit.tab.locator("#agree").evaluate((element) => element.matches(":focus:invalid")));
  await visit.send({ username: "customer", password: PASSWORD, agree: true });
  await visit.tab.locator("#username-error").waitFor();
  await visit.see("register");
  await visit.send({ username: "agreeable", password: PASSWORD });
  await application.told(visit.tab, request);
  await server.settings({ termsOfUseUrl: null, agreeToTermsPolicy: "Automatic" });
});

story("the browser itself asks for fields that are empty", async (visit, { server, application }) => {
  const client = await application.register(server);
  await visit.open(application.request(server, client, { prompt: "create" }).url);
  await visit.see("register");
  await visit.fillIn({ username: "", password: PASSWORD });
  await visit.tab.click(SUBMIT);
  assert.ok(await visit.tab.locator("#username").evaluate((element) => element.matches(":focus:invalid")));
});

story("somebody registers, and the application knows who it is", async (visit, { server, application }) => {
  const client = await application.register(server);
  const request = application.request(server, client, { nonce: "a-nonce" });
  await visit.open(request.url);
  await visit.see("sign-in");
  await visit.tab.getByRole("link", { name: "Create account" }).click();
  await visit.see("register");
  await visit.send({ username: "ada", password: PASSWORD });
  const claims = await application.exchange(visit.tab, server, request);
  const [user] = await server.call("GET", "/users?search=ada");
  assert.equal(claims.sub, user.id);
  assert.equal(claims.nonce, "a-nonce");
  assert.equal(user.applicationId, client);
});

story("what is typed as a password can be looked at", async (visit, { server, application }) => {
  const client = await application.register(server);
  await visit.open(application.request(server, client, { prompt: "create" }).url);
  await visit.tab.fill("#password", "secret");
  const [input, button] = [visit.tab.locator("#password"), visit.tab.getByRole("button", { name: "Show password" })];
  assert.equal(await button.getAttribute("aria-pressed"), "false");
  for (const type of ["text", "password"]) {
    await button.click();
    assert.equal(await input.getAttribute("type"), type);
    assert.equal(await button.getAttribute("aria-pressed"), String(type === "text"));
    assert.ok(await input.evaluate((element) => element === document.activeElement));
    await visit.see("register");
  }
});
