// Tests of {{name}}: node --test

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { open } from "./claimsmith-testing.mjs";

const plugin = await open(new URL("..", import.meta.url));
after(() => plugin.close());

const of = (user) => ({ context: { user: { id: "u1", ...user } } });

test("any name becomes the claim", async () => {
  const names = ["Casey Jones", "Ünïcode", "x".repeat(1000)];
  const answers = await Promise.all(names.map((name) => plugin.ask(of({ name }))));
  assert.deepEqual(answers.map(({ claims }) => claims.display_name), names);
});

test("without a name and a username it is the id", async () => {
  const { claims } = await plugin.ask(of({}));
  assert.deepEqual(claims, { display_name: "u1" });
});

test("the log names the user, and it takes few instructions", async () => {
  const { logs, instructions } = await plugin.ask(of({ name: "Casey Jones" }));
  assert.deepEqual(logs, [{ level: "info", message: "claims for u1" }]);
  assert.ok(instructions < 1_000_000, `${instructions}`);
});
