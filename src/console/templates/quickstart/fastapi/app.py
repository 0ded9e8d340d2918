# Signs users in with OpenID Connect, and calls the API with their access token.
import os
import secrets
from html import escape
from urllib.parse import urlencode, urlsplit

import httpx
import uvicorn
from authlib.integrations.starlette_client import OAuth, OAuthError
from dotenv import load_dotenv
from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse, RedirectResponse
from starlette.middleware.sessions import SessionMiddleware

load_dotenv()
ISSUER, REDIRECT_URI = os.environ["ISSUER"], os.environ["REDIRECT_URI"]
# The access token is issued for this API.
TARGET = {"resource": os.environ["RESOURCE"]} if os.environ["RESOURCE"] else {}
API_URL = os.environ["API_URL"]
local = urlsplit(REDIRECT_URI)

app = FastAPI()
app.add_middleware(
    SessionMiddleware,
    # Sessions end when the server restarts. In production, set a secret of your own.
    secret_key=os.environ.get("SESSION_SECRET") or secrets.token_hex(32),
    same_site="lax",
    https_only=local.scheme == "https",
)
# Tokens stay on the server; the cookie names the entry. In production, use a database or Redis.
signed_in = {}

oauth = OAuth()
claimsmith = oauth.register(
    "claimsmith",
    client_id=os.environ["CLIENT_ID"],
    client_secret=os.environ["CLIENT_SECRET"],
    server_metadata_url=f"{ISSUER}/.well-known/openid-configuration",
    client_kwargs={"scope": os.environ["SCOPE"], "code_challenge_method": "S256"},
)


def page(body, status=200):
    return HTMLResponse(f'<!doctype html><html lang="en"><title>FastAPI</title><body>{body}', status)


@app.get("/sign-in")
async def sign_in(request: Request):
    return await claimsmith.authorize_redirect(request, REDIRECT_URI, **TARGET)


@app.get(local.path)
async def callback(request: Request):
    try:
        token = await claimsmith.authorize_access_token(request, **TARGET)
    except OAuthError as error:
        return page(f'<p>Not signed in: {escape(error.error)}. <a href="/sign-in">Sign in</a></p>', 400)
    request.session.clear()
    request.session["id"] = secrets.token_urlsafe(32)
    signed_in[request.session["id"]] = token
    return RedirectResponse("/")


@app.get("/sign-out")
async def sign_out(request: Request):
    token = signed_in.pop(request.session.pop("id", None), {})
    query = {"post_logout_redirect_uri": os.environ["POST_LOGOUT_URI"], "client_id": os.environ["CLIENT_ID"]}
    if "id_token" in token:
        query["id_token_hint"] = token["id_token"]
    metadata = await claimsmith.load_server_metadata()
    return RedirectResponse(f"{metadata['end_session_endpoint']}?{urlencode(query)}")


@app.get("/")
async def home(request: Request):
    token = signed_in.get(request.session.get("id"))
    if token is None:
        return page('<p><a href="/sign-in">Sign in</a></p>')
    user = token["userinfo"]  # the claims of the verified ID token
    name = user.get("name") or user.get("username") or user["sub"]
    answer = await call_api(token["access_token"])
    return page(f'<p>Hello {escape(name)}. <a href="/sign-out">Sign out</a></p><pre>{escape(answer)}</pre>')


async def call_api(access_token):
    if not API_URL:
        return "No API is configured."
    try:
        async with httpx.AsyncClient() as client:
            answer = await client.get(API_URL, headers={"authorization": f"Bearer {access_token}"})
        return f"The API answered {answer.status_code}: {answer.text}"
    except httpx.HTTPError:
        return f"The API does not answer at {API_URL}."


if __name__ == "__main__":
    uvicorn.run(app, host=local.hostname, port=local.port or 3000)
