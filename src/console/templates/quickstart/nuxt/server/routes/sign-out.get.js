// Ends the session here and at the server.
import * as client from "openid-client";

export default defineEventHandler(async (event) => {
  const session = await sessionOf(event);
  const hint = session.data.idToken;
  await session.clear();
  const url = client.buildEndSessionUrl(await configuration(), {
    post_logout_redirect_uri: process.env.POST_LOGOUT_URI,
    ...(hint && { id_token_hint: hint }),
  });
  return sendRedirect(event, url.href);
});
