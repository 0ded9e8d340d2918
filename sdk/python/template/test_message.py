"""Tests of {{name}}: pytest"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from claimsmith_testing import Plugin, open_plugin


@pytest.fixture(scope="module")
def plugin() -> Iterator[Plugin]:
    with open_plugin(Path(__file__).parent.parent) as plugin:
        yield plugin


def message(text: str, channel: str = "Sms") -> dict[str, Any]:
    return {"channel": channel, "recipient": "+16502530000", "code": "123456", "content": {"text": text}}


def test_any_text_is_sent_as_it_is(plugin: Plugin) -> None:
    for text in ("Your code: 123456", 'Ünïcode "quoted" 🧮', "x" * 1000):
        answer = plugin.ask({"message": message(text)})
        assert answer.url == "https://sms.example.com/messages"
        assert json.loads(answer.body or "")["text"] == text


def test_the_key_is_in_the_header_alone(plugin: Plugin) -> None:
    answer = plugin.ask({"message": message("Hello"), "environmentVariables": {"API_KEY": "correct-horse"}})
    assert answer.headers["authorization"] == "Bearer correct-horse"
    assert "correct-horse" not in f"{answer.url} {answer.body}"


def test_emails_are_not_for_this_provider(plugin: Plugin) -> None:
    assert plugin.ask({"message": message("Hello", "Email")}).denied == "This provider sends text messages only."
