"""The addition to the plugin contract: a host function, under the next minor version."""

import re

INTERFACE = """package claimsmith:plugin@{version};

/// The addition.
interface addition {{
  /// The number of characters of a text.
  characters: func(text: string) -> u32;
}}
"""

IMPLEMENTATION = """impl addition::Host for Guest {
    fn characters(&mut self, text: String) -> wasmtime::Result<u32> {
        Ok(u32::try_from(text.chars().count())?)
    }
}

"""

WORLDS = ("claims", "message", "webhook-transform")


def host_function(add):
    # The page has prose about each interface, and the version is published when it is complete.
    add.leave("sdk/docs/contract.md", "wit/publish")
    version = re.search(r"^package claimsmith:plugin@(.*);$", add.read("wit/types.wit"), re.MULTILINE)[1]
    major, minor, _ = version.split(".")
    following = f"{major}.{int(minor) + 1}.0"
    for name in add.names("wit", ".wit"):
        add.replace(f"wit/{name}", "package claimsmith:plugin@", version, following)
    add.create("wit/addition.wit", INTERFACE.format(version=following))
    for world in WORLDS:
        add.after(f"wit/{world}.wit", "  import log;", "  import addition;\n")

    runtime = "sdk/runtime/src"
    add.lengthen(f"{runtime}/wit.rs", "pub const WIT: [")
    add.before(
        f"{runtime}/wit.rs", '("claims.wit", include_str!(',
        '    ("addition.wit", include_str!("../../../wit/addition.wit")),\n')
    # The worlds have the types of the first one in common.
    add.after(
        f"{runtime}/bindings.rs", '"claimsmith:plugin/log": super::claims::',
        '            "claimsmith:plugin/addition": super::claims::claimsmith::plugin::addition,\n', every=True)
    add.lengthen(f"{runtime}/linker.rs", "const INTERFACES: [")
    add.replace(
        f"{runtime}/linker.rs", "const INTERFACES: [", '"claimsmith:plugin/random"]',
        '"claimsmith:plugin/random", "claimsmith:plugin/addition"]')
    add.replace(f"{runtime}/guest.rs", "claims::claimsmith::plugin::{cache, ", "{cache, ", "{addition, cache, ")
    add.before(f"{runtime}/guest.rs", "impl random::Host for Guest {", IMPLEMENTATION)

    for interface in ("log", "random"):
        name = f"claimsmith:plugin/{interface}@"
        add.replace(f"{runtime}/componentize.rs", name, version, following)
    scripts = f"{runtime}/javascript/guest"
    for name in add.names(scripts, ".js"):
        if f"@{version}" in add.read(f"{scripts}/{name}"):
            add.replace(f"{scripts}/{name}", f"@{version}", version, following)
