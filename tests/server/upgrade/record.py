"""Fills a database of each kind through a server of the schema that is to be kept, and writes both as SQL into FOLDER.
The JSON beside each has what a client of before the upgrade still holds, and the version. `make` runs it for a release.

    record.py BINARY FOLDER          # TEST_DATABASE_URL names a PostgreSQL; needs psql and pg_dump of its version"""

import base64
import hashlib
import http.cookiejar
import json
import os
import pathlib
import re
import sqlite3
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request

BASE_URL = "http://127.0.0.1:3001"
CALLBACK = "https://shop.example.com/callback"
PASSWORD = "violet-kettle-42"
VERIFIER = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
SCRIPT = """const getCustomJwtClaims = async ({ context, environmentVariables }) => ({
  ticket: context.grant?.subjectTokenContext?.ticketId ?? null, region: environmentVariables.REGION,
});"""
COMPONENT = pathlib.Path("wit/published/1.0.0/components/c-ticket.wasm")


class NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *arguments):
        return None


class Server:
    """The binary in an empty folder."""

    def __init__(self, binary, home, more):
        plugins = pathlib.Path(home) / "plugins"
        plugins.mkdir()
        self.data = pathlib.Path(home) / "data"
        environment = {
            "PATH": os.environ["PATH"],
            "CLAIMSMITH_DATA_DIR": str(self.data),
            "CLAIMSMITH_PLUGINS_DIR": str(plugins),
            "CLAIMSMITH_LISTEN": "127.0.0.1:0",
            "CLAIMSMITH_BASE_URL": BASE_URL,
            "CLAIMSMITH_DEMO": "true",
            # Public: it opens nothing but what is kept here.
            "CLAIMSMITH_ENCRYPTION_KEY": base64.b64encode(bytes([7] * 32)).decode(),
            "CLAIMSMITH_LOG_FILTER": "warn",
        } | more
        self.binary, self.place = binary, {"env": environment, "cwd": home}
        self.process = subprocess.Popen([binary], **self.place, stdout=subprocess.PIPE, text=True)
        for line in self.process.stdout:
            if found := re.search(r"Claimsmith listens on (http://[^;]*);", line):
                self.origin = found[1]
                break
        self.report = json.loads((self.data / "bootstrap.json").read_text())
        # Its plugins may still be compiled.
        while subprocess.run([binary, "health"], **self.place, capture_output=True).returncode != 0:
            time.sleep(0.1)
        self.bearer = None

    def ask(self, method, path, body=None, form=None, basic=None, content_type="application/json"):
        headers = {"accept": "application/json"}
        if form is not None:
            body, content_type = urllib.parse.urlencode(form).encode(), "application/x-www-form-urlencoded"
        elif body is not None and not isinstance(body, bytes):
            body = json.dumps(body).encode()
        if body is not None:
            headers["content-type"] = content_type
        if basic:
            headers["authorization"] = "Basic " + base64.b64encode(":".join(basic).encode()).decode()
        elif self.bearer:
            headers["authorization"] = "Bearer " + self.bearer
        request = urllib.request.Request(self.origin + path, body, headers, method=method)
        try:
            with urllib.request.urlopen(request) as answer:
                text = answer.read()
        except urllib.error.HTTPError as error:
            raise SystemExit(f"{method} {path}: {error.code} {error.read().decode()}")
        return json.loads(text) if text else None

    def run(self, *command):
        return subprocess.run([self.binary, *command], **self.place, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()

    def stop(self):
        self.process.terminate()
        assert self.process.wait(60) == 0


def fill(server):
    """Something in every table that the API reaches; answers what a client keeps."""
    machine, demo = server.report["managementApi"], server.report["demo"]
    proof = (machine["clientId"], machine["clientSecret"])
    form = {"grant_type": "client_credentials", "resource": machine["resource"], "scope": "all"}
    server.bearer = server.ask("POST", "/oidc/token", form=form, basic=proof)["access_token"]
    ask = server.ask
    customer, web = demo["customerUserId"], (demo["webClientId"], demo["webClientSecret"])

    hook = ask("POST", "/api/hooks", {
        "name": "before", "events": ["User.Created", "User.Data.Updated"],
        "config": {"url": "http://127.0.0.1:9/nobody", "retries": 3},
    })
    ask("PATCH", f"/api/users/{customer}/password", {"password": PASSWORD})
    user = ask("POST", "/api/users", {
        "username": "keeper", "primaryEmail": "keeper@example.com", "name": "Ada L\u00f6velace", "password": PASSWORD,
        "customData": {"tier": "gold"}, "profile": {"nickname": "Ada"},
    })
    resource = ask("POST", "/api/resources", {"name": "Shop", "indicator": "https://shop.example.com/api"})
    scope = ask("POST", f"/api/resources/{resource['id']}/scopes", {"name": "read:carts", "description": "Read carts"})
    role = ask("POST", "/api/roles", {"name": "shopper", "description": "Shops", "scopeIds": [scope["id"]]})
    ask("POST", f"/api/users/{user['id']}/roles", {"roleIds": [role["id"]]})
    organization = ask("POST", "/api/organizations", {"name": "Keepers", "customData": {"plan": "team"}})
    ask("POST", f"/api/organizations/{organization['id']}/users", {"userIds": [user["id"]]})
    ask("POST", "/api/organization-invitations", {
        "organizationId": organization["id"], "invitee": "guest@example.com",
        "expiresAt": int(time.time() * 1000) + 86_400_000,
    })
    application = ask("POST", "/api/applications", {
        "name": "Shop", "type": "SPA", "oidcClientMetadata": {"redirectUris": [CALLBACK], "postLogoutRedirectUris": []},
        "customClientMetadata": {"alwaysIssueRefreshToken": True},
    })
    ask("PATCH", "/api/sign-in-exp", {"color": {"primaryColor": "#0f766e", "isDarkModeEnabled": True}})
    ask("PUT", "/api/custom-phrases/en", {"sign_in": {"title": "Ahoy!"}})
    ask("PUT", "/api/configs/jwt-customizer/access-token",
        {"script": SCRIPT, "environmentVariables": {"REGION": "eu"}})
    ask("PUT", "/api/plugins/ticket?activate=false", COMPONENT.read_bytes(), content_type="application/wasm")
    personal = ask("POST", f"/api/users/{user['id']}/personal-access-tokens", {"name": "laptop"})

    connector = ask("POST", "/api/connectors", {"connectorId": "http-email", "config": {
        "endpoint": "http://127.0.0.1:9/nobody", "authorization": "Bearer of-the-relay",
    }})
    ask("POST", "/api/sso-connectors", {"providerName": "OIDC", "connectorName": "Acme", "domains": ["acme.example"]})
    ask("PUT", f"/api/users/{user['id']}/identities/github", {"userId": "gh-1", "details": {"name": "Ada"}})
    spare = ask("POST", "/api/users", {"username": "careful", "password": PASSWORD})
    for kind in ("Totp", "BackupCode"):
        ask("POST", f"/api/users/{spare['id']}/mfa-verifications", {"type": kind})
    one_time_token = ask("POST", "/api/one-time-tokens", {"email": "keeper@example.com", "expiresIn": 86_400})
    # A message that waits for a relay that is not there.
    ask("POST", "/api/verification-codes", {"email": "keeper@example.com"})

    def subject_token():
        context = {"ticketId": "TECH-1234", "reason": "a stuck order"}
        return ask("POST", "/api/subject-tokens", {"userId": customer, "context": context})["subjectToken"]

    exchange = {
        "grant_type": "urn:ietf:params:oauth:grant-type:token-exchange", "resource": demo["resource"],
        "subject_token_type": "urn:ietf:params:oauth:token-type:access_token", "scope": " ".join(demo["scopes"]),
    }
    used, unused = subject_token(), subject_token()
    issued = ask("POST", "/oidc/token", form=exchange | {"subject_token": used}, basic=web)
    opaque = server.run("tokens", "mint", "--user", customer, "--client", web[0])
    return {
        # The first line is "claimsmith 0.1.0", and may say more after it.
        "version": server.run("--version").split()[1],
        "takenAt": int(time.time() * 1000),
        "baseUrl": BASE_URL,
        "password": PASSWORD,
        "hookId": hook["id"],
        # The password, two new users, the identity.
        "waitingDeliveries": 4,
        "userId": user["id"],
        "connectorId": connector["id"],
        "carefulUserId": spare["id"],
        "oneTimeToken": one_time_token["token"],
        "applicationId": application["id"],
        "personalAccessToken": personal["value"],
        "usedSubjectToken": used,
        "subjectToken": unused,
        "accessToken": issued["access_token"],
        "opaqueToken": opaque,
        "refreshToken": sign_in(server, application["id"]),
        "report": server.report,
    }


def sign_in(server, client_id):
    """A refresh token of somebody who signs in by the pages; None where there is no sign-in yet."""
    discovery = server.ask("GET", "/oidc/.well-known/openid-configuration")
    if "authorization_endpoint" not in discovery:
        return None
    opener = urllib.request.build_opener(NoRedirect, urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()))

    def visit(url, form=None):
        body = urllib.parse.urlencode(form).encode() if form else None
        headers = {"accept": "text/html", "host": urllib.parse.urlparse(BASE_URL).netloc} | ({"origin": BASE_URL} if form else {})
        try:
            with opener.open(urllib.request.Request(url.replace(BASE_URL, server.origin), body, headers)) as answer:
                return None, answer.read().decode()
        except urllib.error.HTTPError as redirect:
            assert redirect.code == 303, (url, redirect.code, redirect.read().decode())
            return urllib.parse.urljoin(BASE_URL, redirect.headers["location"]), None

    challenge = base64.urlsafe_b64encode(hashlib.sha256(VERIFIER.encode()).digest()).decode().rstrip("=")
    url = f"{BASE_URL}/oidc/auth?" + urllib.parse.urlencode({
        "client_id": client_id, "redirect_uri": CALLBACK, "response_type": "code", "scope": "openid offline_access",
        "prompt": "consent", "code_challenge": challenge, "code_challenge_method": "S256",
    })
    while not url.startswith(CALLBACK):
        url, page = visit(url)
        if page:
            fields = {name: value for name, value in re.findall(r'type="hidden" name="([^"]*)" value="([^"]*)"', page)}
            action = re.search(r'method="post" action="([^"]*)"', page)[1]
            asks = 'name="password"' in page
            fields |= {"identifier": "keeper", "password": PASSWORD} if asks else {"decision": "allow"}
            url, page = visit(urllib.parse.urljoin(BASE_URL, action), fields)
            assert url, page
    code = urllib.parse.parse_qs(urllib.parse.urlparse(url).query)["code"][0]
    form = {
        "grant_type": "authorization_code", "client_id": client_id, "code": code, "redirect_uri": CALLBACK,
        "code_verifier": VERIFIER,
    }
    server.bearer = None
    return server.ask("POST", "/oidc/token", form=form)["refresh_token"]


def record(binary, folder, kind, more, dump):
    with tempfile.TemporaryDirectory() as home:
        server = Server(binary, home, more)
        try:
            kept = fill(server)
        finally:
            server.stop()
        (folder / f"{kind}.sql").write_text(dump(server.data))
        (folder / f"{kind}.json").write_text(json.dumps(kept, indent=2) + "\n")


def dump_sqlite(data):
    [path] = data.glob("*.db")
    with sqlite3.connect(path) as connection:
        # Python cannot dump an index of trigrams: it is made again, of its definition.
        columns = "id, username_key, email_key, primary_phone, name_key"
        made = connection.execute("SELECT sql || ';' FROM sqlite_master WHERE name = '_user_trigrams'").fetchall()
        made = [sql for (sql,) in made]
        if made:
            made.append(
                f"INSERT INTO _user_trigrams (rowid, {columns}) "
                f"SELECT place, {columns.replace('id,', 'LOWER(id),', 1)} FROM users;"
            )
        dump = [line for line in connection.iterdump() if not is_of_trigrams(line)]
        return "\n".join([*dump[:-1], *made, dump[-1]]) + "\n"


def is_of_trigrams(statement):
    if statement.startswith("PRAGMA writable_schema"):
        return True
    return "_user_trigrams" in statement and not statement.startswith("CREATE TRIGGER")


def dump_postgres(url):
    arguments = ["pg_dump", "--inserts", "--no-owner", "--no-privileges", "--no-comments", url]
    text = subprocess.run(arguments, check=True, capture_output=True, text=True).stdout
    # Lines for psql, the schema that every database has, and comments.
    lines = [line for line in text.splitlines() if line and not line.startswith(("\\", "--", "CREATE SCHEMA public"))]
    return "\n".join(lines) + "\n"


def main():
    binary, folder = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    record(binary, folder, "sqlite", {}, dump_sqlite)
    server, name = os.environ["TEST_DATABASE_URL"], f"claimsmith_record_{os.getpid()}"
    url = urllib.parse.urlparse(server)._replace(path=f"/{name}").geturl()
    psql = ["psql", "--quiet", server, "--command"]
    subprocess.run([*psql, f"CREATE DATABASE {name}"], check=True)
    try:
        record(binary, folder, "postgres", {"CLAIMSMITH_DATABASE_URL": url}, lambda _: dump_postgres(url))
    finally:
        subprocess.run([*psql, f"DROP DATABASE {name}"], check=True)


main()
