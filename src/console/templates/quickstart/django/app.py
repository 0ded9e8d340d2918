# A Django site in one file: signs users in with OpenID Connect, and calls the API with their access token. In a project,
# the settings go to settings.py, the views to views.py and the paths to urls.py.
import os
import secrets
import sys
from urllib.parse import urlencode, urlsplit

import requests
from authlib.integrations.django_client import OAuth, OAuthError
from django.conf import settings
from django.core.management import execute_from_command_line
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import path
from django.utils.html import format_html
from dotenv import load_dotenv

load_dotenv()
REDIRECT_URI = os.environ["REDIRECT_URI"]
# The access token is issued for this API.
TARGET = {"resource": os.environ["RESOURCE"]} if os.environ["RESOURCE"] else {}
API_URL = os.environ["API_URL"]
local = urlsplit(REDIRECT_URI)

settings.configure(
    # Sessions end when the server restarts. In production, set a secret of your own and store sessions in a database.
    SECRET_KEY=os.environ.get("SESSION_SECRET") or secrets.token_hex(32),
    SESSION_ENGINE="django.contrib.sessions.backends.cache",
    SESSION_COOKIE_SECURE=local.scheme == "https",
    ALLOWED_HOSTS=[local.hostname],
    ROOT_URLCONF="__main__",
    INSTALLED_APPS=["django.contrib.sessions"],
    MIDDLEWARE=["django.contrib.sessions.middleware.SessionMiddleware"],
    AUTHLIB_OAUTH_CLIENTS={
        "claimsmith": {
            "client_id": os.environ["CLIENT_ID"],
            "client_secret": os.environ["CLIENT_SECRET"],
            "server_metadata_url": f"{os.environ['ISSUER']}/.well-known/openid-configuration",
            "client_kwargs": {"scope": os.environ["SCOPE"], "code_challenge_method": "S256"},
        }
    },
)

oauth = OAuth()
claimsmith = oauth.register("claimsmith")


def sign_in(request):
    return claimsmith.authorize_redirect(request, REDIRECT_URI, **TARGET)


def callback(request):
    try:
        token = claimsmith.authorize_access_token(request, **TARGET)
    except OAuthError as error:
        body = format_html('<p>Not signed in: {}. <a href="/sign-in">Sign in</a></p>', error.error)
        return HttpResponse(body, status=400)
    # A new session id, so that one that was known before the sign-in is worth nothing.
    request.session.cycle_key()
    request.session["user"] = dict(token["userinfo"])  # the claims of the verified ID token
    request.session["id_token"] = token["id_token"]
    request.session["access_token"] = token["access_token"]
    return redirect("/")


def sign_out(request):
    query = {"post_logout_redirect_uri": os.environ["POST_LOGOUT_URI"], "client_id": os.environ["CLIENT_ID"]}
    if "id_token" in request.session:
        query["id_token_hint"] = request.session["id_token"]
    request.session.flush()
    return redirect(f"{claimsmith.load_server_metadata()['end_session_endpoint']}?{urlencode(query)}")


def home(request):
    user = request.session.get("user")
    if user is None:
        return HttpResponse('<p><a href="/sign-in">Sign in</a></p>')
    name = user.get("name") or user.get("username") or user["sub"]
    body = '<p>Hello {}. <a href="/sign-out">Sign out</a></p><pre>{}</pre>'
    return HttpResponse(format_html(body, name, call_api(request.session["access_token"])))


def call_api(access_token):
    if not API_URL:
        return "No API is configured."
    try:
        answer = requests.get(API_URL, headers={"authorization": f"Bearer {access_token}"}, timeout=10)
        return f"The API answered {answer.status_code}: {answer.text}"
    except requests.RequestException:
        return f"The API does not answer at {API_URL}."


urlpatterns = [
    path("", home),
    path("sign-in", sign_in),
    path("sign-out", sign_out),
    path(local.path.lstrip("/"), callback),
]

if __name__ == "__main__":
    address = f"{local.hostname}:{local.port or 3000}"
    execute_from_command_line([sys.argv[0], "runserver", "--noreload", address])
