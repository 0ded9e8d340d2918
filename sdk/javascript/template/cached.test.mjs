// Tests of {{name}}: node --test

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { open } from "./claimsmith-testing.mjs";

const plugin = await open(new URL("..", import.meta.url));
after(() => plugin.close());

const input = { context: { user: { id: "u1" } } };
const url = "https://plans.example.com/plan?user=u1";

test("every plan becomes the claim", async () => {
  for (const plan of ["free", "gold"]) {
    const { claims } = await plugin.ask(input, { http: [{ url, body: { plan } }] });
    assert.deepEqual(claims, { plan });
  }
});

test("an answer that was kept is not asked for again", async () => {
  for (const plan of ["free", "gold"]) {
    const { claims } = await plugin.ask(input, { cache: [{ owner: "user", key: "plan", value: plan }] });
    assert.deepEqual(claims, { plan });
  }
});

test("a server that has a bad day costs the claim alone", async () => {
  for (const status of [404, 500]) {
    const { claims } = await plugin.ask(input, { http: [{ url, status }] });
    assert.deepEqual(claims, {});
  }
});
