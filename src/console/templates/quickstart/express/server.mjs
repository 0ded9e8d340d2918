// Signs users in with OpenID Connect, and calls the API with their access token.
import { randomBytes } from "node:crypto";
import express from "express";
import session from "express-session";
import * as client from "openid-client";

const { ISSUER, CLIENT_ID, CLIENT_SECRET, REDIRECT_URI, POST_LOGOUT_URI, SCOPE, RESOURCE, API_URL } = process.env;
const redirectUri = new URL(REDIRECT_URI);

// HTTP is for development on this machine only.
const options = ISSUER.startsWith("http:") ? { execute: [client.allowInsecureRequests] } : {};
const authentication = client.ClientSecretBasic(CLIENT_SECRET);
const config = await client.discovery(new URL(ISSUER), CLIENT_ID, undefined, authentication, options);
// The access token is issued for this API.
const target = RESOURCE ? { resource: RESOURCE } : {};

const app = express();
app.set("trust proxy", "loopback");
app.use(
  session({
    // Sessions end when the server restarts. In production, set a secret of your own and a session store.
    secret: process.env.SESSION_SECRET ?? randomBytes(32).toString("hex"),
    resave: false,
    saveUninitialized: false,
    cookie: { httpOnly: true, sameSite: "lax", secure: redirectUri.protocol === "https:" },
  }),
);

app.get("/sign-in", async (request, response) => {
  const verifier = client.randomPKCECodeVerifier();
  const state = client.randomState();
  const nonce = client.randomNonce();
  request.session.pending = { verifier, state, nonce };
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: REDIRECT_URI,
    scope: SCOPE,
    ...target,
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    state,
    nonce,
  });
  response.redirect(url.href);
});

app.get(redirectUri.pathname, async (request, response) => {
  const { pending } = request.session;
  // No sign-in was started in this browser, or it is already finished.
  if (!pending) return response.redirect("/");
  const url = new URL(request.originalUrl, redirectUri);
  if (url.searchParams.has("error")) {
    return response.status(403).send(page(`<p>Not signed in: ${escape(url.searchParams.get("error"))}.</p>`));
  }
  const tokens = await client.authorizationCodeGrant(
    config,
    url,
    { pkceCodeVerifier: pending.verifier, expectedState: pending.state, expectedNonce: pending.nonce },
    target,
  );
  // A new session id, so that one that was known before the sign-in is worth nothing.
  await new Promise((resolve, reject) => request.session.regenerate((error) => (error ? reject(error) : resolve())));
  request.session.user = tokens.claims();
  request.session.idToken = tokens.id_token;
  request.session.accessToken = tokens.access_token;
  response.redirect("/");
});

app.get("/sign-out", (request, response) => {
  const hint = request.session.idToken;
  request.session.destroy(() => {
    const parameters = { post_logout_redirect_uri: POST_LOGOUT_URI, ...(hint && { id_token_hint: hint }) };
    response.redirect(client.buildEndSessionUrl(config, parameters).href);
  });
});

app.get("/", async (request, response) => {
  const { user, accessToken } = request.session;
  if (!user) return response.send(page('<p><a href="/sign-in">Sign in</a></p>'));
  const name = user.name ?? user.username ?? user.email ?? user.sub;
  response.send(
    page(`<p>Hello ${escape(name)}. <a href="/sign-out">Sign out</a></p>
<pre>${escape(await callApi(accessToken))}</pre>`),
  );
});

async function callApi(accessToken) {
  if (!API_URL) return "No API is configured.";
  try {
    const answer = await fetch(API_URL, { headers: { authorization: `Bearer ${accessToken}` } });
    return `The API answered ${answer.status}: ${await answer.text()}`;
  } catch {
    return `The API does not answer at ${API_URL}.`;
  }
}

const escape = (text) => String(text).replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);
const page = (body) => `<!doctype html><html lang="en"><title>Express</title><body>${body}</body></html>`;

const port = process.env.PORT || redirectUri.port || 3000;
app.listen(port, () => console.log(`Open ${redirectUri.origin}/`));
