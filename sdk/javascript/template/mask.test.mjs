// Tests of {{name}}: node --test

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { open } from "./claimsmith-testing.mjs";

const plugin = await open(new URL("..", import.meta.url));
after(() => plugin.close());

test("whatever is known of a user, receivers are told the id", async () => {
  const data = { id: "u2", username: "ada", primaryEmail: "ada@example.com" };
  const answer = await plugin.ask({ event: { event: "User.Created", data } });
  assert.deepEqual(JSON.parse(answer.body), { event: "User.Created", data: { id: "u2" } });
  assert.equal(answer.headers["x-environment"], "live");
  assert.equal(answer.path, "users");
});

test("the robot is dropped", async () => {
  const { dropReason } = await plugin.ask({ event: { event: "User.Created", data: { username: "test-robot" } } });
  assert.equal(dropReason, "the test robot is nobody's customer");
});

test("it takes few instructions", async () => {
  const { instructions } = await plugin.ask({ event: { event: "User.Deleted", data: null } });
  assert.ok(instructions < 1_000_000, `${instructions}`);
});
