// Registers what one client needs by the Management API, and prints it: a web application with a secret, one with a key,
// a single-page application, a person who supports customers, and a subject token of a customer.
//
//     register.mjs ORIGIN BOOTSTRAP_REPORT

import { readFileSync } from "node:fs";

const [origin, path] = process.argv.slice(2);
const { managementApi: machine, demo } = JSON.parse(readFileSync(path, "utf8"));
const redirectUri = "https://client.example.com/callback";
const afterLogout = "https://client.example.com/bye";
const username = "engineer";
const password = "violet-kettle-42";

const answered = async (response) => {
  if (!response.ok) throw new Error(`${response.status} ${response.url}: ${await response.text()}`);
  return response.json();
};

const credentials = Buffer.from(`${machine.clientId}:${machine.clientSecret}`).toString("base64");
const { access_token: token } = await answered(
  await fetch(`${origin}/oidc/token`, {
    method: "POST",
    headers: { authorization: `Basic ${credentials}` },
    body: new URLSearchParams({ grant_type: "client_credentials", resource: machine.resource, scope: "all" }),
  }),
);

const call = async (method, to, body) =>
  answered(
    await fetch(`${origin}/api${to}`, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    }),
  );

const application = async (type, authentication) => {
  const { id } = await call("POST", "/applications", {
    name: `A client (${type})`,
    type,
    oidcClientMetadata: { redirectUris: [redirectUri], postLogoutRedirectUris: [afterLogout], ...authentication },
    customClientMetadata: { allowTokenExchange: true, corsAllowedOrigins: ["https://client.example.com"] },
  });
  return id;
};

await call("PATCH", `/users/${demo.engineerUserId}/password`, { password });
const webClientId = await application("Traditional");
const { value: webClientSecret } = await call("POST", `/applications/${webClientId}/secrets`, { name: "client" });
const spaClientId = await application("SPA");
const keys = await crypto.subtle.generateKey("Ed25519", true, ["sign", "verify"]);
const publicKey = { ...(await crypto.subtle.exportKey("jwk", keys.publicKey)), kid: "k1" };
const keyClientId = await application("Traditional", {
  jwks: { keys: [publicKey] },
  tokenEndpointAuthMethod: "private_key_jwt",
});
const { subjectToken } = await call("POST", "/subject-tokens", {
  userId: demo.customerUserId,
  context: { ticketId: "TECH-1234", reason: "a stuck order" },
});

console.log(
  JSON.stringify({
    origin,
    issuer: `${origin}/oidc`,
    resource: demo.resource,
    redirectUri,
    afterLogout,
    username,
    password,
    engineer: demo.engineerUserId,
    customer: demo.customerUserId,
    webClientId,
    webClientSecret,
    spaClientId,
    keyClientId,
    privateKey: await crypto.subtle.exportKey("jwk", keys.privateKey),
    subjectToken,
  }),
);
