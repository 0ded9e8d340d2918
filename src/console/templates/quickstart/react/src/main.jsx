// Signs users in with OpenID Connect, and calls the API with their access token.
import { useEffect, useState } from "react";
import { createRoot } from "react-dom/client";
import { AuthProvider, useAuth } from "react-oidc-context";

const env = import.meta.env;
// The access token is issued for this API.
const target = env.VITE_RESOURCE ? { resource: env.VITE_RESOURCE } : {};

const settings = {
  authority: env.VITE_ISSUER,
  client_id: env.VITE_CLIENT_ID,
  redirect_uri: env.VITE_REDIRECT_URI,
  post_logout_redirect_uri: env.VITE_POST_LOGOUT_URI,
  scope: env.VITE_SCOPE,
  ...target,
  extraTokenParams: target,
  revokeTokensOnSignout: true,
  // Removes the code from the address after the sign-in.
  onSigninCallback: () => history.replaceState({}, "", "/"),
};

function App() {
  const auth = useAuth();
  const [answer, setAnswer] = useState("");
  const token = auth.user?.access_token;

  useEffect(() => {
    if (!token) return;
    fetch("/api", { headers: { authorization: `Bearer ${token}` } })
      .then(async (response) => setAnswer(`The API answered ${response.status}: ${await response.text()}`))
      .catch(() => setAnswer("The API does not answer."));
  }, [token]);

  if (auth.isLoading) return <p>Loading …</p>;
  if (auth.error) return <p>Not signed in: {auth.error.message}</p>;
  if (!auth.isAuthenticated) return <button onClick={() => auth.signinRedirect()}>Sign in</button>;
  const { name, username, email, sub } = auth.user.profile;
  return (
    <>
      <p>
        Hello {name ?? username ?? email ?? sub}. <button onClick={() => auth.signoutRedirect()}>Sign out</button>
      </p>
      <pre>{answer}</pre>
    </>
  );
}

createRoot(document.getElementById("root")).render(
  <AuthProvider {...settings}>
    <App />
  </AuthProvider>,
);
