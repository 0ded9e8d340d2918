// `@logto/node`, which people who come from the reference have: it finds the endpoints by its own rules, asks for
// `offline_access` with `prompt=consent`, gets tokens of resources and of organizations by refreshing, and signs out
// without a hint. With the scope of organizations it names them as a resource, too.

import assert from "node:assert/strict";
import LogtoClient, { UserScope, buildOrganizationUrn } from "@logto/node";
import { Person, given } from "./person.mjs";

const stored = new Map();
const storage = {
  getItem: async (key) => stored.get(key) ?? null,
  setItem: async (key, value) => void stored.set(key, value),
  removeItem: async (key) => void stored.delete(key),
};
let reached;
const person = new Person();
const config = {
  endpoint: given.origin,
  appId: given.webClientId,
  appSecret: given.webClientSecret,
  scopes: [UserScope.Email, UserScope.Organizations, "resource:read", given.organizationScope],
  resources: [given.resource],
};
const navigate = async (url) => {
  reached = await person.visit(url);
};
const logto = new LogtoClient(config, { storage, navigate });

await logto.signIn(given.redirectUri);
await logto.handleSignInCallback(reached.href);
assert.equal(await logto.isAuthenticated(), true);
const claims = await logto.getIdTokenClaims();
assert.equal(claims.sub, given.engineer);
assert.equal((await logto.fetchUserInfo()).email, "engineer@example.com");

const first = await logto.getRefreshToken();
const access = await logto.getAccessTokenClaims(given.resource);
assert.equal(access.aud, given.resource);
assert.equal(access.sub, given.engineer);
assert.equal(access.scope, "resource:read");
assert.notEqual(await logto.getRefreshToken(), first, "the refresh token was replaced");
const context = await logto.getContext({ getAccessToken: true, fetchUserInfo: true, resource: given.resource });
assert.equal(context.isAuthenticated, true);
assert.deepEqual(context.scopes, ["resource:read"]);

const member = await logto.getOrganizationTokenClaims(given.organization);
assert.equal(member.aud, buildOrganizationUrn(given.organization));
assert.equal(member.sub, given.engineer);
assert.equal(member.scope, given.organizationScope);
const everywhere = await logto.getContext({ getOrganizationToken: true });
assert.ok(everywhere.organizationTokens[given.organization]);
await assert.rejects(logto.getOrganizationToken("nowhere"), { code: "oidc.access_denied" });

// The library has no exchange; a backend sends the form itself, with the token that the library keeps.
const credentials = Buffer.from(`${given.webClientId}:${given.webClientSecret}`).toString("base64");
const exchange = await fetch(`${given.issuer}/token`, {
  method: "POST",
  headers: { authorization: `Basic ${credentials}` },
  body: new URLSearchParams({
    grant_type: "urn:ietf:params:oauth:grant-type:token-exchange",
    subject_token: given.subjectToken,
    subject_token_type: "urn:ietf:params:oauth:token-type:access_token",
    actor_token: await logto.getAccessToken(),
    actor_token_type: "urn:ietf:params:oauth:token-type:access_token",
    resource: given.resource,
    scope: "resource:read",
  }),
});
const exchanged = await exchange.json();
assert.equal(exchange.status, 200, JSON.stringify(exchanged));
const payload = JSON.parse(Buffer.from(exchanged.access_token.split(".")[1], "base64url"));
assert.equal(payload.act.sub, given.engineer);

await logto.signOut(given.afterLogout);
assert.equal(reached.href, given.afterLogout);
assert.equal(await logto.isAuthenticated(), false);
await logto.signIn({ redirectUri: given.redirectUri, prompt: "none" });
assert.equal(reached.searchParams.get("error"), "login_required");
