"""Lists what the binary is made of: every library that is linked into it or generates code of it, with its licence and
the text of the licence, from `cargo metadata`. Markdown, on standard output.

    licences.py TARGET          # x86_64-unknown-linux-gnu"""

import collections
import json
import pathlib
import re
import subprocess
import sys

TEXTS = re.compile(r"(licen[cs]e|copying|copyright|notice|unlicense)([-_.].*)?", re.IGNORECASE)
SOURCES = {".rs", ".py", ".html"}


def shipped(metadata):
    """The packages that the server's own package is built of, without those of tests."""
    nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
    packages = {package["id"]: package for package in metadata["packages"]}
    waiting, found = [metadata["resolve"]["root"]], set()
    while waiting:
        package = waiting.pop()
        if package in found:
            continue
        found.add(package)
        for dependency in nodes[package]["deps"]:
            # Build scripts run when it is compiled; nothing of them is in the binary.
            if any(kind["kind"] is None for kind in dependency["dep_kinds"]):
                waiting.append(dependency["pkg"])
    return sorted((packages[package] for package in found), key=lambda one: (one["name"], one["version"]))


def texts(package):
    """The texts of its licences, as its authors ship them, those of libraries in C within it too."""
    folder = pathlib.Path(package["manifest_path"]).parent
    files = [file for file in folder.rglob("*") if file.is_file() and TEXTS.fullmatch(file.name)]
    if package["license_file"]:
        files.append(folder / package["license_file"])
    kept = sorted({file.resolve() for file in files if file.suffix not in SOURCES})
    return [file.read_text(encoding="utf-8", errors="replace").replace("\r\n", "\n").strip() for file in kept]


def main():
    command = ["cargo", "metadata", "--format-version", "1", "--locked", "--filter-platform", sys.argv[1]]
    metadata = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
    members = set(metadata["workspace_members"])
    packages = [package for package in shipped(metadata) if package["id"] not in members and package["source"]]
    users, spelled = collections.defaultdict(list), {}
    print("# Third-party licences\n")
    print("The libraries in the program, and below them the texts of their licences as their authors ship them.\n")
    print("| library | version | licence |\n|---|---|---|")
    for package in packages:
        licence = package["license"] or "see its text"
        print(f"| {package['name']} | {package['version']} | {licence} |")
        for text in texts(package):
            # Most differ in their line breaks alone.
            words = " ".join(text.split())
            spelled.setdefault(words, text)
            name = f"{package['name']} {package['version']}"
            if name not in users[words]:
                users[words].append(name)
    for words, names in sorted(users.items(), key=lambda one: one[1]):
        text = spelled[words]
        fence = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", text)), default=0))
        print(f"\n## {', '.join(names)}\n\n{fence}text\n{text}\n{fence}")


main()
