# Signs a user in with the browser of this machine, and calls the API with their access token.
import os
import webbrowser
from http.server import BaseHTTPRequestHandler, HTTPServer

import requests
from authlib.common.security import generate_token
from authlib.integrations.requests_client import OAuth2Session
from dotenv import load_dotenv

load_dotenv()
ISSUER, API_URL = os.environ["ISSUER"], os.environ["API_URL"]
# The access token is issued for this API.
TARGET = {"resource": os.environ["RESOURCE"]} if os.environ["RESOURCE"] else {}

metadata = requests.get(f"{ISSUER}/.well-known/openid-configuration", timeout=10).json()


class Callback(BaseHTTPRequestHandler):
    def do_GET(self):
        self.server.answer = self.path
        self.send_response(200)
        self.send_header("content-type", "text/plain")
        self.end_headers()
        self.wfile.write(b"You can close this window.")


# The server ignores the port of a loopback redirect URI (RFC 8252), so any free one works.
server = HTTPServer(("127.0.0.1", 0), Callback)
server.answer = ""
redirect_uri = f"http://127.0.0.1:{server.server_port}/callback"

session = OAuth2Session(
    os.environ["CLIENT_ID"],
    scope=os.environ["SCOPE"],
    redirect_uri=redirect_uri,
    code_challenge_method="S256",
    token_endpoint_auth_method="none",
)
verifier = generate_token(64)
url, state = session.create_authorization_url(metadata["authorization_endpoint"], code_verifier=verifier, **TARGET)
print(f"Open {url}", flush=True)
webbrowser.open(url)

# Browsers may also ask for an icon.
while not server.answer.startswith("/callback?"):
    server.handle_request()
token = session.fetch_token(
    metadata["token_endpoint"],
    authorization_response=f"{redirect_uri}{server.answer.removeprefix('/callback')}",
    state=state,
    code_verifier=verifier,
    **TARGET,
)
print(f"Signed in. The access token expires in {token['expires_in']} seconds.")

if API_URL:
    answer = session.get(API_URL, timeout=10)
    print(answer.status_code, answer.text)
