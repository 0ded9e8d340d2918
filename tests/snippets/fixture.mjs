// What the programs meet at the server: an API for each language and one that none of them may be used for, a plugin
// that adds a claim, a user, and machines with and without a role.

import { createHash, randomBytes } from "node:crypto";
import { PASSWORD } from "../browser/people.mjs";
import { programPort } from "./programs.mjs";
import { signIn } from "./wizard.mjs";

export const SCOPE = "orders:read";
export const USERNAME = "ada";
export const NAME = "Ada Snippet";
export const PLAN = "gold";
/** The most seconds that a library forgives an expired token. */
export const LEEWAY_SECONDS = 60;

const PLUGIN = `export const getCustomJwtClaims = ({ context }) => ({
  plan: context.user ? context.user.customData.plan : context.application.customData.plan,
});
`;

const basic = (id, secret) => `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}`;

export class Fixture {
  /** Creates everything at the server; each language has an API resource of its own, so that all can run at once. */
  static async make(server, languages) {
    const fixture = new Fixture();
    fixture.server = server;
    const call = (...request) => server.call(...request);
    fixture.apis = {};
    const scopeIds = [];
    for (const language of languages) {
      const indicator = `http://localhost:${await programPort()}`;
      const { id } = await call("POST", "/resources", { name: `Orders ${language}`, indicator });
      const scope = { name: SCOPE, description: "Read orders" };
      scopeIds.push((await call("POST", `/resources/${id}/scopes`, scope)).id);
      fixture.apis[language] = { id, indicator };
    }
    fixture.otherResource = "https://invoices.example.com";
    await call("POST", "/resources", { name: "Invoices", indicator: fixture.otherResource });
    await server.send("PUT", "/plugins/plan", PLUGIN, { "content-type": "text/javascript" });
    const reads = { description: "Reads orders", scopeIds };
    const role = (type) => call("POST", "/roles", { ...reads, name: `orders ${type}`, type });
    const forUsers = await role("User");
    fixture.machineRole = await role("MachineToMachine");
    const user = await server.user({ username: USERNAME, name: NAME, password: PASSWORD, customData: { plan: PLAN } });
    await call("POST", `/users/${user}/roles`, { roleIds: [forUsers.id] });
    return fixture;
  }

  /** Lets a machine use the API, with the plan. */
  async grant(applicationId) {
    await this.server.call("POST", `/applications/${applicationId}/roles`, { roleIds: [this.machineRole.id] });
    await this.server.call("PATCH", `/applications/${applicationId}`, { customData: { plan: PLAN } });
  }

  /** A machine of its own; answers its credentials. */
  async machine(isGranted) {
    const application = { name: "Machine", type: "MachineToMachine" };
    const { id, secret } = await this.server.call("POST", "/applications", application);
    if (isGranted) await this.grant(id);
    return { id, secret };
  }

  /** An access token of a machine. */
  async token({ id, secret }, resource) {
    const answer = await this.#ask({ grant_type: "client_credentials", resource, scope: SCOPE }, basic(id, secret));
    return answer.access_token;
  }

  /** An ID token of the user, from a sign-in in the browser. */
  async idToken(browser) {
    // Nothing listens there: the request of the browser is enough.
    const redirectUri = `http://localhost:${await programPort()}/callback`;
    const { id } = await this.server.call("POST", "/applications", {
      name: "ID tokens",
      type: "Native",
      oidcClientMetadata: { redirectUris: [redirectUri], postLogoutRedirectUris: [] },
    });
    const verifier = randomBytes(32).toString("base64url");
    const context = await browser.newContext();
    const tab = await context.newPage();
    const parameters = new URLSearchParams({
      client_id: id,
      redirect_uri: redirectUri,
      response_type: "code",
      scope: "openid",
      state: "s",
      code_challenge: createHash("sha256").update(verifier).digest("base64url"),
      code_challenge_method: "S256",
    });
    await tab.goto(`${this.server.origin}/oidc/auth?${parameters}`);
    const [answer] = await Promise.all([
      tab.waitForRequest((request) => request.url().startsWith(redirectUri)),
      signIn(tab, USERNAME),
    ]);
    const code = new URL(answer.url()).searchParams.get("code");
    await context.close();
    const request = { grant_type: "authorization_code", code, redirect_uri: redirectUri, client_id: id };
    return (await this.#ask({ ...request, code_verifier: verifier })).id_token;
  }

  /**
   * Tokens of every kind for each API to judge, by language. The expired one is at least `leewaySeconds` old when it is
   * awaited.
   */
  async tokens(browser) {
    const granted = await this.machine(true);
    const plain = await this.machine(false);
    const idToken = await this.idToken(browser);
    const unsigned = Buffer.from(JSON.stringify({ alg: "none", typ: "at+jwt" })).toString("base64url");
    const tokens = {};
    for (const [language, { id, indicator }] of Object.entries(this.apis)) {
      await this.server.call("PATCH", `/resources/${id}`, { accessTokenTtl: 1 });
      const expired = await this.token(granted, indicator);
      const expiresAt = Date.now() + 1000;
      await this.server.call("PATCH", `/resources/${id}`, { accessTokenTtl: 3600 });
      const valid = await this.token(granted, indicator);
      const [header, payload, signature] = valid.split(".");
      const forged = Buffer.from(signature, "base64url").reverse().toString("base64url");
      tokens[language] = {
        valid,
        withoutScope: await this.token(plain, indicator),
        wrongAudience: await this.token(granted, this.otherResource),
        idToken,
        forged: `${header}.${payload}.${forged}`,
        unsigned: `${unsigned}.${payload}.`,
        expired: async (leewaySeconds) => {
          const wait = expiresAt + (leewaySeconds + 1) * 1000 - Date.now();
          if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
          return expired;
        },
      };
    }
    return tokens;
  }

  async #ask(form, authorization) {
    const response = await fetch(`${this.server.listens}/oidc/token`, {
      method: "POST",
      headers: authorization ? { authorization } : {},
      body: new URLSearchParams(form),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`the token endpoint answered ${response.status} ${text}`);
    return JSON.parse(text);
  }
}
