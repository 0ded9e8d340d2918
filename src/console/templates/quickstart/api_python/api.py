# Checks the access token of each request: signature, issuer, audience, type, expiry, then scope and claims.
import os
from typing import Annotated

import jwt
import uvicorn
from dotenv import load_dotenv
from fastapi import Depends, FastAPI, HTTPException
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

load_dotenv()
# Keys are cached for five minutes, and fetched again when a token names an unknown one.
keys = jwt.PyJWKClient(os.environ["JWKS_URI"], lifespan=300)
bearer = HTTPBearer(auto_error=False)


def refuse(status, error=None, description=None):
    challenge = f'Bearer error="{error}", error_description="{description}"' if error else "Bearer"
    raise HTTPException(status, description or "There is no token.", {"WWW-Authenticate": challenge})


# Every route below needs a valid token.
def authenticate(credentials: Annotated[HTTPAuthorizationCredentials | None, Depends(bearer)]):
    if credentials is None:
        refuse(401)
    token = credentials.credentials
    try:
        # ID tokens have another type: they say who signed in, and allow nothing.
        if jwt.get_unverified_header(token).get("typ", "").lower() not in ("at+jwt", "application/at+jwt"):
            refuse(401, "invalid_token", "This is not an access token.")
        return jwt.decode(
            token,
            keys.get_signing_key_from_jwt(token),
            algorithms=["ES256", "ES384", "EdDSA", "RS256"],
            issuer=os.environ["ISSUER"],
            audience=os.environ["AUDIENCE"],
            options={"require": ["exp", "iss", "aud", "sub"]},
        )
    except jwt.PyJWKClientConnectionError:
        # Without the keys nothing can be said about the token.
        raise HTTPException(503) from None
    except jwt.PyJWTError as error:
        refuse(401, "invalid_token", type(error).__name__)


Token = Annotated[dict, Depends(authenticate)]


# A scope is a whole word of the claim.
def require_scope(scope):
    def check(token: Token):
        if scope and scope not in token.get("scope", "").split(" "):
            refuse(403, "insufficient_scope", f"This needs the scope {scope}.")

    return Depends(check)


app = FastAPI()


# Any valid token.
@app.get("/")
def claims(token: Token):
    return token


# A token with the scope.
@app.get("/scoped", dependencies=[require_scope(os.environ["SCOPE"])])
def scoped(token: Token):
    return {"subject": token["sub"]}


# A token with a claim that a plugin added.
@app.get("/gold")
def gold(token: Token):
    if token.get("plan") != "gold":
        refuse(403, "insufficient_scope", "This needs the plan gold.")
    return {"plan": token["plan"]}


if __name__ == "__main__":
    uvicorn.run(app, host="localhost", port=int(os.environ["PORT"]))
