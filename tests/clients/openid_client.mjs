// `openid-client`: a web application by discovery, with a request pushed ahead as well. It has a secret, or it signs
// assertions.
//
//     openid_client.mjs GIVEN [private_key_jwt]

import assert from "node:assert/strict";
import * as client from "openid-client";
import { Person, given } from "./person.mjs";

const signs = process.argv[3] === "private_key_jwt";
const key = signs && (await crypto.subtle.importKey("jwk", given.privateKey, "Ed25519", false, ["sign"]));
const config = await client.discovery(
  new URL(given.issuer),
  signs ? given.keyClientId : given.webClientId,
  {},
  signs ? client.PrivateKeyJwt({ key, kid: "k1" }) : client.ClientSecretBasic(given.webClientSecret),
  { execute: [client.allowInsecureRequests] },
);
const person = new Person();
const scope = "openid profile email offline_access";

const request = async (more) => {
  const verifier = client.randomPKCECodeVerifier();
  const state = client.randomState();
  const nonce = client.randomNonce();
  const parameters = {
    redirect_uri: given.redirectUri,
    scope,
    state,
    nonce,
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    ...more,
  };
  const checks = { pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce, idTokenExpected: true };
  return { parameters, checks };
};

const { parameters, checks } = await request({ prompt: "consent", max_age: "600" });
const back = await person.visit(client.buildAuthorizationUrl(config, parameters));
const tokens = await client.authorizationCodeGrant(config, back, { ...checks, maxAge: 600 });
const claims = tokens.claims();
assert.equal(claims.sub, given.engineer);
const userinfo = await client.fetchUserInfo(config, tokens.access_token, claims.sub);
assert.equal(userinfo.name, "Erin Engineer");
assert.equal(userinfo.email, "engineer@example.com");

const refreshed = await client.refreshTokenGrant(config, tokens.refresh_token);
assert.equal(refreshed.claims().sub, given.engineer);
assert.notEqual(refreshed.access_token, tokens.access_token);
assert.equal((await client.tokenIntrospection(config, refreshed.access_token)).active, true);

const exchanged = await client.genericGrantRequest(config, "urn:ietf:params:oauth:grant-type:token-exchange", {
  subject_token: given.subjectToken,
  subject_token_type: "urn:ietf:params:oauth:token-type:access_token",
  actor_token: refreshed.access_token,
  actor_token_type: "urn:ietf:params:oauth:token-type:access_token",
  resource: given.resource,
  scope: "resource:read",
});
const payload = JSON.parse(Buffer.from(exchanged.access_token.split(".")[1], "base64url"));
assert.equal(payload.sub, given.customer);
assert.equal(payload.act.sub, given.engineer);

// Once more, pushed ahead; the session answers without a page.
const pushed = await request({ prompt: "none" });
const silent = await person.visit(await client.buildAuthorizationUrlWithPAR(config, pushed.parameters));
assert.equal((await client.authorizationCodeGrant(config, silent, pushed.checks)).claims().sub, given.engineer);

await client.tokenRevocation(config, refreshed.refresh_token);
await assert.rejects(client.refreshTokenGrant(config, refreshed.refresh_token), { error: "invalid_grant" });
const bye = await person.visit(
  client.buildEndSessionUrl(config, {
    id_token_hint: refreshed.id_token,
    post_logout_redirect_uri: given.afterLogout,
    state: "bye",
  }),
);
assert.equal(bye.href, `${given.afterLogout}?state=bye`);
const gone = await request({ prompt: "none" });
const refused = await person.visit(client.buildAuthorizationUrl(config, gone.parameters));
await assert.rejects(client.authorizationCodeGrant(config, refused, gone.checks), { error: "login_required" });
