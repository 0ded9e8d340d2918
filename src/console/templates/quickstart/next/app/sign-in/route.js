// Sends the browser to the server to sign in.
import * as client from "openid-client";
import { configuration, session, target, to } from "../../lib/oidc";

export async function GET() {
  const pending = {
    verifier: client.randomPKCECodeVerifier(),
    state: client.randomState(),
    nonce: client.randomNonce(),
  };
  const current = await session();
  current.pending = pending;
  await current.save();
  const url = client.buildAuthorizationUrl(await configuration(), {
    redirect_uri: process.env.REDIRECT_URI,
    scope: process.env.SCOPE,
    ...target,
    code_challenge: await client.calculatePKCECodeChallenge(pending.verifier),
    code_challenge_method: "S256",
    state: pending.state,
    nonce: pending.nonce,
  });
  return to(url);
}
