"""Tests of {{name}}: pytest"""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from claimsmith_testing import Plugin, open_plugin


@pytest.fixture(scope="module")
def plugin() -> Iterator[Plugin]:
    with open_plugin(Path(__file__).parent.parent) as plugin:
        yield plugin


def test_whatever_is_known_of_a_user_receivers_are_told_the_id(plugin: Plugin) -> None:
    data = {"id": "u2", "username": "ada", "primaryEmail": "ada@example.com"}
    answer = plugin.ask({"event": {"event": "User.Created", "data": data}})
    assert json.loads(answer.body or "") == {"event": "User.Created", "data": {"id": "u2"}}
    assert answer.headers == {"x-environment": "live"}
    assert answer.path == "users"


def test_the_robot_is_dropped(plugin: Plugin) -> None:
    answer = plugin.ask({"event": {"event": "User.Created", "data": {"username": "test-robot"}}})
    assert answer.drop_reason == "the test robot is nobody's customer"


def test_it_takes_few_instructions(plugin: Plugin) -> None:
    assert plugin.ask({"event": {"event": "User.Deleted", "data": None}}).instructions < 1_000_000
