// `oauth4webapi`: a single-page application without a secret. It verifies access tokens as well, as a resource server does.

import assert from "node:assert/strict";
import * as oauth from "oauth4webapi";
import { Person, given } from "./person.mjs";

const http = { [oauth.allowInsecureRequests]: true };
const issuer = new URL(given.issuer);
const as = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, http));
const client = { client_id: given.spaClientId };
const none = oauth.None();
const person = new Person();

const authorize = async (more) => {
  const verifier = oauth.generateRandomCodeVerifier();
  const nonce = oauth.generateRandomNonce();
  const state = oauth.generateRandomState();
  const url = new URL(as.authorization_endpoint);
  const parameters = {
    client_id: client.client_id,
    redirect_uri: given.redirectUri,
    response_type: "code",
    scope: "openid profile offline_access resource:read",
    resource: given.resource,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    nonce,
    state,
    ...more,
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  const back = await person.visit(url);
  return { told: oauth.validateAuthResponse(as, client, back, state), verifier, nonce };
};

const { told, verifier, nonce } = await authorize({ prompt: "consent" });
const response = await oauth.authorizationCodeGrantRequest(as, client, none, told, given.redirectUri, verifier, http);
const tokens = await oauth.processAuthorizationCodeResponse(as, client, response, {
  expectedNonce: nonce,
  requireIdToken: true,
});
// The signature, by the key set; the library trusts the connection otherwise.
await oauth.validateApplicationLevelSignature(as, response, http);
const claims = oauth.getValidatedIdTokenClaims(tokens);
assert.equal(claims.sub, given.engineer);
const asked = await oauth.userInfoRequest(as, client, tokens.access_token, http);
const userinfo = await oauth.processUserInfoResponse(as, client, claims.sub, asked);
assert.equal(userinfo.username, "engineer");

const refresh = async (token, more) => {
  const options = { ...http, additionalParameters: more };
  const answer = await oauth.refreshTokenGrantRequest(as, client, none, token, options);
  return oauth.processRefreshTokenResponse(as, client, answer);
};
const verified = async (token) => {
  const request = new Request("https://api.example.com/orders", { headers: { authorization: `Bearer ${token}` } });
  return oauth.validateJwtAccessToken(as, request, given.resource, http);
};
const forResource = await refresh(tokens.refresh_token, { resource: given.resource });
const access = await verified(forResource.access_token);
assert.equal(access.sub, given.engineer);
assert.equal(access.scope, "resource:read");
const plain = await refresh(forResource.refresh_token, {});

const exchange = await oauth.genericTokenEndpointRequest(
  as,
  client,
  none,
  "urn:ietf:params:oauth:grant-type:token-exchange",
  {
    subject_token: given.subjectToken,
    subject_token_type: "urn:ietf:params:oauth:token-type:access_token",
    actor_token: plain.access_token,
    actor_token_type: "urn:ietf:params:oauth:token-type:access_token",
    resource: given.resource,
    scope: "resource:read",
  },
  http,
);
const exchanged = await oauth.processGenericTokenEndpointResponse(as, client, exchange);
const acting = await verified(exchanged.access_token);
assert.equal(acting.sub, given.customer);
assert.equal(acting.act.sub, given.engineer);

const revocation = await oauth.revocationRequest(as, client, none, plain.refresh_token, http);
await oauth.processRevocationResponse(revocation);
await assert.rejects(refresh(plain.refresh_token, {}), { error: "invalid_grant" });
const end = new URL(as.end_session_endpoint);
end.searchParams.set("id_token_hint", tokens.id_token);
end.searchParams.set("post_logout_redirect_uri", given.afterLogout);
assert.equal((await person.visit(end)).href, given.afterLogout);
await assert.rejects(authorize({ prompt: "none" }), { error: "login_required" });
