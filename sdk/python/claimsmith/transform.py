"""Webhook transforms."""

import json
from collections.abc import Callable

import wit_world
from componentize_py_types import Err
from wit_world.imports import types, webhooks

from ._host import told
from .shapes import Changed, Delivery, Dropped

__all__ = ["Changed", "Delivery", "Dropped", "transform_plugin"]


def transform_plugin(function: Callable[[Delivery], Changed | Dropped | None]) -> type[wit_world.WitWorld]:
    """Makes the function the plugin of its module: ``WitWorld = transform_plugin(transform)``."""

    class WitWorld(wit_world.WitWorld):
        def transform(self, delivery: webhooks.Delivery) -> webhooks.Outcome:
            try:
                return _written(function(_read(delivery)))
            except Exception as error:
                raise Err(types.Failure_Failed(told(error))) from None

    return WitWorld


def _read(delivery: webhooks.Delivery) -> Delivery:
    return {
        "deliveryId": delivery.id,
        "event": json.loads(delivery.event),
        "hook": json.loads(delivery.hook),
        "environmentVariables": dict(delivery.environment_variables),
    }


def _written(outcome: Changed | Dropped | None) -> webhooks.Outcome:
    if outcome and "drop" in outcome:
        return webhooks.Outcome_Drop(outcome["drop"])
    changed: Changed = outcome or {}
    body = changed.get("body")
    text = body if body is None or isinstance(body, str) else json.dumps(body)
    return webhooks.Outcome_Send(webhooks.Changed(text, list((changed.get("headers") or {}).items()), changed.get("path")))
