"""Webhook transforms."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import wit_world
from componentize_py_types import Err
from wit_world.imports import types, webhooks

from ._host import told
from .shapes import Delivery

__all__ = ["Changed", "Delivery", "Dropped", "transform_plugin"]


@dataclass(frozen=True)
class Changed:
    """What is sent instead. A body that is no text is sent as JSON; ``None`` leaves body or path as they are."""

    body: Any = None
    headers: dict[str, str] = field(default_factory=dict)
    path: str | None = None


@dataclass(frozen=True)
class Dropped:
    """The delivery is not sent; the reason is kept with it."""

    reason: str


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
    if isinstance(outcome, Dropped):
        return webhooks.Outcome_Drop(outcome.reason)
    changed = outcome or Changed()
    body = changed.body if changed.body is None or isinstance(changed.body, str) else json.dumps(changed.body)
    return webhooks.Outcome_Send(webhooks.Changed(body, list(changed.headers.items()), changed.path))
