// Verifies a delivery as a receiver in JavaScript does: `v1` with the library of Standard Webhooks, `v1a` with the
// platform's own Ed25519, and the signature of the older convention.

import assert from "node:assert/strict";
import { createHmac, createPublicKey, verify } from "node:crypto";
import { readFileSync } from "node:fs";
import { Webhook } from "standardwebhooks";

const { headers, body, good, bad } = JSON.parse(readFileSync(process.argv[2], "utf8"));

const verifiesV1 = (key, text) => {
  try {
    new Webhook(key.signingSecret).verify(text, headers);
    return true;
  } catch {
    return false;
  }
};

const verifiesV1a = (key, text) => {
  const x = Buffer.from(key.publicKey.replace(/^whpk_/, ""), "base64").toString("base64url");
  const publicKey = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
  const signed = Buffer.from(`${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${text}`);
  return headers["webhook-signature"]
    .split(" ")
    .filter((signature) => signature.startsWith("v1a,"))
    .some((signature) => verify(null, signed, publicKey, Buffer.from(signature.slice(4), "base64")));
};

for (const verifies of [verifiesV1, verifiesV1a]) {
  assert(good.every((key) => verifies(key, body)), `${verifies.name} refuses what is ours`);
  assert(!bad.some((key) => verifies(key, body)), `${verifies.name} takes an old key`);
  assert(!good.some((key) => verifies(key, `${body} `)), `${verifies.name} takes what is not ours`);
}
const legacy = createHmac("sha256", good[0].signingKey).update(body).digest("hex");
assert.equal(legacy, headers["logto-signature-sha-256"]);
console.log(`${process.argv[2].split("/").pop()}: verified in JavaScript`);
