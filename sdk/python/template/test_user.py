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


def of(user: dict[str, Any]) -> dict[str, Any]:
    return {"context": {"user": {"id": "u1", **user}}}


@pytest.mark.parametrize("name", ["Casey Jones", "Ünïcode", "x" * 1000])
def test_any_name_becomes_the_claim(plugin: Plugin, name: str) -> None:
    assert plugin.ask(of({"name": name})).claims == {"display_name": name}


def test_without_a_name_and_a_username_it_is_the_id(plugin: Plugin) -> None:
    assert plugin.ask(of({})).claims == {"display_name": "u1"}


def test_the_log_names_the_user_and_it_takes_few_instructions(plugin: Plugin) -> None:
    answer = plugin.ask(of({"name": "Casey Jones"}))
    assert answer.logs == [Log("info", "claims for u1")]
    assert answer.instructions < 10_000_000
