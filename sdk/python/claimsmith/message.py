"""Message plugins."""

import json
from collections.abc import Callable

import wit_world
from componentize_py_types import Err
from wit_world.imports import messages, types

from ._host import Denied, told
from .shapes import MessageRequest, OutgoingMessage

__all__ = ["Denied", "MessageRequest", "OutgoingMessage", "message_plugin"]


def message_plugin(function: Callable[[OutgoingMessage], MessageRequest]) -> type[wit_world.WitWorld]:
    """Makes the function the plugin of its module: ``WitWorld = message_plugin(compose)``."""

    class WitWorld(wit_world.WitWorld):
        def compose(self, message: messages.OutgoingMessage) -> messages.MessageRequest:
            try:
                return _written(function(_read(message)))
            except Denied as denied:
                raise Err(types.Failure_Denied(str(denied))) from None
            except Exception as error:
                raise Err(types.Failure_Failed(told(error))) from None

    return WitWorld


def _read(message: messages.OutgoingMessage) -> OutgoingMessage:
    read: OutgoingMessage = {
        "id": message.id,
        "channel": message.channel,
        "event": message.event,
        "recipient": message.recipient,
        "language": message.language,
        "content": json.loads(message.content),
        "context": json.loads(message.context),
        "environmentVariables": dict(message.environment_variables),
    }
    if message.code is not None:
        read["code"] = message.code
    if message.link is not None:
        read["link"] = message.link
    return read


def _written(request: MessageRequest) -> messages.MessageRequest:
    body, headers = request.get("body"), dict(request.get("headers") or {})
    text = body if body is None or isinstance(body, str) else json.dumps(body)
    if text is not body and not any(name.lower() == "content-type" for name in headers):
        headers["content-type"] = "application/json"
    return messages.MessageRequest(request.get("method", "POST"), request["url"], list(headers.items()), text)
