// Finishes the sign-in. The folder of this file is the path of the redirect URI.
import * as client from "openid-client";
import { configuration, session, target, to } from "../../lib/oidc";

export async function GET(request) {
  const current = await session();
  const { pending } = current;
  // No sign-in was started in this browser, or it is already finished.
  if (!pending) return to("/");
  const url = new URL(process.env.REDIRECT_URI);
  url.search = new URL(request.url).search;
  if (url.searchParams.has("error")) {
    return new Response(`Not signed in: ${url.searchParams.get("error")}.`, { status: 403 });
  }
  const tokens = await client.authorizationCodeGrant(
    await configuration(),
    url,
    { pkceCodeVerifier: pending.verifier, expectedState: pending.state, expectedNonce: pending.nonce },
    target,
  );
  const { name, username, sub } = tokens.claims();
  current.pending = undefined;
  current.name = name ?? username ?? sub;
  current.idToken = tokens.id_token;
  current.accessToken = tokens.access_token;
  await current.save();
  return to("/");
}
