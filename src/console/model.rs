//! API objects that several screens share: users, roles, resources and organizations.

use claimsmith_api::organization_roles::OrganizationRoleView;
use claimsmith_api::organization_scopes::OrganizationScopeView;
use claimsmith_api::resources::{ResourceView, ScopeView};
use claimsmith_api::roles::RoleView;
use claimsmith_api::users::UserFields;
use claimsmith_domain::documents::role::RoleType;

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

/// What screens say of an API resource.
pub(crate) trait ResourceFacts {
    /// Whether it is the console's own resource, whose scopes make users administrators.
    fn is_of_console(&self) -> bool;
    /// Why it cannot be changed; none if it can. Takes the indicator of the Management API's resource.
    fn fixed(&self, management_resource: &str) -> Option<&'static str>;
}

impl ResourceFacts for ResourceView {
    fn is_of_console(&self) -> bool {
        self.id == CONSOLE_RESOURCE
    }

    fn fixed(&self, management_resource: &str) -> Option<&'static str> {
        if self.is_of_console() {
            Some("This resource is built in: its scopes are what makes people administrators of this server.")
        } else if self.indicator == management_resource {
            Some("This resource is built in: it is the Management API of this server. Only machines get its scopes.")
        } else {
            None
        }
    }
}

/// An object that may have a description.
pub(crate) trait Described {
    /// The description; empty if there is none.
    fn about(&self) -> &str;
}

impl Described for ScopeView {
    fn about(&self) -> &str {
        self.description.as_deref().unwrap_or_default()
    }
}

impl Described for OrganizationScopeView {
    fn about(&self) -> &str {
        self.description.as_deref().unwrap_or_default()
    }
}

impl Described for OrganizationRoleView {
    fn about(&self) -> &str {
        self.description.as_deref().unwrap_or_default()
    }
}

/// What screens say of a role within organizations.
pub(crate) trait OrganizationRoleFacts {
    /// Whether it is assigned to applications instead of users.
    fn is_for_machines(&self) -> bool;
}

impl OrganizationRoleFacts for OrganizationRoleView {
    fn is_for_machines(&self) -> bool {
        self.r#type == RoleType::MachineToMachine
    }
}

/// A user with these members, for tests.
#[cfg(test)]
pub(crate) fn user(members: &serde_json::Value) -> UserFields {
    use serde_json::Value;

    let mut user = serde_json::json!({
        "id": "u1", "customData": {}, "identities": {}, "createdAt": 0, "updatedAt": 0, "profile": {},
        "isSuspended": false
    });
    if let (Value::Object(user), Value::Object(members)) = (&mut user, members) {
        user.extend(members.clone());
    }
    serde_json::from_value(user).unwrap_or_else(|error| unreachable!("{error}"))
}
