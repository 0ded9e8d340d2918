// Tests of {{name}}: node --test

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { open } from "./claimsmith-testing.mjs";

const plugin = await open(new URL("..", import.meta.url));
after(() => plugin.close());

const message = (text) => ({ channel: "Sms", recipient: "+16502530000", code: "123456", content: { text } });

test("any text is sent as it is", async () => {
  for (const text of ["Your code: 123456", "Ünïcode \"quoted\" 🧮", "x".repeat(1000)]) {
    const { url, body } = await plugin.ask({ message: message(text) });
    assert.equal(url, "https://sms.example.com/messages");
    assert.equal(JSON.parse(body).text, text);
  }
});

test("the key is in the header alone", async () => {
  const environmentVariables = { API_KEY: "correct-horse" };
  const { headers, url, body } = await plugin.ask({ message: message("Hello"), environmentVariables });
  assert.equal(headers.authorization, "Bearer correct-horse");
  assert.ok(!`${url} ${body}`.includes("correct-horse"));
});

test("e-mails are not for this provider", async () => {
  const { denied } = await plugin.ask({ message: { ...message("Hello"), channel: "Email" } });
  assert.equal(denied, "This provider sends text messages only.");
});
