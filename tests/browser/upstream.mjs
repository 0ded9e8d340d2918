// A second server of this make, at which people have accounts: those of the first sign in there and come back.

import { PASSWORD } from "./people.mjs";
import { Server } from "./server.mjs";

export class Upstream {
  #client;

  static async start() {
    const upstream = new Upstream();
    // Of another site than the first server: the cookies of one would replace those of the other.
    upstream.server = await Server.start("SQLite", { origin: (port) => `http://127.0.0.1:${port}` });
    upstream.issuer = `${upstream.server.origin}/oidc`;
    return upstream;
  }

  stop() {
    return this.server.stop();
  }

  /** Gives somebody an account here; answers the id. */
  user(username, primaryEmail) {
    return this.server.user({ username, primaryEmail, name: `${username} of elsewhere`, password: PASSWORD });
  }

  /** Takes a server for a client that comes back there; answers the configuration of its connector. */
  async admit(redirectUris) {
    const application = { name: "The first server", type: "Traditional", ...this.#comingBackTo(redirectUris) };
    const { id: clientId, secret: clientSecret } = await this.server.call("POST", "/applications", application);
    this.#client = clientId;
    return { issuer: this.issuer, clientId, clientSecret };
  }

  /** Its client comes back there from now on. */
  async expect(redirectUris) {
    await this.server.call("PATCH", `/applications/${this.#client}`, this.#comingBackTo(redirectUris));
  }

  #comingBackTo(redirectUris) {
    return { oidcClientMetadata: { redirectUris, postLogoutRedirectUris: [] } };
  }

  /** Signs somebody in here, whose browser was sent to it. */
  async signIn(visit, identifier) {
    await visit.tab.waitForURL((url) => url.origin === this.server.origin);
    await visit.send({ identifier, password: PASSWORD });
  }
}

/** The button by which people sign in at an upstream that is connected. */
export const BUTTON = "button[formaction$='/social/partner']";

/** Has people of a server sign in at an upstream as well, by a button of the pages, and link an account there. */
export const connect = async (server, upstream) => {
  const paths = ["/callback/partner", "/account/callback/social/partner"];
  const config = await upstream.admit(paths.map((path) => server.origin + path));
  const metadata = { target: "partner", name: { en: "Partner" } };
  await server.call("POST", "/connectors", { id: "partner", connectorId: "oidc", metadata, config });
  await server.settings({ socialSignInConnectorTargets: ["partner"] });
};
