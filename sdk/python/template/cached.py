"""{{name}}: asks another server what plan a user has, and keeps the answer for five minutes."""

from urllib.parse import quote

from claimsmith import cache
from claimsmith.claims import Claims, ClaimsRequest, claims_plugin, fetch


def get_custom_jwt_claims(request: ClaimsRequest) -> Claims:
    user = request["context"].get("user")
    if user is None:
        return {}
    plan = cache.get("user", "plan")
    if plan is None:
        # The server adds the API key: the settings say where.
        answer = fetch(f"https://plans.example.com/plan?user={quote(user['id'])}")
        if not answer.ok:
            return {}
        plan = answer.json()["plan"]
        cache.set("user", "plan", plan, seconds=300)
    return {"plan": plan}


WitWorld = claims_plugin(get_custom_jwt_claims)
