"""Authlib with requests: a web application with a secret. What it needs to know of the server, discovery tells it.

    authlib_client.py GIVEN"""

import html
import json
import pathlib
import re
import sys
import urllib.parse

import requests
from authlib.integrations.requests_client import OAuth2Session
from joserfc import jwt
from joserfc.jwk import KeySet

GIVEN = json.loads(pathlib.Path(sys.argv[1]).read_text())
ACCESS_TOKEN = "urn:ietf:params:oauth:token-type:access_token"
METADATA = requests.get(f"{GIVEN['issuer']}/.well-known/openid-configuration", timeout=30).json()
KEYS = KeySet.import_key_set(requests.get(METADATA["jwks_uri"], timeout=30).json())
browser = requests.Session()


def visit(url):
    """Opens a URL and does what the pages want; answers the URL of the application at which it ends."""
    answer = browser.get(url, headers={"accept": "text/html"}, allow_redirects=False, timeout=30)
    for _ in range(20):
        location = answer.headers.get("location")
        if location is None:
            answer = fill_in(answer)
        elif location.startswith(GIVEN["origin"]):
            answer = browser.get(location, headers={"accept": "text/html"}, allow_redirects=False, timeout=30)
        else:
            return location
    raise AssertionError(f"{url} leads nowhere")


def fill_in(page):
    form = re.search(r'<form[^>]* method="post" action="([^"]*)"', page.text)
    assert page.ok and form, f"{page.status_code} {page.url}: {page.text}"
    hidden = re.findall(r'<input type="hidden" name="([^"]*)" value="([^"]*)">', page.text)
    fields = {html.unescape(name): html.unescape(value) for name, value in hidden}
    if 'name="password"' in page.text:
        fields |= {"identifier": GIVEN["username"], "password": GIVEN["password"]}
    elif 'name="decision"' in page.text:
        fields |= {"decision": "allow"}
    else:
        raise AssertionError(f"a page that nobody expects: {page.text}")
    url = GIVEN["origin"] + html.unescape(form[1]).removeprefix(GIVEN["origin"])
    headers = {"accept": "text/html", "origin": GIVEN["origin"]}
    return browser.post(url, fields, headers=headers, allow_redirects=False, timeout=30)


def session():
    return OAuth2Session(
        GIVEN["webClientId"],
        GIVEN["webClientSecret"],
        scope="openid profile email offline_access",
        redirect_uri=GIVEN["redirectUri"],
        token_endpoint=METADATA["token_endpoint"],
        code_challenge_method="S256",
    )


def claims_of(token, audience):
    """The claims of a JWT whose signature and standard claims hold."""
    decoded = jwt.decode(token, KEYS, algorithms=METADATA["id_token_signing_alg_values_supported"] + ["ES256"])
    wanted = {name: {"essential": True, "value": value} for name, value in audience.items()}
    jwt.JWTClaimsRegistry(exp={"essential": True}, **wanted).validate(decoded.claims)
    return decoded.claims


client = session()
verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
url, state = client.create_authorization_url(
    METADATA["authorization_endpoint"], code_verifier=verifier, nonce="n-1", prompt="consent"
)
tokens = client.fetch_token(authorization_response=visit(url), state=state, code_verifier=verifier)
identity = claims_of(tokens["id_token"], {"iss": GIVEN["issuer"], "aud": GIVEN["webClientId"], "nonce": "n-1"})
assert identity["sub"] == GIVEN["engineer"]
userinfo = client.get(METADATA["userinfo_endpoint"]).json()
assert userinfo["sub"] == identity["sub"] and userinfo["email"] == "engineer@example.com", userinfo

old = tokens["access_token"]
refreshed = client.refresh_token()
assert refreshed["access_token"] != old
again = claims_of(refreshed["id_token"], {"iss": GIVEN["issuer"], "aud": GIVEN["webClientId"]})
assert again["sub"] == GIVEN["engineer"] and again["auth_time"] == identity["auth_time"]

exchanged = session().fetch_token(
    grant_type="urn:ietf:params:oauth:grant-type:token-exchange",
    subject_token=GIVEN["subjectToken"],
    subject_token_type=ACCESS_TOKEN,
    actor_token=refreshed["access_token"],
    actor_token_type=ACCESS_TOKEN,
    resource=GIVEN["resource"],
    scope="resource:read",
)
acting = claims_of(exchanged["access_token"], {"iss": GIVEN["issuer"], "aud": GIVEN["resource"]})
assert acting["sub"] == GIVEN["customer"] and acting["act"]["sub"] == GIVEN["engineer"], acting

client.revoke_token(METADATA["revocation_endpoint"], refreshed["refresh_token"]).raise_for_status()
query = {"id_token_hint": tokens["id_token"], "post_logout_redirect_uri": GIVEN["afterLogout"], "state": "bye"}
end = requests.Request("GET", METADATA["end_session_endpoint"], params=query).prepare().url
assert visit(end) == f"{GIVEN['afterLogout']}?state=bye"
url, state = client.create_authorization_url(METADATA["authorization_endpoint"], code_verifier=verifier, prompt="none")
refused = urllib.parse.parse_qs(urllib.parse.urlsplit(visit(url)).query)
assert refused["error"] == ["login_required"] and refused["state"] == [state], refused
