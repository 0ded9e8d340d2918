"""{{name}}: sends text messages by a provider with a JSON API."""

from claimsmith.message import Denied, MessageRequest, OutgoingMessage, message_plugin


def compose(message: OutgoingMessage) -> MessageRequest:
    if message["channel"] != "Sms":
        raise Denied("This provider sends text messages only.")
    variables = message["environmentVariables"]
    return MessageRequest(
        url="https://sms.example.com/messages",
        headers={"authorization": f"Bearer {variables.get('API_KEY', '')}"},
        body={
            "id": message["id"],
            "from": variables.get("SENDER", ""),
            "to": message["recipient"],
            "text": message["content"].get("text", ""),
        },
    )


WitWorld = message_plugin(compose)
