//! What the Management API answers about people, roles, resources and organizations, as far as several screens show it.

use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// The ids of the console's own roles begin like this.
const CONSOLE_ROLE: &str = "claimsmith-console-role-";
/// The id of the console's own resource.
const CONSOLE_RESOURCE: &str = "claimsmith-console";

/// A user.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct User {
    pub(crate) id: String,
    pub(crate) username: Option<String>,
    pub(crate) primary_email: Option<String>,
    pub(crate) primary_phone: Option<String>,
    pub(crate) name: Option<String>,
    pub(crate) avatar: Option<String>,
    pub(crate) custom_data: Map<String, Value>,
    pub(crate) profile: Map<String, Value>,
    pub(crate) identities: BTreeMap<String, Identity>,
    pub(crate) sso_identities: Vec<SsoIdentity>,
    pub(crate) application_id: Option<String>,
    pub(crate) is_suspended: bool,
    pub(crate) has_password: bool,
    pub(crate) last_sign_in_at: Option<i64>,
    pub(crate) created_at: i64,
    pub(crate) updated_at: i64,
    /// In the list of an organization's members.
    pub(crate) organization_roles: Vec<IdAndName>,
}

impl User {
    /// How they are called: their name, user name, address, number or id.
    pub(crate) fn title(&self) -> &str {
        let names = [&self.name, &self.username, &self.primary_email, &self.primary_phone];
        names.into_iter().flatten().find(|name| !name.trim().is_empty()).map_or(&self.id, String::as_str)
    }

    /// The first letter of that.
    pub(crate) fn initial(&self) -> String {
        self.title()
            .chars()
            .find(|letter| letter.is_alphanumeric())
            .map(|letter| letter.to_uppercase().to_string())
            .unwrap_or_default()
    }

    /// The number as people dial it.
    pub(crate) fn phone(&self) -> Option<String> {
        self.primary_phone.as_ref().map(|phone| format!("+{phone}"))
    }

    /// What they can sign in with: user name, address, number.
    pub(crate) fn identifiers(&self) -> Vec<&str> {
        [&self.username, &self.primary_email, &self.primary_phone].into_iter().flatten().map(String::as_str).collect()
    }
}

/// An account elsewhere.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Identity {
    pub(crate) user_id: String,
    pub(crate) details: Map<String, Value>,
}

/// An account at an enterprise's provider.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct SsoIdentity {
    pub(crate) issuer: String,
    pub(crate) identity_id: String,
    pub(crate) sso_connector_id: String,
}

/// Something that is shown by its name.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct IdAndName {
    pub(crate) id: String,
    pub(crate) name: String,
}

/// A role of users or of machines.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Role {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) description: String,
    #[serde(rename = "type")]
    pub(crate) kind: String,
    pub(crate) is_default: bool,
    pub(crate) users_count: u64,
    pub(crate) applications_count: u64,
}

impl Role {
    /// Whether applications hold it, not users.
    pub(crate) fn is_for_machines(&self) -> bool {
        self.kind == "MachineToMachine"
    }

    /// Whether it is one of those that make people administrators.
    pub(crate) fn is_of_console(&self) -> bool {
        self.id.starts_with(CONSOLE_ROLE)
    }

    /// Whether nobody can change it.
    pub(crate) fn is_built_in(&self) -> bool {
        self.fixed().is_some()
    }

    /// Why it cannot be changed, if it cannot.
    pub(crate) fn fixed(&self) -> Option<&'static str> {
        if self.is_of_console() {
            Some(
                "This role is built in: whoever holds it administers this server. It cannot be changed, only given and taken.",
            )
        } else if self.name.starts_with("#internal:") {
            Some("This role is the server's own. It cannot be changed.")
        } else {
            None
        }
    }
}

/// An API that is protected.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Resource {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) indicator: String,
    pub(crate) is_default: bool,
    pub(crate) access_token_ttl: i64,
    pub(crate) scopes: Vec<Scope>,
}

impl Resource {
    /// Whether its scopes are what makes people administrators.
    pub(crate) fn is_of_console(&self) -> bool {
        self.id == CONSOLE_RESOURCE
    }

    /// Why it cannot be changed, if it cannot.
    pub(crate) fn fixed(&self, base_url: &str) -> Option<&'static str> {
        if self.is_of_console() {
            Some("This resource is built in: its scopes are what makes people administrators of this server.")
        } else if self.indicator == format!("{base_url}/api") {
            Some("This resource is built in: it is the Management API of this server. Only machines get its scopes.")
        } else {
            None
        }
    }
}

/// A permission at a resource, or within organizations.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Scope {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) description: Option<String>,
    pub(crate) resource_id: String,
}

impl Scope {
    /// What it allows, in words; empty if nobody has said.
    pub(crate) fn about(&self) -> &str {
        self.description.as_deref().unwrap_or_default()
    }
}

/// An application.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Application {
    pub(crate) id: String,
    pub(crate) name: String,
    #[serde(rename = "type")]
    pub(crate) kind: String,
    pub(crate) oidc_client_metadata: ClientMetadata,
    /// In the list of an organization's applications.
    pub(crate) organization_roles: Vec<IdAndName>,
}

/// Where an application gets its answers.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct ClientMetadata {
    pub(crate) redirect_uris: Vec<String>,
}

/// An organization.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Organization {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) description: Option<String>,
    pub(crate) custom_data: Map<String, Value>,
    pub(crate) branding: Map<String, Value>,
    pub(crate) color: Map<String, Value>,
    pub(crate) custom_css: Option<String>,
    pub(crate) is_mfa_required: bool,
    pub(crate) created_at: i64,
    pub(crate) users_count: u64,
    /// In the list of a user's organizations.
    #[serde(rename = "organizationRoles")]
    pub(crate) roles: Vec<IdAndName>,
}

/// A role within organizations.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct OrganizationRole {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) description: Option<String>,
    #[serde(rename = "type")]
    pub(crate) kind: String,
    pub(crate) scopes: Vec<IdAndName>,
    pub(crate) resource_scopes: Vec<IdAndName>,
}

impl OrganizationRole {
    /// Whether applications hold it, not users.
    pub(crate) fn is_for_machines(&self) -> bool {
        self.kind == "MachineToMachine"
    }

    /// What it is for, in words; empty if nobody has said.
    pub(crate) fn about(&self) -> &str {
        self.description.as_deref().unwrap_or_default()
    }

    /// Whether it allows this.
    pub(crate) fn has(&self, scope_id: &str) -> bool {
        self.scopes.iter().any(|scope| scope.id == scope_id)
    }
}
