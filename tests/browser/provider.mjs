// An OpenID provider of another make (oidc-provider), at which people have accounts: who wants to sign in says by which
// name, and is let in.

import { generateKeyPairSync, randomBytes } from "node:crypto";
import { createServer } from "node:http";
import { Provider } from "oidc-provider";
import { page } from "./application.mjs";

/** Seconds that what it issues lives. */
const LIFETIMES = { AccessToken: 600, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 };
const LOGIN = page('<form method="post"><label>Name <input name="login"></label><button>Sign in</button></form>');

export class OtherProvider {
  #server;
  #provider;

  /** Starts one; `people` has their claims, by the ids that they have there. */
  static async start(people) {
    const other = new OtherProvider();
    other.#server = createServer((request, response) => other.#answer(request, response));
    await new Promise((resolve) => other.#server.listen(0, "127.0.0.1", resolve));
    // Of another site than the server, whose cookies those of this one would replace.
    other.issuer = `http://127.0.0.1:${other.#server.address().port}`;
    other.people = people;
    return other;
  }

  stop() {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  /** Takes a server for a client that comes back there; answers the configuration of its connector. */
  admit(redirectUris) {
    const [clientId, clientSecret] = ["claimsmith", randomBytes(32).toString("hex")];
    const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    this.#provider = new Provider(this.issuer, {
      clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: redirectUris }],
      jwks: { keys: [{ ...privateKey.export({ format: "jwk" }), kid: "1", use: "sig", alg: "RS256" }] },
      cookies: { keys: [randomBytes(32).toString("hex")] },
      claims: { openid: ["sub"], profile: ["name"], email: ["email", "email_verified"] },
      findAccount: (_, id) => this.people[id] && { accountId: id, claims: () => ({ sub: id, ...this.people[id] }) },
      interactions: { url: (_, { uid }) => `/interaction/${uid}` },
      features: { devInteractions: { enabled: false } },
      ttl: LIFETIMES,
      // Nobody is asked for consent.
      loadExistingGrant: async ({ oidc }) => {
        const whose = { clientId: oidc.client.clientId, accountId: oidc.session.accountId };
        const grant = new oidc.provider.Grant(whose);
        grant.addOIDCScope(oidc.params.scope);
        await grant.save();
        return grant;
      },
    });
    return { issuer: this.issuer, clientId, clientSecret };
  }

  /** Signs somebody in there, whose browser was sent to it. */
  async signIn(visit, login) {
    await visit.tab.waitForURL((url) => url.href.startsWith(this.issuer));
    await visit.send({ login }, "button");
  }

  /** Lets nobody in, whose browser was sent to it. */
  async refuse(visit) {
    await visit.tab.waitForURL((url) => url.href.startsWith(this.issuer));
    await visit.send({}, "button");
  }

  async #answer(request, response) {
    if (request.url === "/favicon.ico") return response.writeHead(204).end();
    if (!request.url.startsWith("/interaction/")) return this.#provider.callback()(request, response);
    if (request.method === "GET") return response.writeHead(200, { "content-type": "text/html" }).end(LOGIN);
    let body = "";
    for await (const chunk of request) body += chunk;
    const accountId = new URLSearchParams(body).get("login");
    const outcome = accountId ? { login: { accountId } } : { error: "access_denied" };
    return this.#provider.interactionFinished(request, response, outcome);
  }
}
