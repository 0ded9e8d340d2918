// Tests of {{name}}: node --test

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { open } from "./claimsmith-testing.mjs";

const plugin = await open(new URL("..", import.meta.url));
after(() => plugin.close());

const acting = (subjectTokenContext) => ({
  context: {
    grant: { type: "urn:ietf:params:oauth:grant-type:token-exchange", subjectTokenContext },
    user: { id: "u1", username: "casey" },
  },
});

test("any ticket becomes the claim", async () => {
  const tickets = ["T-1", "Ünïcode", "x".repeat(1000)];
  const answers = await Promise.all(tickets.map((ticketId) => plugin.ask(acting({ ticketId }))));
  assert.deepEqual(answers.map(({ claims }) => claims.ticket_id), tickets);
});

test("without a ticket there is no token", async () => {
  const { claims, denied } = await plugin.ask(acting({}));
  assert.equal(denied, "Name the ticket.");
  assert.equal(claims, null);
});

test("the log says for whom, and it takes few instructions", async () => {
  const { logs, instructions } = await plugin.ask(acting({ ticketId: "T-1" }));
  assert.deepEqual(logs, [{ level: "info", message: "acting for casey" }]);
  assert.ok(instructions < 1_000_000, `${instructions}`);
});
