"""Creates a hook on the server at ORIGIN, has something happen before, during and after a change of its signing key, and
writes what came into FOLDER: headers, body, and the keys that must and that must not verify it.

    story.py ORIGIN BOOTSTRAP_REPORT FOLDER"""

import base64
import http.server
import json
import pathlib
import queue
import sys
import threading
import urllib.parse
import urllib.request

ORIGIN, REPORT, FOLDER = sys.argv[1:]
received = queue.Queue()


class Receiver(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        headers = {name.lower(): value for name, value in self.headers.items()}
        received.put({"headers": headers, "body": body.decode()})
        self.send_response(204)
        self.end_headers()

    def log_message(self, *arguments):
        pass


def ask(method, path, body, authorization):
    headers = {"authorization": authorization, "content-type": "application/json"}
    data = None if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
    if isinstance(body, bytes):
        headers["content-type"] = "application/x-www-form-urlencoded"
    request = urllib.request.Request(ORIGIN + path, data, headers, method=method)
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


def token():
    machine = json.loads(pathlib.Path(REPORT).read_text())["managementApi"]
    form = {"grant_type": "client_credentials", "resource": machine["resource"], "scope": "all"}
    credentials = f"{machine['clientId']}:{machine['clientSecret']}".encode()
    basic = "Basic " + base64.b64encode(credentials).decode()
    return "Bearer " + ask("POST", "/oidc/token", urllib.parse.urlencode(form).encode(), basic)["access_token"]


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
threading.Thread(target=server.serve_forever, daemon=True).start()
bearer = token()
url = f"http://127.0.0.1:{server.server_port}/hook"
first = ask("POST", "/api/hooks", {"events": ["User.Created"], "config": {"url": url}}, bearer)
renewal = f"/api/hooks/{first['id']}/signing-key"


def tell(name, good, bad):
    """Something happens; `good` keys must verify what came, `bad` ones must not."""
    # A name with an umlaut: what is signed is bytes.
    ask("POST", "/api/users", {"username": name, "name": "Ada L\u00f6velace"}, bearer)
    keys = ("signingKey", "signingSecret", "publicKey")
    told = received.get(timeout=60)
    told["good"] = [{key: hook[key] for key in keys} for hook in good]
    told["bad"] = [{key: hook[key] for key in keys} for hook in bad]
    (pathlib.Path(FOLDER) / f"{name}.json").write_text(json.dumps(told))


tell("before", [first], [])
second = ask("PATCH", renewal, None, bearer)
tell("during", [second, first], [])
third = ask("PATCH", renewal + "?overlap=0", None, bearer)
tell("after", [third], [first, second])
