// Registers what one client needs by the Management API, and prints it: a web application with a secret, one with a key,
// one whose library names the endpoint in its assertions, a single-page application, a person who supports customers and
// works for an organization, and a subject token of a customer.
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
  const text = await response.text();
  return text && JSON.parse(text);
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

const application = async (type, authentication, settings) => {
  const { id } = await call("POST", "/applications", {
    name: `A client (${type})`,
    type,
    oidcClientMetadata: { redirectUris: [redirectUri], postLogoutRedirectUris: [afterLogout], ...authentication },
    customClientMetadata: { allowTokenExchange: true, corsAllowedOrigins: ["https://client.example.com"], ...settings },
  });
  return id;
};

await call("PATCH", `/users/${demo.engineerUserId}/password`, { password });
const webClientId = await application("Traditional");
const { value: webClientSecret } = await call("POST", `/applications/${webClientId}/secrets`, { name: "client" });
const spaClientId = await application("SPA");
const keys = await crypto.subtle.generateKey("Ed25519", true, ["sign", "verify"]);
const publicKey = { ...(await crypto.subtle.exportKey("jwk", keys.publicKey)), kid: "k1" };
const signs = { jwks: { keys: [publicKey] }, tokenEndpointAuthMethod: "private_key_jwt" };
const keyClientId = await application("Traditional", signs);
const legacyClientId = await application("Traditional", signs, { clientAssertionAudience: "legacy" });
const id = async (path, body) => (await call("POST", path, body)).id;
const organization = await id("/organizations", { name: "A customer" });
// Each client is registered at the same server.
const organizationScope = `tickets:${organization}`;
const organizationScopeId = await id("/organization-scopes", { name: organizationScope });
const organizationRole = { name: `agent ${organization}`, organizationScopeIds: [organizationScopeId] };
const organizationRoleId = await id("/organization-roles", organizationRole);
const members = `/organizations/${organization}/users`;
await call("POST", members, { userIds: [demo.engineerUserId] });
await call("POST", `${members}/${demo.engineerUserId}/roles`, { organizationRoleIds: [organizationRoleId] });
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
    legacyClientId,
    organization,
    organizationScope,
    privateKey: await crypto.subtle.exportKey("jwk", keys.privateKey),
    subjectToken,
  }),
);
