"""Reads the section "To add something" of docs/architecture.md: the paths that each of its items names."""

import os
import re

from tree import Failed

PAGE = "docs/architecture.md"
HEADING = "## To add something"
# The items below are rarer, and no addition is made of them.
END = "Less often:"

ITEM = re.compile(r"^- \*\*(?P<heading>[^*]+)\*\*")
# What is in backticks, and the targets of links to other pages.
NAME = re.compile(r"`(?P<code>[^`]+)`|\]\((?P<link>[^)#:]+)(?:#[^)]*)?\)")


class Named:
    """The files and folders that an item names, relative to the root."""

    def __init__(self):
        self.files = set()
        self.folders = set()


def items(root):
    """The items of the section by their bold heading, each with the paths that it names."""
    text = (root / PAGE).read_text(encoding="utf-8")
    section = text.partition(f"\n{HEADING}\n")[2].partition(f"\n{END}\n")[0]
    if not section:
        raise Failed(f"{PAGE} has no section {HEADING!r} that ends with {END!r}")
    found, heading = {}, None
    for line in section.splitlines():
        start = ITEM.match(line)
        if start:
            heading = start["heading"]
            found[heading] = []
        if heading:
            found[heading].append(line)
    return {heading: _paths(root, heading, "\n".join(lines)) for heading, lines in found.items()}


def _paths(root, heading, text):
    """The paths in the text of an item. A name that is no path from the root belongs to the folder named last."""
    named, folder = Named(), ""
    for match in NAME.finditer(text):
        if match["link"]:
            path = os.path.normpath(os.path.join(os.path.dirname(PAGE), match["link"]))
        else:
            name = match["code"]
            candidates = [name, os.path.join(folder, name)]
            path = next((path for path in candidates if _is_path(root, path)), None)
            if path is None:
                # Code has no slash, and commands have a space.
                if "/" in name and " " not in name:
                    raise Failed(f"{heading}: {PAGE} names {name}, which does not exist")
                continue
        if not _is_path(root, path):
            raise Failed(f"{heading}: {PAGE} names {path}, which does not exist")
        if (root / path).is_dir():
            named.folders.add(path)
            folder = path
        else:
            named.files.add(path)
            folder = os.path.dirname(path)
    return named


def _is_path(root, name):
    # `*` and the like are no names of files, and a name may be too long for one.
    return re.fullmatch(r"[\w./-]+", name) is not None and (root / name).exists()
