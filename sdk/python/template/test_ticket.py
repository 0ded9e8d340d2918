"""Tests of {{name}}: pytest"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from claimsmith_testing import Log, Plugin, open_plugin


@pytest.fixture(scope="module")
def plugin() -> Iterator[Plugin]:
    with open_plugin(Path(__file__).parent.parent) as plugin:
        yield plugin


def acting(subject_token_context: dict[str, Any]) -> dict[str, Any]:
    grant_type = "urn:ietf:params:oauth:grant-type:token-exchange"
    return {
        "context": {
            "grant": {"type": grant_type, "subjectTokenContext": subject_token_context},
            "user": {"id": "u1", "username": "casey"},
        }
    }


@pytest.mark.parametrize("ticket", ["T-1", "Ünïcode", "x" * 1000])
def test_any_ticket_becomes_the_claim(plugin: Plugin, ticket: str) -> None:
    assert plugin.ask(acting({"ticketId": ticket})).claims == {"ticket_id": ticket}


def test_without_a_ticket_there_is_no_token(plugin: Plugin) -> None:
    answer = plugin.ask(acting({}))
    assert answer.denied == "Name the ticket."
    assert answer.claims is None


def test_the_log_says_for_whom_and_it_takes_few_instructions(plugin: Plugin) -> None:
    answer = plugin.ask(acting({"ticketId": "T-1"}))
    assert answer.logs == [Log("info", "acting for casey")]
    assert answer.instructions < 10_000_000
