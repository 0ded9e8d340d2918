// `@logto/client`, of which the libraries for browsers and applications are made: a single-page application that asks
// for the organizations of its user.

import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import LogtoClient, { ReservedResource, UserScope, buildOrganizationUrn, createRequester } from "@logto/client";
import { Person, given } from "./person.mjs";

const stored = new Map();
let asked;
let reached;
const person = new Person();
const config = {
  endpoint: given.origin,
  appId: given.spaClientId,
  scopes: [UserScope.Organizations, UserScope.OrganizationRoles, given.organizationScope, "resource:read"],
  // With the slash that `new URL(…).href` adds.
  resources: [new URL(given.resource).href],
};
const client = new LogtoClient(config, {
  requester: createRequester(fetch),
  storage: {
    getItem: async (key) => stored.get(key) ?? null,
    setItem: async (key, value) => void stored.set(key, value),
    removeItem: async (key) => void stored.delete(key),
  },
  navigate: async (url) => {
    asked = new URL(url);
    reached = await person.visit(url);
  },
  generateState: async () => randomBytes(32).toString("base64url"),
  generateCodeVerifier: async () => randomBytes(32).toString("base64url"),
  generateCodeChallenge: async (verifier) => createHash("sha256").update(verifier).digest("base64url"),
});

await client.signIn(given.redirectUri);
assert.ok(asked.searchParams.getAll("resource").includes(ReservedResource.Organization), "the library is unmodified");
await client.handleSignInCallback(reached.href);
const claims = await client.getIdTokenClaims();
assert.equal(claims.sub, given.engineer);
assert.ok(claims.organizations.includes(given.organization));

const member = await client.getOrganizationTokenClaims(given.organization);
assert.equal(member.aud, buildOrganizationUrn(given.organization));
assert.equal(member.scope, given.organizationScope);
const access = await client.getAccessTokenClaims(config.resources[0]);
assert.equal(access.aud, given.resource, "as it is registered");
assert.equal(access.scope, "resource:read");
await assert.rejects(client.getOrganizationToken("nowhere"), { code: "oidc.access_denied" });
assert.ok((await client.fetchUserInfo()).organizations.includes(given.organization));

await client.signOut(given.afterLogout);
assert.equal(reached.href, given.afterLogout);
assert.equal(await client.isAuthenticated(), false);
