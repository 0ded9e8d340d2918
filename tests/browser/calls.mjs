// Tokens for which plugins are called, and waiting for what comes of the calls.

import assert from "node:assert/strict";

const TIMEOUT = 30_000;

/** The claims of a token that a node issues for a user now. */
export const claims = async (node, userId) => {
  const { subjectToken } = await node.call("POST", "/subject-tokens", { userId, context: {} });
  const response = await fetch(`${node.listens}/oidc/token`, {
    method: "POST",
    body: new URLSearchParams({
      grant_type: "urn:ietf:params:oauth:grant-type:token-exchange",
      client_id: node.demo.spaClientId,
      subject_token: subjectToken,
      subject_token_type: "urn:ietf:params:oauth:token-type:access_token",
      resource: node.demo.resource,
      scope: "resource:read",
    }),
  });
  const text = await response.text();
  assert.equal(response.status, 200, text);
  return JSON.parse(Buffer.from(JSON.parse(text).access_token.split(".")[1], "base64url"));
};

/** Asks again until something is so. */
export const until = async (awaited, ask) => {
  const end = Date.now() + TIMEOUT;
  while (!(await ask())) {
    assert.ok(Date.now() < end, `it did not come about: ${awaited}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
};
