"""What a claims plugin keeps for its later calls, as JSON.

``[capabilities.cache]`` of the settings must declare it. An entry may be gone at any time.
"""

import json
from typing import Any, Literal

from componentize_py_types import Err
from wit_world.imports import cache as host

__all__ = ["CacheError", "Owner", "get", "set"]

type Owner = Literal["user", "application", "everybody"]
"""
Whose an entry is. The server adds the id, so that no call reaches an entry of another user or application.
"""

_OWNERS = {"user": host.Owner.USER, "application": host.Owner.APPLICATION, "everybody": host.Owner.EVERYBODY}


class CacheError(Exception):
    """Not granted, too large, or of an owner that this call does not have."""


def get(owner: Owner, key: str, default: Any = None) -> Any:
    """What was stored under this key, or the default where there is no such entry."""
    try:
        found = host.get(_OWNERS[owner], key)
    except Err as error:
        raise CacheError(error.value) from None
    return default if found is None else json.loads(found)


def set(owner: Owner, key: str, value: Any, *, seconds: int) -> None:
    """Stores a value for this many seconds, from 1 to 3600, in the place of what was there."""
    # The contract's number is unsigned.
    if not 1 <= seconds <= 3600:
        raise CacheError(f"an entry lasts from 1 to 3600 seconds, not {seconds}")
    try:
        host.set(_OWNERS[owner], key, json.dumps(value).encode(), seconds)
    except Err as error:
        raise CacheError(error.value) from None
