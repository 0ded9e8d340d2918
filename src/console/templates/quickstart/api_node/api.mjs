// Checks the access token of each request: signature, issuer, audience, type, expiry, then scope and claims.
import express from "express";
import { createRemoteJWKSet, jwtVerify } from "jose";

const { ISSUER, JWKS_URI, AUDIENCE, SCOPE, PORT } = process.env;

// Keys are cached, and fetched again when a token names an unknown one.
const keys = createRemoteJWKSet(new URL(JWKS_URI));
const expected = {
  issuer: ISSUER,
  audience: AUDIENCE,
  // ID tokens have another type: they say who signed in, and allow nothing.
  typ: "at+jwt",
  algorithms: ["ES256", "ES384", "EdDSA", "RS256"],
  requiredClaims: ["exp", "sub"],
};

const refuse = (response, status, error, description) =>
  response
    .status(status)
    .set("WWW-Authenticate", error ? `Bearer error="${error}", error_description="${description}"` : "Bearer")
    .json({ error: error ?? "no token", description });

// Every route below needs a valid token.
async function authenticate(request, response, next) {
  const [, token] = /^Bearer +(\S+)$/i.exec(request.get("authorization") ?? "") ?? [];
  if (!token) return refuse(response, 401);
  try {
    request.token = (await jwtVerify(token, keys, expected)).payload;
  } catch (error) {
    // Without the keys nothing can be said about the token.
    if (error.code === "ERR_JWKS_TIMEOUT" || !error.code?.startsWith("ERR_J")) return response.sendStatus(503);
    return refuse(response, 401, "invalid_token", error.code);
  }
  next();
}

// A scope is a whole word of the claim.
const requireScope = (scope) => (request, response, next) =>
  !scope || request.token.scope?.split(" ").includes(scope)
    ? next()
    : refuse(response, 403, "insufficient_scope", `This needs the scope ${scope}.`);

const app = express();
app.use(authenticate);

// Any valid token.
app.get("/", (request, response) => response.json(request.token));
// A token with the scope.
app.get("/scoped", requireScope(SCOPE), (request, response) => response.json({ subject: request.token.sub }));
// A token with a claim that a plugin added.
app.get("/gold", (request, response) =>
  request.token.plan === "gold"
    ? response.json({ plan: request.token.plan })
    : refuse(response, 403, "insufficient_scope", "This needs the plan gold."),
);

app.listen(PORT, () => console.log(`The API listens on port ${PORT}.`));
