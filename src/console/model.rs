//! API objects that several screens share: users, roles, resources and organizations.

use claimsmith_api::roles::RoleView;
use claimsmith_api::users::UserFields;
use claimsmith_domain::documents::role::RoleType;
use serde::Deserialize;
use serde_json::{Map, Value};

/// Prefix of the ids of the console's own roles.
const CONSOLE_ROLE: &str = "claimsmith-console-role-";
/// Id of the console's own resource.
const CONSOLE_RESOURCE: &str = "claimsmith-console";

/// What screens say of a user.
pub(crate) trait UserFacts {
    /// The display name: name, username, email, phone number or id.
    fn title(&self) -> &str;
    /// The initial of the display name.
    fn initial(&self) -> String;
    /// The phone number in international format.
    fn phone(&self) -> Option<String>;
    /// The identifiers for sign-in: username, email, phone number.
    fn identifiers(&self) -> Vec<&str>;
}

impl UserFacts for UserFields {
    fn title(&self) -> &str {
        let names = [&self.name, &self.username, &self.primary_email, &self.primary_phone];
        names.into_iter().flatten().find(|name| !name.trim().is_empty()).map_or(&self.id, String::as_str)
    }

    fn initial(&self) -> String {
        self.title()
            .chars()
            .find(|letter| letter.is_alphanumeric())
            .map(|letter| letter.to_uppercase().to_string())
            .unwrap_or_default()
    }

    fn phone(&self) -> Option<String> {
        self.primary_phone.as_ref().map(|phone| format!("+{phone}"))
    }

    fn identifiers(&self) -> Vec<&str> {
        [&self.username, &self.primary_email, &self.primary_phone].into_iter().flatten().map(String::as_str).collect()
    }
}

/// An object reduced to id and name.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct IdAndName {
    pub(crate) id: String,
    pub(crate) name: String,
}

/// What screens say of a role.
pub(crate) trait RoleFacts {
    /// Whether it is assigned to applications instead of users.
    fn is_for_machines(&self) -> bool;
    /// Whether it is a console role, which makes its holders administrators.
    fn is_of_console(&self) -> bool;
    /// Why it cannot be changed; none if it can.
    fn fixed(&self) -> Option<&'static str>;
    /// Whether it is built in and cannot be changed.
    fn is_built_in(&self) -> bool {
        self.fixed().is_some()
    }
}

impl RoleFacts for RoleView {
    fn is_for_machines(&self) -> bool {
        self.r#type == RoleType::MachineToMachine
    }

    fn is_of_console(&self) -> bool {
        self.id.starts_with(CONSOLE_ROLE)
    }

    fn fixed(&self) -> Option<&'static str> {
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

/// An API resource: a protected API with its scopes.
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
    /// Whether it is the console's own resource, whose scopes make users administrators.
    pub(crate) fn is_of_console(&self) -> bool {
        self.id == CONSOLE_RESOURCE
    }

    /// Why it cannot be changed; none if it can.
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

/// A scope of a resource, or an organization permission.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Scope {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) description: Option<String>,
    pub(crate) resource_id: String,
}

impl Scope {
    /// The description; empty if there is none.
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
    /// Only in the list of an organization's applications.
    pub(crate) organization_roles: Vec<IdAndName>,
}

/// The OAuth client metadata of an application.
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
    /// Only in the list of a user's organizations.
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
    /// Whether it is assigned to applications instead of users.
    pub(crate) fn is_for_machines(&self) -> bool {
        self.kind == "MachineToMachine"
    }

    /// The description; empty if there is none.
    pub(crate) fn about(&self) -> &str {
        self.description.as_deref().unwrap_or_default()
    }

    /// Whether it contains this scope.
    pub(crate) fn has(&self, scope_id: &str) -> bool {
        self.scopes.iter().any(|scope| scope.id == scope_id)
    }
}

/// A user with these members, for tests.
#[cfg(test)]
pub(crate) fn user(members: &Value) -> UserFields {
    let mut user = serde_json::json!({
        "id": "u1", "customData": {}, "identities": {}, "createdAt": 0, "updatedAt": 0, "profile": {},
        "isSuspended": false
    });
    if let (Value::Object(user), Value::Object(members)) = (&mut user, members) {
        user.extend(members.clone());
    }
    serde_json::from_value(user).unwrap_or_else(|error| unreachable!("{error}"))
}
