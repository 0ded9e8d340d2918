// A tour through every page, as somebody with this window sees it. It says which pages there are; what they do is told
// by the stories.

import { randomBytes } from "node:crypto";
import { Device } from "./device.mjs";
import { Mailbox } from "./mailbox.mjs";
import { anotherThan, method, NEW_PASSWORD, PASSWORD } from "./people.mjs";
import { oneTimePassword } from "./totp.mjs";
import { World } from "./world.mjs";

const SCOPE = "openid profile email offline_access resource:read resource:write urn:logto:scope:organizations";
const LOGO = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 32">
  <circle cx="16" cy="16" r="14" fill="#0f766e"/><rect x="40" y="10" width="80" height="12" rx="6" fill="#0f766e"/>
  </svg>`;

/** A world in which pages show all that they can. */
export const furnished = async (chromium, options) => {
  const world = await World.make(chromium, options);
  const { server, application } = world;
  application.serve("/logo.svg", { type: "image/svg+xml", body: LOGO });
  world.logo = `${application.origin}/logo.svg`;
  const config = { clientId: "claimsmith", clientSecret: "a secret" };
  await server.call("POST", "/connectors", { connectorId: "github", config });
  await server.settings({
    branding: { logoUrl: world.logo },
    color: { primaryColor: "#0f766e", isDarkModeEnabled: true, darkPrimaryColor: "#5eead4" },
    termsOfUseUrl: "https://example.com/terms",
    privacyPolicyUrl: "https://example.com/privacy",
    supportEmail: "help@example.com",
    agreeToTermsPolicy: "ManualRegistrationOnly",
    signIn: { methods: [method("username"), method("email", { code: true })] },
    signUp: { identifiers: ["username", "email"], password: true, verify: true },
    socialSignInConnectorTargets: ["github"],
    singleSignOnEnabled: true,
    sentinelPolicy: { maxAttempts: 2, lockoutDuration: 5 },
    mfa: {
      factors: ["Totp", "WebAuthn", "PhoneVerificationCode", "BackupCode"],
      policy: "NoPrompt",
      organizationRequiredMfaPolicy: "Mandatory",
    },
  });
  for (const name of ["Northwind Traders", "Alpine Ski House"]) {
    const { id } = await server.call("POST", "/organizations", { name });
    await server.call("POST", `/organizations/${id}/users`, { userIds: [server.demo.customerUserId] });
  }
  world.client = await application.register(server, { name: "Photo Prints", isThirdParty: true });
  const resources = await server.call("GET", "/resources");
  const { id } = resources.find((resource) => resource.indicator === server.demo.resource);
  const scopes = await server.call("GET", `/resources/${id}/scopes`);
  const resourceScopes = scopes.map((scope) => scope.id);
  await server.call("POST", `/applications/${world.client}/user-consent-scopes`, { resourceScopes });
  world.device = await Device.register(server);
  // Its members need a second factor.
  world.careful = await server.call("POST", "/organizations", { name: "Woodgrove Bank", isMfaRequired: true });
  world.mailbox = await Mailbox.open(server);
  return world;
};

/** Goes through all pages. */
export const tour = async (visit, { server, application, client, device, careful, mailbox }) => {
  const username = `tour_${randomBytes(4).toString("hex")}`;
  const begin = async (more) => {
    const request = application.request(server, client, { scope: SCOPE, resource: server.demo.resource, ...more });
    await visit.open(request.url);
    return request;
  };
  const open = async (address, name, as) => {
    await visit.open(address);
    await visit.see(name, { as });
  };
  const send = async (fields, name, as, button) => {
    await visit.send(fields, button);
    await visit.see(name, { as });
  };
  const askForCode = (identifier, as) => send({ identifier }, "verification-code", as, "button[value=code]");

  await open("/", "welcome");
  await open("/nothing", "not-found");
  await open("/oidc/auth?client_id=nobody", "error", "error-invalid");
  await open("/sign-in", "error", "error-expired");

  let request = await begin();
  await visit.see("sign-in");
  await send({ identifier: username, password: "wrong" }, "sign-in", "sign-in-refused");
  await send({ identifier: username, password: "wrong" }, "sign-in", "sign-in-refused-again");
  await send({ identifier: username, password: "wrong" }, "sign-in", "sign-in-locked");
  await open("/register", "register");
  await send({ username: "customer", password: PASSWORD, agree: true }, "register", "register-username");
  await send({ username, password: "password", agree: true }, "register", "register-password");
  await send({ username, password: PASSWORD, agree: true }, "consent", "consent-registered");
  await visit.send({}, "button[value=allow]");
  await application.exchange(visit.tab, server, request);

  const primaryEmail = `${username}@example.com`;
  await server.user({ primaryEmail });
  request = await begin({ prompt: "login" });
  await visit.see("sign-in");
  await askForCode(primaryEmail);
  let code = await mailbox.code(primaryEmail);
  await send({ code: anotherThan(code) }, "verification-code", "verification-code-refused");
  await send({}, "verification-code", "verification-code-resent", "button[value=resend]");
  await send({ code: await mailbox.code(primaryEmail) }, "profile");
  await send({ password: "password" }, "profile", "profile-refused");
  await send({ password: PASSWORD }, "consent", "consent-profile");
  await visit.send({}, "button[value=deny]");
  await application.told(visit.tab, request);

  await begin({ prompt: "login" });
  await open("/reset-password", "reset-password");
  await send({ identifier: username }, "reset-password", "reset-password-refused");
  await send({ identifier: primaryEmail }, "verification-code", "verification-code-forgotten");
  await send({ code: await mailbox.code(primaryEmail) }, "new-password");
  await send({ password: PASSWORD }, "new-password", "new-password-refused");
  await send({ password: NEW_PASSWORD }, "sign-in", "sign-in-new-password");
  await open("/register?with=code", "register", "register-code");
  await open("/single-sign-on", "single-sign-on");
  await send({ email: primaryEmail }, "single-sign-on", "single-sign-on-refused");

  const newcomer = `${username}_new@example.com`;
  await begin({ prompt: "login" });
  await askForCode(newcomer, "verification-code-new");
  await send({ code: await mailbox.code(newcomer) }, "no-account");

  const { token } = await server.call("POST", "/one-time-tokens", { email: newcomer });
  await begin({ prompt: "login", one_time_token: token, login_hint: newcomer });
  await visit.see("one-time-token");
  await begin({ prompt: "login", one_time_token: "another", login_hint: newcomer });
  await send({}, "one-time-token", "one-time-token-void");

  await server.call("POST", "/organization-invitations", {
    invitee: newcomer,
    organizationId: careful.id,
    expiresAt: Date.now() + 3_600_000,
    messagePayload: {},
  });
  const { link } = await mailbox.message(newcomer);
  await open(link, "invitation");
  await send({}, "invitation", "invitation-accepted");
  await open(link, "invitation", "invitation-void");

  const member = await server.user({ username: `${username}_3`, password: PASSWORD });
  await server.call("POST", `/organizations/${careful.id}/users`, { userIds: [member] });
  request = await begin({ prompt: "login" });
  await send({ identifier: `${username}_3`, password: PASSWORD }, "set-up-factor");
  await open("/passkey", "passkey");
  await visit.open("/second-factor/set-up");
  await send({ code: "000000" }, "set-up-factor", "set-up-factor-refused");
  const secret = await visit.tab.locator(".secret").innerText();
  await send({ code: oneTimePassword(secret) }, "backup-codes");
  await send({}, "consent", "consent-factor");
  await visit.send({}, "button[value=deny]");
  await application.told(visit.tab, request);
  request = await begin({ prompt: "login" });
  await send({ identifier: `${username}_3`, password: PASSWORD }, "second-factor");
  await send({ code: "000000" }, "second-factor", "second-factor-refused");
  await open("/second-factor/backup-code", "second-factor", "second-factor-backup-code");

  const primaryPhone = `49151${randomBytes(4).readUInt32BE().toString().padStart(10, "0").slice(-8)}`;
  const reached = await server.user({ username: `${username}_5`, password: PASSWORD, primaryPhone });
  await server.call("POST", `/organizations/${careful.id}/users`, { userIds: [reached] });
  await begin({ prompt: "login" });
  await send({ identifier: `${username}_5`, password: PASSWORD }, "second-factor", "second-factor-phone");
  await send({}, "second-factor", "second-factor-phone-sent");

  request = await begin({ prompt: "login consent" });
  const { customerPassword: password } = server.demo;
  await send({ identifier: "customer", password }, "consent");
  await visit.send({}, "button[value=allow]");
  await application.exchange(visit.tab, server, request);

  request = await begin({ prompt: "select_account", response_mode: "form_post" });
  await visit.see("choose-account");
  await visit.tab.getByRole("button", { name: "Casey Customer" }).click();
  // With JavaScript the form is gone before anybody sees it.
  if (!visit.javaScript) {
    await visit.see("form-post");
    await visit.send({}, "noscript button");
  }
  await application.exchange(visit.tab, server, request);

  ({ user_code: code } = await device.ask());
  await open("/device", "device", "device-code");
  await send({ user_code: "BCDF-GHJK" }, "device", "device-refused");
  await send({ user_code: code }, "device", "device-confirm");
  await visit.send({}, "button[value=allow]");
  await visit.see("device-done");
  await open("/device/denied", "device-done", "device-denied");

  // The demo application speaks English alone.
  const seeDemo = (as) => visit.see("demo", { language: "en", as });
  await visit.open("/demo");
  await seeDemo("demo");
  await visit.tab.click("button[value=register]");
  await visit.see("register", { as: "register-demo" });
  await visit.send({ username: `${username}_4`, password: PASSWORD, agree: true });
  await visit.tab.locator("#act").waitFor();
  await seeDemo("demo-signed-in");
  await visit.send({ reason: " ", ticket: "TICKET-4711" }, "#act button");
  await seeDemo("demo-refused");
  await visit.send({ reason: "Invoice does not load", ticket: "TICKET-4711" }, "#act button");
  await visit.tab.locator("#acted").waitFor();
  await visit.send({}, "form[action='/demo/userinfo'] button");
  await seeDemo("demo-acting");

  await open("/demo/mailbox", "mailbox", "mailbox-closed");
  await open(server.mailbox, "mailbox", "mailbox-door");
  await send({}, "mailbox");
  // Whoever has just signed in is not asked for the password once more.
  await server.call("PATCH", "/account-center", { deletionEnabled: true });
  await open("/account", "account");
  await visit.send({ avatar: "nowhere" }, "form[action='/account/profile'] button");
  await visit.see("account", { as: "account-refused" });
  await open("/account/authenticator", "account-authenticator");
  const key = await visit.tab.locator(".secret").innerText();
  await send({ code: "000000" }, "account-authenticator", "account-authenticator-refused");
  await send({ code: oneTimePassword(key) }, "account", "account-saved");
  await visit.send({}, "form[action='/account/backup-codes'] button");
  await visit.see("account-codes");
  await open("/account/delete", "account-delete");

  await open("/oidc/session/end", "sign-out");
  await send({}, "signed-out");
};
