//! What screens say of applications, and where they are.

use crate::caller::{Caller, segment};
use crate::failure::Failure;
use claimsmith_api::applications::{ApplicationDetails, ApplicationView};
use claimsmith_domain::documents::application::ApplicationType;
use claimsmith_domain::documents::client_authentication::{AuthMethod, ClientAssertionAudience};

/// Ids of the applications that are part of the server.
const BUILT_IN: [&str; 2] = ["claimsmith-console", "claimsmith-cli"];

/// All types, in the order in which the console offers them.
pub(super) const TYPES: [ApplicationType; 4] =
    [ApplicationType::Spa, ApplicationType::Traditional, ApplicationType::Native, ApplicationType::MachineToMachine];

/// What screens say of a type of applications.
pub(super) trait TypeFacts {
    /// The title for display.
    fn title(self) -> &'static str;
    /// A sentence that helps to choose the type.
    fn describe(self) -> &'static str;
    /// Whether users sign in with it.
    fn has_users(self) -> bool;
}

impl TypeFacts for ApplicationType {
    fn title(self) -> &'static str {
        match self {
            Self::Spa => "Single-page application",
            Self::Traditional => "Web application",
            Self::Native => "Native application",
            Self::MachineToMachine => "Machine-to-machine",
        }
    }

    fn describe(self) -> &'static str {
        match self {
            Self::Spa => "Runs in the browser alone, such as React or Vue. It has no secret; PKCE protects its codes.",
            Self::Traditional => {
                "Runs on a server that keeps a session, such as Next.js, Django or Spring. It has a secret."
            }
            Self::Native => "Runs on a phone, a desktop, a television or a command line. It has no secret.",
            Self::MachineToMachine => {
                "A program that calls an API in its own name, with nobody signed in. It has a secret."
            }
        }
    }

    fn has_users(self) -> bool {
        self != Self::MachineToMachine
    }
}

/// What screens say of an application.
pub(super) trait ApplicationFacts {
    /// Its type.
    fn kind(&self) -> ApplicationType;
    /// The path of its page.
    fn page(&self) -> String;
    /// Whether it is part of the server and cannot be changed.
    fn is_built_in(&self) -> bool;
    /// Its registered redirect URIs.
    fn redirect_uris(&self) -> &[String];
    /// Whether it authenticates only with a key (`private_key_jwt`).
    fn has_keys_alone(&self) -> bool;
    /// Whether it authenticates only with a secret in the body (`client_secret_post`).
    fn sends_secret_in_body(&self) -> bool;
    /// Whether its client assertions may name an endpoint as audience instead of the issuer.
    fn has_legacy_audience(&self) -> bool;
    /// Whether it uses the device flow (RFC 8628).
    fn is_device(&self) -> bool;
}

impl ApplicationFacts for ApplicationView {
    fn kind(&self) -> ApplicationType {
        self.r#type
    }

    fn page(&self) -> String {
        page_of(&self.id)
    }

    fn is_built_in(&self) -> bool {
        BUILT_IN.contains(&self.id.as_str())
    }

    fn redirect_uris(&self) -> &[String] {
        &self.oidc_client_metadata.redirect_uris
    }

    fn has_keys_alone(&self) -> bool {
        self.oidc_client_metadata.token_endpoint_auth_method == Some(AuthMethod::PrivateKeyJwt)
    }

    fn sends_secret_in_body(&self) -> bool {
        self.oidc_client_metadata.token_endpoint_auth_method == Some(AuthMethod::ClientSecretPost)
    }

    fn has_legacy_audience(&self) -> bool {
        self.custom_client_metadata.client_assertion_audience == Some(ClientAssertionAudience::Legacy)
    }

    fn is_device(&self) -> bool {
        self.custom_client_metadata.is_device_flow == Some(true)
    }
}

/// Reads an application.
pub(super) async fn read(caller: &Caller, id: &str) -> Result<ApplicationDetails, Failure> {
    caller.get(&path_of(id)).await
}

/// The API path of an application.
pub(super) fn path_of(id: &str) -> String {
    format!("/api/applications/{}", segment(id))
}

/// The path of an application's page.
pub(super) fn page_of(id: &str) -> String {
    format!("/console/applications/{}", segment(id))
}
