// Signs users in with OpenID Connect.
import { UserManager } from "oidc-client-ts";

const env = import.meta.env;
// The access token is issued for this API.
const target = env.VITE_RESOURCE ? { resource: env.VITE_RESOURCE } : {};

export const auth = new UserManager({
  authority: env.VITE_ISSUER,
  client_id: env.VITE_CLIENT_ID,
  redirect_uri: env.VITE_REDIRECT_URI,
  post_logout_redirect_uri: env.VITE_POST_LOGOUT_URI,
  scope: env.VITE_SCOPE,
  ...target,
  extraTokenParams: target,
  revokeTokensOnSignout: true,
});

// The signed-in user, or null. Finishes the sign-in if the browser has just come back from one.
export async function currentUser() {
  const isAnswer = new URLSearchParams(location.search).has("state");
  if (isAnswer && location.pathname === new URL(env.VITE_REDIRECT_URI).pathname) {
    await auth.signinRedirectCallback();
    history.replaceState({}, "", "/");
  }
  return auth.getUser();
}

// Calls the API with the access token of the user.
export async function callApi(user) {
  const response = await fetch("/api", { headers: { authorization: `Bearer ${user.access_token}` } });
  return `The API answered ${response.status}: ${await response.text()}`;
}
