# Requests an access token with the client credentials grant, and calls the API with it.
import os

import requests
from authlib.integrations.requests_client import OAuth2Session
from dotenv import load_dotenv

load_dotenv()
issuer = os.environ["ISSUER"]

metadata = requests.get(f"{issuer}/.well-known/openid-configuration", timeout=10).json()
session = OAuth2Session(
    os.environ["CLIENT_ID"],
    os.environ["CLIENT_SECRET"],
    scope=os.environ["SCOPE"],
    token_endpoint_auth_method="client_secret_basic",
)
token = session.fetch_token(
    metadata["token_endpoint"], grant_type="client_credentials", resource=os.environ["RESOURCE"]
)
# Use the same token for further calls until it expires.
print(f"The access token expires in {token['expires_in']} seconds.")

answer = session.get(os.environ["API_URL"], timeout=10)
print(answer.status_code, answer.text)
