"""Keeps the requests from taking away the rights that they are made with, ids that are found in answers being tried like
any other, and keeps the search itself from failing."""

import os

import schemathesis
from hypothesis.internal.conjecture.engine import ConjectureRunner

# Hypothesis climbs hills where a library gives it scores; on some schemas it loses its own way there (an IndexError in its
# optimiser). Requests are made up all the same without it.
ConjectureRunner.optimise_targets = lambda self, *arguments, **options: None

PROTECTED = os.environ["CLAIMSMITH_PROTECTED"].split()


@schemathesis.hook
def filter_case(context, case):
    if case.method.upper() == "GET":
        return True
    path = case.formatted_path
    return not any(identifier in path for identifier in PROTECTED)
