// Finishes the sign-in. The name of this file is the path of the redirect URI.
import * as client from "openid-client";

export default defineEventHandler(async (event) => {
  const session = await sessionOf(event);
  const { pending } = session.data;
  // No sign-in was started in this browser, or it is already finished.
  if (!pending) return sendRedirect(event, "/");
  const url = new URL(process.env.REDIRECT_URI);
  url.search = getRequestURL(event).search;
  if (url.searchParams.has("error")) {
    throw createError({ statusCode: 403, message: `Not signed in: ${url.searchParams.get("error")}.` });
  }
  const tokens = await client.authorizationCodeGrant(
    await configuration(),
    url,
    { pkceCodeVerifier: pending.verifier, expectedState: pending.state, expectedNonce: pending.nonce },
    target,
  );
  const { name, username, sub } = tokens.claims();
  await session.update({
    pending: undefined,
    name: name ?? username ?? sub,
    idToken: tokens.id_token,
    accessToken: tokens.access_token,
  });
  return sendRedirect(event, "/");
});
