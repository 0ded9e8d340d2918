// Requests an access token with the client credentials grant, and calls the API with it.
import * as client from "openid-client";

const { ISSUER, CLIENT_ID, CLIENT_SECRET, RESOURCE, SCOPE, API_URL } = process.env;

// HTTP is for development on this machine only.
const options = ISSUER.startsWith("http:") ? { execute: [client.allowInsecureRequests] } : {};
const authentication = client.ClientSecretBasic(CLIENT_SECRET);
const config = await client.discovery(new URL(ISSUER), CLIENT_ID, undefined, authentication, options);

const tokens = await client.clientCredentialsGrant(config, { resource: RESOURCE, scope: SCOPE });
// Use the same token for further calls until it expires.
console.log(`The access token expires in ${tokens.expires_in} seconds.`);

const answer = await fetch(API_URL, { headers: { authorization: `Bearer ${tokens.access_token}` } });
console.log(answer.status, await answer.text());
