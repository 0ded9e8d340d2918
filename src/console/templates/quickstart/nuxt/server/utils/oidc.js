// The OpenID Connect client and the session of the browser.
import { createHash } from "node:crypto";
import * as client from "openid-client";

const { ISSUER, CLIENT_ID, CLIENT_SECRET, REDIRECT_URI, RESOURCE } = process.env;

// The access token is issued for this API.
export const target = RESOURCE ? { resource: RESOURCE } : {};

let discovered;

/** The client; discovery happens once. */
export const configuration = () => {
  // HTTP is for development on this machine only.
  const options = ISSUER.startsWith("http:") ? { execute: [client.allowInsecureRequests] } : {};
  const authentication = client.ClientSecretBasic(CLIENT_SECRET);
  discovered ??= client.discovery(new URL(ISSUER), CLIENT_ID, undefined, authentication, options).catch((error) => {
    discovered = undefined;
    throw error;
  });
  return discovered;
};

/** The session, in an encrypted cookie. */
export const sessionOf = (event) =>
  useSession(event, {
    name: "session",
    // Sessions end when the client secret changes.
    password: createHash("sha256").update(`session ${CLIENT_SECRET}`).digest("hex"),
    cookie: { httpOnly: true, sameSite: "lax", secure: REDIRECT_URI.startsWith("https:") },
  });
