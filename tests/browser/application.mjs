// An application of another origin, which relies on the server: it begins sign-ins, shows what comes back, and
// exchanges the code. Its pages may also be those of somebody who is up to no good.

import { createHash, randomBytes } from "node:crypto";
import { createServer } from "node:http";
import assert from "node:assert/strict";

const escaped = (text) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** A page of the application. */
export const page = (body, script = "") =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>Application</title><body><h1>Application</h1>${body}` +
  `<script>${script}</script>`;

/** A form that sends itself to an address. */
export const sendingForm = (to, fields) => {
  const inputs = Object.entries(fields).map(
    ([name, value]) => `<input type="hidden" name="${escaped(name)}" value="${escaped(value)}">`,
  );
  return page(`<form method="post" action="${escaped(to)}">${inputs.join("")}</form>`, "document.forms[0].submit()");
};

export class Application {
  #server;
  #pages = new Map();

  static async start() {
    const application = new Application();
    application.#server = createServer((request, response) => application.#answer(request, response));
    await new Promise((resolve) => application.#server.listen(0, "127.0.0.1", resolve));
    application.port = application.#server.address().port;
    // Of another site than the server, which is `localhost`.
    application.origin = `http://127.0.0.1:${application.port}`;
    // The same, of the same site.
    application.neighbour = `http://localhost:${application.port}`;
    application.redirectUri = `${application.origin}/callback`;
    return application;
  }

  stop() {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  /** Serves a page at a path: HTML, or a function of the URL that answers HTML or `{ location }`. */
  serve(path, content) {
    this.#pages.set(path, content);
  }

  async #answer(request, response) {
    let body = "";
    for await (const chunk of request) body += chunk;
    const url = new URL(request.url, this.origin);
    const content = this.#pages.get(url.pathname) ?? this.#came(request.method, url, body);
    const given = typeof content === "function" ? content(url) : content;
    if (given.location) return response.writeHead(302, { location: given.location }).end();
    return response.writeHead(200, { "content-type": given.type ?? "text/html" }).end(given.body ?? given);
  }

  /** What came to the callback, as JSON. */
  #came(method, url, body) {
    const told = Object.fromEntries(method === "POST" ? new URLSearchParams(body) : url.searchParams);
    return page(`<pre>${escaped(JSON.stringify({ method, path: url.pathname, told }))}</pre>`);
  }

  /** Registers it at the server; answers its id. */
  async register(server, { name = "Northwind Shop", type = "SPA", isThirdParty = false, path = "/callback" } = {}) {
    const { id } = await server.call("POST", "/applications", {
      name,
      type,
      isThirdParty,
      oidcClientMetadata: { redirectUris: [this.origin + path], postLogoutRedirectUris: [`${this.origin}/bye`] },
    });
    if (isThirdParty) {
      const userScopes = ["profile", "email", "urn:logto:scope:organizations"];
      await server.call("POST", `/applications/${id}/user-consent-scopes`, { userScopes });
    }
    return id;
  }

  /** An authorization request, and what is needed to go on with its answer. */
  request(server, clientId, { path = "/callback", ...more } = {}) {
    const verifier = randomBytes(32).toString("base64url");
    const state = randomBytes(16).toString("base64url");
    const redirectUri = this.origin + path;
    const query = new URLSearchParams({
      client_id: clientId,
      redirect_uri: redirectUri,
      response_type: "code",
      scope: "openid profile",
      state,
      code_challenge: createHash("sha256").update(verifier).digest("base64url"),
      code_challenge_method: "S256",
    });
    for (const [name, value] of Object.entries(more)) query.set(name, value);
    return { url: `${server.origin}/oidc/auth?${query}`, clientId, verifier, state, redirectUri };
  }

  /** Sends somebody to sign in, or to register; answers the request. */
  async begin(visit, clientId, more) {
    const request = this.request(visit.server, clientId, more);
    await visit.open(request.url);
    return request;
  }

  /** What the page that the browser ended at was told. */
  async told(tab, request) {
    await tab.waitForURL((url) => url.href.startsWith(request.redirectUri));
    const { told } = JSON.parse(await tab.locator("pre").textContent());
    assert.equal(told.state, request.state);
    return told;
  }

  /** Exchanges the code that the browser came back with; answers the claims of the ID token. */
  async exchange(tab, server, request) {
    const { code, error } = await this.told(tab, request);
    assert.ok(code, `no code: ${error}`);
    const response = await fetch(`${server.listens}/oidc/token`, {
      method: "POST",
      body: new URLSearchParams({
        grant_type: "authorization_code",
        client_id: request.clientId,
        code,
        redirect_uri: request.redirectUri,
        code_verifier: request.verifier,
      }),
    });
    const tokens = await response.json();
    assert.equal(response.status, 200, JSON.stringify(tokens));
    return JSON.parse(Buffer.from(tokens.id_token.split(".")[1], "base64url").toString());
  }
}
