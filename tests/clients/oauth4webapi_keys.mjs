// `oauth4webapi` 3 and 2, unmodified, as web applications that sign assertions. Version 3 names the issuer in them, as
// the server demands; version 2 also names the token endpoint, which needs `clientAssertionAudience: "legacy"`.

import assert from "node:assert/strict";
import * as oauth from "oauth4webapi";
import * as oauth2 from "oauth4webapi2";
import { Person, given } from "./person.mjs";

const key = { key: await crypto.subtle.importKey("jwk", given.privateKey, "Ed25519", false, ["sign"]), kid: "k1" };
const issuer = new URL(given.issuer);
const http = { [oauth.allowInsecureRequests]: true };
const person = new Person();

const parametersOf = async (clientId, verifier, state, nonce) => ({
  client_id: clientId,
  redirect_uri: given.redirectUri,
  response_type: "code",
  scope: "openid profile offline_access",
  prompt: "consent",
  code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
  code_challenge_method: "S256",
  state,
  nonce,
});
const fresh = () => [oauth.generateRandomCodeVerifier(), oauth.generateRandomState(), oauth.generateRandomNonce()];

{
  const as = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, http));
  const client = { client_id: given.keyClientId };
  const signs = oauth.PrivateKeyJwt(key);
  const [verifier, state, nonce] = fresh();
  const parameters = new URLSearchParams(await parametersOf(client.client_id, verifier, state, nonce));
  const pushed = await oauth.pushedAuthorizationRequest(as, client, signs, parameters, http);
  const { request_uri: reference } = await oauth.processPushedAuthorizationResponse(as, client, pushed);
  const url = new URL(as.authorization_endpoint);
  url.search = new URLSearchParams({ client_id: client.client_id, request_uri: reference }).toString();
  const told = oauth.validateAuthResponse(as, client, await person.visit(url), state);
  const code = await oauth.authorizationCodeGrantRequest(as, client, signs, told, given.redirectUri, verifier, http);
  const checks = { expectedNonce: nonce, requireIdToken: true };
  const tokens = await oauth.processAuthorizationCodeResponse(as, client, code, checks);
  assert.equal(oauth.getValidatedIdTokenClaims(tokens).sub, given.engineer);
  const again = await oauth.refreshTokenGrantRequest(as, client, signs, tokens.refresh_token, http);
  const refreshed = await oauth.processRefreshTokenResponse(as, client, again);
  const looked = await oauth.introspectionRequest(as, client, signs, refreshed.access_token, http);
  assert.equal((await oauth.processIntrospectionResponse(as, client, looked)).active, true);
  const revoked = await oauth.revocationRequest(as, client, signs, refreshed.refresh_token, http);
  await oauth.processRevocationResponse(revoked);
  const ended = await oauth.refreshTokenGrantRequest(as, client, signs, refreshed.refresh_token, http);
  await assert.rejects(oauth.processRefreshTokenResponse(as, client, ended), { error: "invalid_grant" });
}

const as = await oauth2.processDiscoveryResponse(issuer, await oauth2.discoveryRequest(issuer));
const signs = { clientPrivateKey: key };
for (const [clientId, isTaken] of [[given.legacyClientId, true], [given.keyClientId, false]]) {
  const client = { client_id: clientId, token_endpoint_auth_method: "private_key_jwt" };
  const [verifier, state, nonce] = fresh();
  const url = new URL(as.authorization_endpoint);
  url.search = new URLSearchParams(await parametersOf(clientId, verifier, state, nonce)).toString();
  const told = oauth2.validateAuthResponse(as, client, await person.visit(url), state);
  const code = await oauth2.authorizationCodeGrantRequest(as, client, told, given.redirectUri, verifier, signs);
  if (!isTaken) {
    assert.equal(code.status, 401, "by default the issuer is the only audience");
    continue;
  }
  const tokens = await oauth2.processAuthorizationCodeOpenIDResponse(as, client, code, nonce);
  assert.equal(oauth2.getValidatedIdTokenClaims(tokens).sub, given.engineer);
  const again = await oauth2.refreshTokenGrantRequest(as, client, tokens.refresh_token, signs);
  assert.ok((await oauth2.processRefreshTokenResponse(as, client, again)).access_token);
  // At another endpoint, its assertions name the wrong one.
  assert.equal((await oauth2.revocationRequest(as, client, tokens.refresh_token, signs)).status, 401);
}
