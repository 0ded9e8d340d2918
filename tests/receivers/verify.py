"""Verifies a delivery as a receiver in Python does: `v1` with the library of Standard Webhooks, `v1a` with an Ed25519
library, and the signature of the older convention."""

import base64
import hashlib
import hmac
import json
import sys

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from standardwebhooks.webhooks import Webhook, WebhookVerificationError

with open(sys.argv[1], encoding="utf-8") as file:
    told = json.load(file)
headers, body = told["headers"], told["body"]


def verifies_v1(key, text):
    try:
        Webhook(key["signingSecret"]).verify(text, headers)
        return True
    except WebhookVerificationError:
        return False


def verifies_v1a(key, text):
    public = Ed25519PublicKey.from_public_bytes(base64.b64decode(key["publicKey"].removeprefix("whpk_")))
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.{text}".encode()
    for signature in headers["webhook-signature"].split(" "):
        version, _, value = signature.partition(",")
        try:
            if version == "v1a":
                public.verify(base64.b64decode(value), signed)
                return True
        except InvalidSignature:
            pass
    return False


def verifies_legacy(key, text):
    expected = hmac.new(key["signingKey"].encode(), text.encode(), hashlib.sha256).hexdigest()
    return hmac.compare_digest(expected, headers["logto-signature-sha-256"])


for verifies in (verifies_v1, verifies_v1a):
    assert all(verifies(key, body) for key in told["good"]), f"{verifies.__name__} refuses what is ours"
    assert not any(verifies(key, body) for key in told["bad"]), f"{verifies.__name__} takes an old key"
    assert not any(verifies(key, body + " ") for key in told["good"]), f"{verifies.__name__} takes what is not ours"
assert verifies_legacy(told["good"][0], body) and not verifies_legacy(told["good"][0], body + " ")
print(f"{sys.argv[1].rsplit('/', 1)[-1]}: verified in Python")
