"""{{name}}: receivers are told who changed, and nothing else of them."""

from claimsmith.transform import Changed, Delivery, Dropped, transform_plugin


def transform(delivery: Delivery) -> Changed | Dropped | None:
    event = delivery["event"]
    data = event.get("data")
    if not data:
        return None
    if data.get("username") == "test-robot":
        return Dropped(drop="the test robot is nobody's customer")
    return Changed(
        body={"event": event["event"], "data": {"id": data["id"]}},
        headers={"x-environment": delivery["environmentVariables"].get("ENVIRONMENT", "")},
        path="users",
    )


WitWorld = transform_plugin(transform)
