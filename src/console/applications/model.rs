//! Applications as the API describes them.

use crate::caller::{Caller, segment};
use crate::failure::Failure;
use crate::json::texts;
use serde::Deserialize;
use serde_json::Value;

/// Ids of the applications that are part of the server.
const BUILT_IN: [&str; 2] = ["claimsmith-console", "claimsmith-cli"];

/// An application.
#[derive(Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Application {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) description: Option<String>,
    #[serde(rename = "type")]
    pub(super) kind: ApplicationType,
    pub(super) is_third_party: bool,
    pub(super) is_admin: bool,
    pub(super) created_at: i64,
    pub(super) custom_data: Value,
    pub(super) oidc_client_metadata: Value,
    pub(super) custom_client_metadata: Value,
    /// Present only in the response that creates the application.
    pub(super) secret: Option<String>,
}

/// The application types.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
pub(super) enum ApplicationType {
    #[serde(rename = "SPA")]
    SinglePage,
    #[default]
    Traditional,
    Native,
    MachineToMachine,
}

impl ApplicationType {
    /// All types, in the order in which the console offers them.
    pub(super) const ALL: [Self; 4] = [Self::SinglePage, Self::Traditional, Self::Native, Self::MachineToMachine];

    /// The name in the API.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::SinglePage => "SPA",
            Self::Traditional => "Traditional",
            Self::Native => "Native",
            Self::MachineToMachine => "MachineToMachine",
        }
    }

    /// The type of an API name.
    pub(super) fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// The title for display.
    pub(super) fn title(self) -> &'static str {
        match self {
            Self::SinglePage => "Single-page application",
            Self::Traditional => "Web application",
            Self::Native => "Native application",
            Self::MachineToMachine => "Machine-to-machine",
        }
    }

    /// A sentence that helps to choose the type.
    pub(super) fn describe(self) -> &'static str {
        match self {
            Self::SinglePage => {
                "Runs in the browser alone, such as React or Vue. It has no secret; PKCE protects its codes."
            }
            Self::Traditional => {
                "Runs on a server that keeps a session, such as Next.js, Django or Spring. It has a secret."
            }
            Self::Native => "Runs on a phone, a desktop, a television or a command line. It has no secret.",
            Self::MachineToMachine => {
                "A program that calls an API in its own name, with nobody signed in. It has a secret."
            }
        }
    }

    /// Whether users sign in with it.
    pub(super) fn has_users(self) -> bool {
        self != Self::MachineToMachine
    }

    /// Whether it can keep a secret (a confidential client).
    pub(super) fn is_confidential(self) -> bool {
        matches!(self, Self::Traditional | Self::MachineToMachine)
    }
}

impl Application {
    /// Reads an application.
    pub(super) async fn read(caller: &Caller, id: &str) -> Result<Self, Failure> {
        caller.get(&path_of(id)).await
    }

    /// The path of its page.
    pub(super) fn page(&self) -> String {
        page_of(&self.id)
    }

    /// Whether it is part of the server and cannot be changed.
    pub(super) fn is_built_in(&self) -> bool {
        BUILT_IN.contains(&self.id.as_str())
    }

    /// Its registered redirect URIs.
    pub(super) fn redirect_uris(&self) -> Vec<&str> {
        texts(&self.oidc_client_metadata["redirectUris"])
    }

    /// Whether it authenticates only with a key (`private_key_jwt`).
    pub(super) fn has_keys_alone(&self) -> bool {
        self.oidc_client_metadata["tokenEndpointAuthMethod"] == "private_key_jwt"
    }

    /// Whether its client assertions may name an endpoint as audience instead of the issuer.
    pub(super) fn has_legacy_audience(&self) -> bool {
        self.custom_client_metadata["clientAssertionAudience"] == "legacy"
    }

    /// Whether it uses the device flow (RFC 8628).
    pub(super) fn is_device(&self) -> bool {
        self.custom_client_metadata["isDeviceFlow"] == true
    }
}

/// The API path of an application.
pub(super) fn path_of(id: &str) -> String {
    format!("/api/applications/{}", segment(id))
}

/// The path of an application's page.
pub(super) fn page_of(id: &str) -> String {
    format!("/console/applications/{}", segment(id))
}
