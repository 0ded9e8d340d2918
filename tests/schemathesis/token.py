"""A token of the Management API from a server at ORIGIN, and the ids that requests must leave alone: those of the
application that asks and of its roles. With a second argument, whether that token is still good."""

import base64
import json
import os
import sys
import urllib.parse
import urllib.request

with open(os.environ["CLAIMSMITH_REPORT"], encoding="utf-8") as file:
    machine = json.load(file)["managementApi"]


def ask(path, data, authorization):
    request = urllib.request.Request(sys.argv[1] + path, data, {"Authorization": authorization})
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


if len(sys.argv) > 2:
    ask("/api/users", None, f"Bearer {sys.argv[2]}")
else:
    form = {"grant_type": "client_credentials", "resource": machine["resource"], "scope": "all"}
    credentials = f"{machine['clientId']}:{machine['clientSecret']}".encode()
    basic = "Basic " + base64.b64encode(credentials).decode()
    token = ask("/oidc/token", urllib.parse.urlencode(form).encode(), basic)["access_token"]
    roles = ask(f"/api/applications/{machine['clientId']}/roles", None, f"Bearer {token}")
    print(token, machine["clientId"], *(role["id"] for role in roles))
