"""What the tests of packages ask a server for, by the Management API.

    client.py ORIGIN REPORT create USERNAME       # makes a user
    client.py ORIGIN REPORT has USERNAME          # fails if there is no such user
    client.py ORIGIN REPORT upload FILE           # uploads a plugin, which compiles and tests it
    client.py ORIGIN REPORT plugins               # the names of the plugins that serve
    client.py ORIGIN REPORT addresses KEY         # the client addresses of the newest audit entries of a key

CURL_CA_BUNDLE names the certificate of an origin with TLS, and CURL_OPTIONS further options of curl."""

import base64
import json
import os
import pathlib
import shlex
import subprocess
import sys
import urllib.parse


class Api:
    """By curl, which can be told from which address to connect."""

    def __init__(self, origin, report):
        self.origin, self.options = origin, shlex.split(os.environ.get("CURL_OPTIONS", ""))
        made = json.loads(pathlib.Path(report).read_text())["managementApi"]
        proof = base64.b64encode(f"{made['clientId']}:{made['clientSecret']}".encode()).decode()
        form = {"grant_type": "client_credentials", "resource": made["resource"], "scope": "all"}
        form = urllib.parse.urlencode(form).encode()
        kind = "application/x-www-form-urlencoded"
        self.authorization = f"Basic {proof}"
        self.authorization = "Bearer " + self.ask("POST", "/oidc/token", form, kind)["access_token"]

    def ask(self, method, path, body=None, content_type="application/json"):
        headers = ["--header", f"authorization: {self.authorization}", "--header", f"content-type: {content_type}"]
        command = ["curl", "--silent", "--show-error", "--max-time", "120", "--request", method, *self.options, *headers,
                   "--write-out", "\n%{http_code}"]
        if body is not None:
            command += ["--data-binary", "@-"]
        answer = subprocess.run([*command, self.origin + path], input=body or b"", check=True, stdout=subprocess.PIPE)
        text, _, status = answer.stdout.decode().rpartition("\n")
        if not 200 <= int(status) < 300:
            raise SystemExit(f"{method} {path}: {status} {text}")
        return json.loads(text) if text else None


def main():
    origin, report, command, *arguments = sys.argv[1:]
    api = Api(origin, report)
    match command:
        case "create":
            api.ask("POST", "/api/users", json.dumps({"username": arguments[0]}).encode())
        case "has":
            users = api.ask("GET", "/api/users?page_size=100")
            if arguments[0] not in [user["username"] for user in users]:
                raise SystemExit(f"there is no user {arguments[0]}")
        case "upload":
            file = pathlib.Path(arguments[0])
            api.ask("PUT", f"/api/plugins/{file.stem}", file.read_bytes(), "text/javascript")
        case "plugins":
            serving = [plugin for plugin in api.ask("GET", "/api/plugins") if not plugin.get("lastError")]
            print("\n".join(sorted(plugin["name"] for plugin in serving)))
        case "addresses":
            entries = api.ask("GET", f"/api/logs?logKey={arguments[0]}")
            print("\n".join(str(entry["payload"].get("ip")) for entry in entries))
        case _:
            raise SystemExit(f"unknown command: {command}")


main()
