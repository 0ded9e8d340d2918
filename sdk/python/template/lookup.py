"""{{name}}: asks another server what plan a user has."""

from urllib.parse import quote

from claimsmith.claims import Claims, ClaimsRequest, claims_plugin, fetch


def get_custom_jwt_claims(request: ClaimsRequest) -> Claims:
    user = request["context"].get("user")
    if user is None:
        return {}
    key = request["environmentVariables"].get("API_KEY", "")
    answer = fetch(
        f"https://plans.example.com/plan?user={quote(user['id'])}", headers={"authorization": f"Bearer {key}"}
    )
    return {"plan": answer.json()["plan"]} if answer.ok else {}


WitWorld = claims_plugin(get_custom_jwt_claims)
