"""A mail relay (aiosmtpd): it takes e-mails by STARTTLS alone (RFC 3207), from whoever signs in (RFC 4954), and prints
each as a line of JSON. The first line says that it listens; it ends with its input.

    relay.py PORT KEY CERTIFICATE USER PASSWORD
"""

import json
import ssl
import sys
from email import message_from_bytes, policy

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult, LoginPassword

port, key, certificate, user, password = sys.argv[1:]


def say(what):
    print(json.dumps(what), flush=True)


class Relay:
    async def handle_DATA(self, server, session, envelope):
        message = message_from_bytes(envelope.content, policy=policy.default)
        say({
            "from": envelope.mail_from,
            "to": envelope.rcpt_tos,
            "sender": message["from"],
            "subject": message["subject"],
            "id": message["message-id"],
            "text": message.get_body(("plain",)).get_content(),
            "html": message.get_body(("html",)).get_content(),
            "user": session.auth_data.login.decode(),
            "encrypted": session.ssl is not None,
        })
        return "250 It is on its way"


def authenticate(server, session, envelope, mechanism, data):
    is_right = isinstance(data, LoginPassword) and (data.login, data.password) == (user.encode(), password.encode())
    return AuthResult(success=is_right, handled=False, auth_data=data)


context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
context.load_cert_chain(certificate, key)
controller = Controller(
    Relay(),
    hostname="127.0.0.1",
    port=int(port),
    tls_context=context,
    require_starttls=True,
    authenticator=authenticate,
    auth_required=True,
)
controller.start()
say({"listens": controller.port})
sys.stdin.read()
controller.stop()
