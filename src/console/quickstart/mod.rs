//! Quickstart code: complete small programs for each framework, and for APIs that receive tokens.
//!
//! Only the environment file of a program has placeholders, so the code of all applications is the same. Everything
//! offered here is run as the console renders it by `tests/snippets/run`; what is not run there is not offered.

mod frameworks;
mod protected_apis;
mod values;

pub(crate) use frameworks::{find, of};
pub(crate) use protected_apis::PROTECTED_APIS;
pub(crate) use values::Values;

use claimsmith_domain::documents::application::ApplicationType;

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
