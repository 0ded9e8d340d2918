//! Quickstart code: complete small programs for each framework, and for APIs that receive tokens.
//!
//! Only the environment file of a program has placeholders, so the code of all applications is the same. Everything
//! offered here is run as the console renders it by `tests/snippets/run`; what is not run there is not offered.

mod frameworks;
mod id_tokens;
mod protected_apis;
mod values;

pub(crate) use frameworks::{find, of};
pub(crate) use protected_apis::PROTECTED_APIS;
pub(crate) use values::Values;

use claimsmith_domain::documents::application::ApplicationType;
use url::Url;

/// A small program that signs users in or requests a token, and calls an API with the token.
pub(crate) struct Framework {
    /// The value of `with` in URLs. Unique among all types.
    pub(crate) id: &'static str,
    /// The name for display.
    pub(crate) title: &'static str,
    /// The type of application that it needs.
    pub(crate) kind: ApplicationType,
    /// The redirect URI on a developer's machine; empty if the flow has none.
    pub(crate) redirect_uri: &'static str,
    /// Where users return after signing out; empty if there is no such page.
    pub(crate) post_logout_uri: &'static str,
    /// The program.
    pub(crate) program: Program,
}

impl Framework {
    /// Whether it signs users in on another device (RFC 8628).
    pub(crate) fn is_device_flow(&self) -> bool {
        self.id == "device"
    }
}

/// Files and the commands that run them.
pub(crate) struct Program {
    /// Shell commands, to be run in the folder of the files. The last line starts it; the others install what it needs.
    pub(crate) commands: &'static str,
    /// Paths and contents of the files. The first one is the environment file, the only one with placeholders.
    pub(crate) files: &'static [(&'static str, &'static str)],
}

impl Program {
    /// What must be installed before the commands are run.
    pub(crate) fn requirement(&self) -> &'static str {
        match self.commands.split_whitespace().next() {
            Some("npm" | "node") => "Node.js 20.19 or later",
            Some("python3") => "Python 3.11 or later",
            Some("go") => "Go 1.24 or later",
            Some("mvn") => "JDK 17 or later, and Maven",
            Some("cargo") => "a current Rust toolchain",
            _ => "Bash and curl",
        }
    }

    /// Whether it is built with libraries, whose versions the commands or a file name.
    pub(crate) fn has_libraries(&self) -> bool {
        !self.commands.starts_with("bash ")
    }
}

/// The host of a base URL below `localhost`, such as `login.localhost`: browsers resolve it to this machine, and other
/// programs only if the system does (RFC 6761, section 6.3).
pub(crate) fn name_below_localhost(base_url: &str) -> Option<String> {
    let url = Url::parse(base_url).ok()?;
    url.host_str().filter(|host| host.ends_with(".localhost")).map(str::to_owned)
}

/// An API that checks the access tokens that it receives.
pub(crate) struct ProtectedApi {
    /// The value of `with` in URLs.
    pub(crate) id: &'static str,
    /// The name for display.
    pub(crate) title: &'static str,
    /// The program.
    pub(crate) program: Program,
}

/// A program of a folder of templates: its environment file, its files, and `commands`.
macro_rules! program {
    ($env:literal as $name:literal, $folder:literal: $($path:literal),+) => {
        Program {
            commands: include_str!(concat!("../templates/quickstart/", $folder, "/commands.txt")),
            files: &[
                ($name, include_str!(concat!("../templates/quickstart/env/", $env, ".txt"))),
                $(($path, include_str!(concat!("../templates/quickstart/", $folder, "/", $path, ".txt")))),+
            ],
        }
    };
}
use program;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_below_localhost_are_the_ones_that_programs_may_not_resolve() {
        for (base_url, expected) in [
            ("http://login.localhost:4321", Some("login.localhost")),
            ("http://localhost:3001", None),
            ("http://127.0.0.1:3001/id", None),
            ("https://notlocalhost", None),
            ("https://id.example.com/localhost", None),
        ] {
            assert_eq!(name_below_localhost(base_url).as_deref(), expected, "{base_url}");
        }
    }
}
