// Sends the browser to the server to sign in.
import * as client from "openid-client";

export default defineEventHandler(async (event) => {
  const pending = {
    verifier: client.randomPKCECodeVerifier(),
    state: client.randomState(),
    nonce: client.randomNonce(),
  };
  const session = await sessionOf(event);
  await session.update({ pending });
  const url = client.buildAuthorizationUrl(await configuration(), {
    redirect_uri: process.env.REDIRECT_URI,
    scope: process.env.SCOPE,
    ...target,
    code_challenge: await client.calculatePKCECodeChallenge(pending.verifier),
    code_challenge_method: "S256",
    state: pending.state,
    nonce: pending.nonce,
  });
  return sendRedirect(event, url.href);
});
