// Google as a way to sign in: the redirect URI and the steps come first, the button is on the sign-in page, and it leads
// to Google with the values that were entered. No request leaves the machine: the server reads the document of a
// stand-in, and the browser does not find Google.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { said } from "../operator.mjs";

const CLIENT = "1234567890-abc.apps.googleusercontent.com";
const SECRET = "not to be seen";
const GOOGLE = "https://accounts.google.com/";

/** Serves the document of an OpenID provider that has the pages of Google; answers its issuer. */
const standIn = async () => {
  const provider = createServer(({ url }, response) => {
    const { issuer } = provider;
    const document = {
      issuer,
      authorization_endpoint: `${GOOGLE}o/oauth2/v2/auth`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/certs`,
      response_types_supported: ["code"],
      subject_types_supported: ["public"],
      id_token_signing_alg_values_supported: ["RS256"],
    };
    const body = JSON.stringify(url === "/certs" ? { keys: [] } : document);
    response.writeHead(200, { "content-type": "application/json" }).end(body);
  });
  await new Promise((resolve) => provider.listen(0, "127.0.0.1", resolve));
  provider.issuer = `http://127.0.0.1:${provider.address().port}`;
  return provider;
};

export const connectGoogle = async ({ window, server, web }) => {
  const { tab } = window;
  await window.section("/connectors");
  await window.leaves(tab.getByRole("link", { name: "Google", exact: true }));
  const redirectUri = await tab.locator("section[aria-labelledby=register] .copyable code").first().innerText();
  assert.equal(redirectUri, `${server.origin}/callback/google`);
  assert.ok((await tab.locator("ol.numbered li").count()) >= 3);
  const page = await tab.locator("section[aria-labelledby=register] a[target=_blank]").getAttribute("href");
  assert.match(page, /^https:\/\/console\.cloud\.google\.com\//);
  await tab.getByLabel("Client ID").fill(CLIENT);
  await tab.getByLabel("Client secret").fill(SECRET);
  assert.ok(await tab.locator("input[name=shown]").isChecked(), "it is shown without another screen");
  await window.leaves(tab.getByRole("button", { name: "Create connector" }));
  assert.match(await said(tab), /Created/);
  assert.ok(!(await tab.content()).includes(SECRET));

  // Somebody comes to sign in to the application.
  const provider = await standIn();
  const context = await window.newContext();
  try {
    const config = { clientId: CLIENT, clientSecret: SECRET, issuer: provider.issuer };
    await server.call("PATCH", "/connectors/google", { config });
    const visitor = await context.newPage();
    window.watch(visitor);
    const query = new URLSearchParams({
      client_id: web.id,
      redirect_uri: web.redirectUri,
      response_type: "code",
      scope: "openid",
      state: "s",
      code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
      code_challenge_method: "S256",
    });
    await visitor.goto(`${server.origin}/oidc/auth?${query}`);
    const [request] = await Promise.all([
      visitor.waitForRequest((request) => request.url().startsWith(GOOGLE)),
      visitor.locator("button[formaction$='/social/google']").click(),
    ]);
    assert.ok(request.isNavigationRequest());
    const asked = new URL(request.url()).searchParams;
    assert.equal(asked.get("client_id"), CLIENT);
    assert.equal(asked.get("redirect_uri"), redirectUri);
    assert.equal(asked.get("response_type"), "code");
    assert.match(asked.get("scope"), /openid/);
    assert.ok(asked.get("state"));
  } finally {
    await context.close();
    provider.closeAllConnections();
    provider.close();
  }
};
