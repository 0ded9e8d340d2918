"""Edits the copy of the tree, and refuses edits of files that the section does not name for the addition."""

import os
import re

# Their lines list the modules of a folder, so naming the folder names them.
MODULES = ("lib.rs", "main.rs", "mod.rs")


class Failed(Exception):
    """Why the section or an addition is wrong."""


class Addition:
    """One addition: its edits, and the paths that its item of the section names."""

    def __init__(self, root, heading, named):
        self.root = root
        self.heading = heading
        self.named = named
        self.touched = set()
        self.left = set()

    def leave(self, *files):
        """Files that the item names, and that the smallest addition does not need: it is not called, has no prose, or a
        command of the server writes it."""
        self.left.update(files)

    def create(self, file, text):
        """A new file."""
        self._check_named(f"{file} or a folder of it", self._creates(file), file)
        path = self.root / file
        if path.exists():
            raise Failed(f"{self.heading}: {file} exists already")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def copy(self, source, file):
        """A new file with the text of another one."""
        self.create(file, self.read(source))

    def before(self, file, anchor, text):
        """Inserts lines before the first line that contains the anchor."""
        self._edit(file, anchor, lambda line: text + line)

    def after(self, file, anchor, text, every=False):
        """Inserts lines after the first line that contains the anchor, or after every one."""
        self._edit(file, anchor, lambda line: line + text, every)

    def replace(self, file, anchor, old, new):
        """Replaces a part of the first line that contains the anchor."""

        def replaced(line):
            if old not in line:
                raise Failed(f"{self.heading}: {file}: the line with {anchor!r} does not contain {old!r}")
            return line.replace(old, new, 1)

        self._edit(file, anchor, replaced)

    def lengthen(self, file, anchor):
        """Adds one to the length of the array whose type is on the first line that contains the anchor."""

        def longer(line):
            changed, count = re.subn(r"; (\d+)\]", lambda length: f"; {int(length[1]) + 1}]", line, count=1)
            if count == 0:
                raise Failed(f"{self.heading}: {file}: the line with {anchor!r} has no length of an array")
            return changed

        self._edit(file, anchor, longer)

    def read(self, file):
        """The text of a file, as the additions so far left it."""
        return (self.root / file).read_text(encoding="utf-8")

    def names(self, folder, suffix):
        """The files of a folder with this suffix, sorted."""
        return sorted(path.name for path in (self.root / folder).iterdir() if path.name.endswith(suffix))

    def finish(self):
        """Checks that the item names no file that the addition neither touches nor leaves."""
        unused = sorted(self.named.files - self.touched - self.left)
        if unused:
            raise Failed(f"{self.heading}: the item names {', '.join(unused)}, which its addition does not touch")
        wrong = sorted(self.left - self.named.files) + sorted(self.left & self.touched)
        if wrong:
            raise Failed(f"{self.heading}: the addition leaves {', '.join(wrong)}, which is not named, or touched")

    def _edit(self, file, anchor, change, every=False):
        self._check_named(file, self._edits(file), file)
        if not (self.root / file).is_file():
            raise Failed(f"{self.heading}: {file} does not exist")
        lines = self.read(file).splitlines(keepends=True)
        found = [index for index, line in enumerate(lines) if anchor in line]
        if not found:
            raise Failed(f"{self.heading}: {file} has no line that contains the anchor {anchor!r}")
        for index in found if every else found[:1]:
            lines[index] = change(lines[index])
        (self.root / file).write_text("".join(lines), encoding="utf-8")

    def _edits(self, file):
        """Whether a file may be edited: it is named, its folder is, or it lists the modules of a named folder."""
        folder, name = os.path.split(file)
        in_named = any(_is_within(folder, named) for named in self.named.folders)
        return file in self.named.files or folder in self.named.folders or (name in MODULES and in_named)

    def _creates(self, file):
        """Whether a file may be created: in a named folder or below, or in the folder of a named module."""
        folder = os.path.dirname(file)
        modules = {path.removesuffix("/mod.rs").removesuffix(".rs") for path in self.named.files}
        return folder in modules or any(_is_within(folder, named) for named in self.named.folders)

    def _check_named(self, name, is_named, file):
        if not is_named:
            raise Failed(f"{self.heading}: its item in docs/architecture.md does not name {name}")
        self.touched.add(file)


def _is_within(folder, named):
    return f"{folder}/".startswith(f"{named}/")
