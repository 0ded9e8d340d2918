"""{{name}}: what this function returns becomes claims of the token."""

import logging

from claimsmith.claims import Claims, ClaimsRequest, Denied, claims_plugin


def get_custom_jwt_claims(request: ClaimsRequest) -> Claims:
    prefix = request["environmentVariables"].get("PREFIX", "")

    # What a backend said about an impersonation; of other tokens there is nothing to say.
    context = request["context"]
    said = context.get("grant", {}).get("subjectTokenContext")
    if said is None:
        return {}
    if "ticketId" not in said:
        raise Denied("Name the ticket.")

    logging.info("acting for %s", context.get("user", {}).get("username"))
    return {f"{prefix}ticket_id": said["ticketId"]}


WitWorld = claims_plugin(get_custom_jwt_claims)
