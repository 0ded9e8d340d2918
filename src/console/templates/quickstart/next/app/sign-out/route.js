// Ends the session here and at the server.
import * as client from "openid-client";
import { configuration, session, to } from "../../lib/oidc";

export async function GET() {
  const current = await session();
  const hint = current.idToken;
  current.destroy();
  const url = client.buildEndSessionUrl(await configuration(), {
    post_logout_redirect_uri: process.env.POST_LOGOUT_URI,
    ...(hint && { id_token_hint: hint }),
  });
  return to(url);
}
