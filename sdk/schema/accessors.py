"""Writes for C and C++ what other languages have as types: a function for each member of each object of the schema. Their
values stay JSON text, so that a plugin brings no parser along. What a plugin answers is a structure of texts.

    accessors.py c|cpp SCHEMA
"""

import json
import re
import sys
from collections.abc import Iterator

# These are records of the contract, which the bindings hold.
RECORDS = {"ClaimsRequest", "Context", "Grant", "Delivery", "OutgoingMessage"}
# These are records, too, and made by plugins. C makes those of the bindings.
ANSWERS = {"Changed", "Dropped", "MessageRequest"}


def snake(name: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


def ref(schema: dict) -> str | None:
    return schema["$ref"].rsplit("/", 1)[-1] if "$ref" in schema else None


def in_order(definitions: dict) -> Iterator[tuple[str, dict]]:
    """Objects, each after those that it names."""
    done: set[str] = RECORDS | ANSWERS

    def visit(name: str) -> Iterator[tuple[str, dict]]:
        if name in done or "properties" not in definitions[name]:
            return
        done.add(name)
        for member in definitions[name]["properties"].values():
            if named := ref(member):
                yield from visit(named)
        yield name, definitions[name]

    for name in definitions:
        yield from visit(name)


def comment(schema: dict, *, before: str = "", after: str = "") -> str:
    return f"{before}{schema['description']}{after}" if "description" in schema else ""


def c(definitions: dict) -> Iterator[str]:
    yield '#pragma once\n\n#include "claimsmith.h"'
    for name, schema in in_order(definitions):
        yield f"\n/* {name}{comment(schema, before=': ')} */"
        for member, described in schema["properties"].items():
            if told := comment(described, before="/* ", after=" */"):
                yield told
            head = f"cs_text cs_{snake(name)}_{snake(member)}(cs_text {snake(name)})"
            yield f'static inline {head} {{ return cs_member({snake(name)}, "{member}"); }}'


def cpp(definitions: dict) -> Iterator[str]:
    yield "#pragma once\n\n#include <utility>\n#include <vector>\n"
    yield '#include "claimsmith.hpp"\n\nnamespace claimsmith {'
    for name, schema in in_order(definitions):
        yield f"\n{comment(schema, before='// ', after=chr(10))}struct {name} : Json {{"
        for member, described in schema["properties"].items():
            if told := comment(described, before="  // "):
                yield told
            kind = ref(described) if ref(described) in definitions else None
            if kind and "properties" in definitions[kind]:
                yield f'  std::optional<{kind}> {snake(member)}() const {{ return as<{kind}>("{member}"); }}'
            else:
                yield f'  std::optional<Json> {snake(member)}() const {{ return member("{member}"); }}'
        yield "};"
    for name in sorted(ANSWERS):
        yield from cpp_answer(name, definitions[name])
    yield "\n}  // namespace claimsmith"


def cpp_answer(name: str, schema: dict) -> Iterator[str]:
    yield f"\n{comment(schema, before='// ', after=chr(10))}struct {name} {{"
    for member, described in schema["properties"].items():
        kind = "std::string"
        if "additionalProperties" in described:
            kind = "std::vector<std::pair<std::string, std::string>>"
        elif member not in schema.get("required", []):
            kind = "std::optional<std::string>"
        if told := comment(described, before="  // "):
            yield told
        yield f"  {kind} {snake(member)};"
    yield "};"


if __name__ == "__main__":
    language, file = sys.argv[1:]
    with open(file, encoding="utf-8") as schema:
        print("\n".join({"c": c, "cpp": cpp}[language](json.load(schema)["$defs"])))
