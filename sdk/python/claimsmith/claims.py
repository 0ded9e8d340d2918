"""Claims plugins."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import wit_world
from componentize_py_types import Err
from wit_world.imports import http, types

from ._host import Denied, told
from .shapes import Claims, ClaimsRequest

__all__ = ["Claims", "ClaimsRequest", "Denied", "HttpError", "Response", "claims_plugin", "fetch"]


class HttpError(Exception):
    """There is no answer: not granted, over a budget, or nobody answered."""


@dataclass(frozen=True)
class Response:
    """An answer of another server."""

    status: int
    headers: list[tuple[str, str]]
    body: bytes

    @property
    def ok(self) -> bool:
        return 200 <= self.status < 300

    def text(self) -> str:
        return self.body.decode()

    def json(self) -> Any:
        return json.loads(self.body)


def fetch(
    url: str, *, method: str = "GET", headers: dict[str, str] | None = None, body: bytes | str | None = None
) -> Response:
    """Asks a server that ``[capabilities.http]`` of the settings grants."""
    sent = body.encode() if isinstance(body, str) else body
    try:
        answer = http.send(http.Request(method, url, list((headers or {}).items()), sent))
    except Err as error:
        raise HttpError(error.value) from None
    return Response(answer.status, list(answer.headers), answer.body)


def claims_plugin(function: Callable[[ClaimsRequest], Claims]) -> type[wit_world.WitWorld]:
    """Makes the function the plugin of its module: ``WitWorld = claims_plugin(get_custom_jwt_claims)``."""

    class WitWorld(wit_world.WitWorld):
        def get_custom_jwt_claims(self, request: types.ClaimsRequest) -> str:
            try:
                return json.dumps(function(_read(request)))
            except Denied as denied:
                raise Err(types.Failure_Denied(str(denied))) from None
            except Exception as error:
                raise Err(types.Failure_Failed(told(error))) from None

    return WitWorld


def _read(request: types.ClaimsRequest) -> ClaimsRequest:
    context: dict[str, Any] = {}
    for name in ("user", "application", "organization", "interaction"):
        text = getattr(request.context, name)
        if text is not None:
            context[name] = json.loads(text)
    grant = request.context.grant
    if grant is not None:
        context["grant"] = {"type": grant.type}
        if grant.subject_token_context is not None:
            context["grant"]["subjectTokenContext"] = json.loads(grant.subject_token_context)
    return {
        "token": json.loads(request.token),
        "context": context,
        "environmentVariables": dict(request.environment_variables),
    }  # type: ignore[return-value, typeddict-item]
