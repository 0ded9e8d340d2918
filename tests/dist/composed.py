"""The environment that compose.yaml gives the server, one NAME=VALUE on each line, with its variables filled in from the
environment; and fails where the file asks for one that is missing, or runs the server with more rights than it needs.

    composed.py FILE"""

import os
import re
import sys

import yaml


def filled(text):
    """`${NAME}`, `${NAME:-default}` and `${NAME:?message}`."""

    def value(found):
        name, kind, rest = found.groups()
        if os.environ.get(name):
            return os.environ[name]
        if kind == ":?":
            raise SystemExit(f"{name} {rest}")
        return rest or ""

    return re.sub(r"\$\{(\w+)(?:(:-|:\?)([^}]*))?\}", value, str(text))


def main():
    with open(sys.argv[1]) as file:
        services = yaml.safe_load(file)["services"]
    server = services["claimsmith"]
    assert server["read_only"] and server["cap_drop"] == ["ALL"] and server["tmpfs"] == ["/tmp"], server
    assert server["healthcheck"]["test"] == ["CMD", "/usr/bin/claimsmith", "health"], server
    assert server["depends_on"] == {"database": {"condition": "service_healthy"}}, server
    assert all(filled(port).startswith("127.0.0.1:") for port in server["ports"]), "it is reachable without TLS"
    for name, value in server["environment"].items():
        print(f"{name}={filled(value)}")
    for value in services["database"]["environment"].values():
        filled(value)


main()
