"""{{name}}: what this function returns becomes claims of the token."""

import logging

from claimsmith.claims import Claims, ClaimsRequest, claims_plugin


def get_custom_jwt_claims(request: ClaimsRequest) -> Claims:
    prefix = request["environmentVariables"].get("PREFIX", "")

    # Tokens of applications themselves have no user.
    user = request["context"].get("user")
    if user is None:
        return {}

    logging.info("claims for %s", user["id"])
    return {f"{prefix}display_name": user.get("name") or user.get("username") or user["id"]}


WitWorld = claims_plugin(get_custom_jwt_claims)
