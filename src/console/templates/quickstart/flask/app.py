# Signs users in with OpenID Connect, and calls the API with their access token.
import os
import secrets
from urllib.parse import urlencode, urlsplit

import requests
from authlib.integrations.flask_client import OAuth, OAuthError
from dotenv import load_dotenv
from flask import Flask, redirect, render_template_string, session

load_dotenv()
ISSUER, REDIRECT_URI = os.environ["ISSUER"], os.environ["REDIRECT_URI"]
# The access token is issued for this API.
TARGET = {"resource": os.environ["RESOURCE"]} if os.environ["RESOURCE"] else {}
API_URL = os.environ["API_URL"]
local = urlsplit(REDIRECT_URI)

app = Flask(__name__)
# Sessions end when the server restarts. In production, set a secret of your own.
app.secret_key = os.environ.get("SESSION_SECRET") or secrets.token_hex(32)
app.config.update(SESSION_COOKIE_SAMESITE="Lax", SESSION_COOKIE_SECURE=local.scheme == "https")
# Tokens stay on the server; the cookie names the entry. In production, use a database or Redis.
signed_in = {}

claimsmith = OAuth(app).register(
    "claimsmith",
    client_id=os.environ["CLIENT_ID"],
    client_secret=os.environ["CLIENT_SECRET"],
    server_metadata_url=f"{ISSUER}/.well-known/openid-configuration",
    client_kwargs={"scope": os.environ["SCOPE"], "code_challenge_method": "S256"},
)

PAGE = """<!doctype html><html lang="en"><title>Flask</title><body>
{% if name %}<p>Hello {{ name }}. <a href="/sign-out">Sign out</a></p><pre>{{ answer }}</pre>
{% else %}<p>{{ problem }} <a href="/sign-in">Sign in</a></p>{% endif %}"""


@app.get("/sign-in")
def sign_in():
    return claimsmith.authorize_redirect(REDIRECT_URI, **TARGET)


@app.get(local.path)
def callback():
    try:
        token = claimsmith.authorize_access_token(**TARGET)
    except OAuthError as error:
        return render_template_string(PAGE, problem=f"Not signed in: {error.error}."), 400
    session.clear()
    session["id"] = secrets.token_urlsafe(32)
    signed_in[session["id"]] = token
    return redirect("/")


@app.get("/sign-out")
def sign_out():
    token = signed_in.pop(session.pop("id", None), {})
    query = {"post_logout_redirect_uri": os.environ["POST_LOGOUT_URI"], "client_id": os.environ["CLIENT_ID"]}
    if "id_token" in token:
        query["id_token_hint"] = token["id_token"]
    return redirect(f"{claimsmith.load_server_metadata()['end_session_endpoint']}?{urlencode(query)}")


@app.get("/")
def home():
    token = signed_in.get(session.get("id"))
    if token is None:
        return render_template_string(PAGE)
    user = token["userinfo"]  # the claims of the verified ID token
    name = user.get("name") or user.get("username") or user["sub"]
    return render_template_string(PAGE, name=name, answer=call_api(token["access_token"]))


def call_api(access_token):
    if not API_URL:
        return "No API is configured."
    try:
        answer = requests.get(API_URL, headers={"authorization": f"Bearer {access_token}"}, timeout=10)
        return f"The API answered {answer.status_code}: {answer.text}"
    except requests.RequestException:
        return f"The API does not answer at {API_URL}."


if __name__ == "__main__":
    app.run(host=local.hostname, port=local.port or 3000)
