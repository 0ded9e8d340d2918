"""Tests of {{name}}: pytest"""

from collections.abc import Iterator
from pathlib import Path

import pytest
from claimsmith_testing import Plugin, open_plugin

INPUT = {"context": {"user": {"id": "u1"}}}
URL = "https://plans.example.com/plan?user=u1"


@pytest.fixture(scope="module")
def plugin() -> Iterator[Plugin]:
    with open_plugin(Path(__file__).parent.parent) as plugin:
        yield plugin


@pytest.mark.parametrize("plan", ["free", "gold"])
def test_every_plan_becomes_the_claim(plugin: Plugin, plan: str) -> None:
    assert plugin.ask(INPUT, http=[{"url": URL, "body": {"plan": plan}}]).claims == {"plan": plan}


@pytest.mark.parametrize("plan", ["free", "gold"])
def test_an_answer_that_was_kept_is_not_asked_for_again(plugin: Plugin, plan: str) -> None:
    kept = {"owner": "user", "key": "plan", "value": plan}
    assert plugin.ask(INPUT, cache=[kept]).claims == {"plan": plan}


@pytest.mark.parametrize("status", [404, 500])
def test_a_server_that_has_a_bad_day_costs_the_claim_alone(plugin: Plugin, status: int) -> None:
    assert plugin.ask(INPUT, http=[{"url": URL, "status": status}]).claims == {}
