//! The four roles of administrators: each is a scope of the console's resource, and a user role with that scope.

use crate::scope;
use serde::{Deserialize, Serialize};

/// A role of the console.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConsoleRole {
    /// Reads everything except configuration.
    Read,
    /// Supports users.
    Support,
    /// Changes applications, resources, hooks and plugins.
    Developer,
    /// May do everything.
    Admin,
}

impl ConsoleRole {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Read, Self::Support, Self::Developer, Self::Admin];

    /// Its scope at the console's resource.
    #[must_use]
    pub const fn scope(self) -> &'static str {
        match self {
            Self::Read => "console:read",
            Self::Support => "console:support",
            Self::Developer => "console:developer",
            Self::Admin => "console:admin",
        }
    }

    /// The name of the user role with this scope.
    #[must_use]
    pub const fn role_name(self) -> &'static str {
        match self {
            Self::Read => "Console: reader",
            Self::Support => "Console: support",
            Self::Developer => "Console: developer",
            Self::Admin => "Console: administrator",
        }
    }

    /// The description of the scope and the role.
    #[must_use]
    pub const fn about(self) -> &'static str {
        match self {
            Self::Read => "See everything in the console but configuration.",
            Self::Support => "Help users: unlock, suspend, end sessions, impersonate.",
            Self::Developer => "Change applications, resources, webhooks and plugins.",
            Self::Admin => "Do everything in the console.",
        }
    }

    /// The id of the user role, the same in every database.
    #[must_use]
    pub const fn role_id(self) -> &'static str {
        match self {
            Self::Read => "claimsmith-console-role-read",
            Self::Support => "claimsmith-console-role-support",
            Self::Developer => "claimsmith-console-role-developer",
            Self::Admin => "claimsmith-console-role-admin",
        }
    }

    /// The id of the scope, the same in every database.
    #[must_use]
    pub const fn scope_id(self) -> &'static str {
        match self {
            Self::Read => "claimsmith-console-scope-read",
            Self::Support => "claimsmith-console-scope-support",
            Self::Developer => "claimsmith-console-scope-developer",
            Self::Admin => "claimsmith-console-scope-admin",
        }
    }

    const fn bit(self) -> u8 {
        1 << self as u8
    }
}

/// Whether a narrow scope requires a recent sign-in wherever a handler checks it.
#[must_use]
pub fn needs_recent_sign_in(narrow: &str) -> bool {
    matches!(narrow, "plugins:secrets" | "plugins:recordings" | "plugins:grant" | "configs:write")
}

/// Whether a role is one of the four console roles.
#[must_use]
pub fn is_role(id: &str) -> bool {
    ConsoleRole::ALL.iter().any(|role| role.role_id() == id)
}

/// A set of roles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConsoleRoles(u8);

impl ConsoleRoles {
    /// The empty set.
    pub const NONE: Self = Self(0);

    /// These roles.
    #[must_use]
    pub const fn of(roles: &[ConsoleRole]) -> Self {
        let (mut bits, mut rest) = (0, roles);
        while let [first, others @ ..] = rest {
            bits |= first.bit();
            rest = others;
        }
        Self(bits)
    }

    /// The roles in a scope parameter; other scopes are ignored.
    #[must_use]
    pub fn from_scope(text: &str) -> Self {
        let named: Vec<_> = ConsoleRole::ALL.into_iter().filter(|role| scope::contains(text, role.scope())).collect();
        Self::of(&named)
    }

    /// Whether the set is empty.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether the set contains this role.
    #[must_use]
    pub const fn has(self, role: ConsoleRole) -> bool {
        self.0 & role.bit() != 0
    }

    /// The intersection.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// The roles, the least first.
    pub fn iter(self) -> impl Iterator<Item = ConsoleRole> {
        ConsoleRole::ALL.into_iter().filter(move |role| self.has(*role))
    }

    /// Whether the roles imply this narrow scope of the Management API; for handlers that need another scope besides
    /// the one of their route. They never imply `all`.
    #[must_use]
    pub fn stand_for(self, narrow: &str) -> bool {
        let enough: &[ConsoleRole] = match narrow {
            "subject-tokens:write" => &[ConsoleRole::Support, ConsoleRole::Admin],
            "applications:write" | "resources:write" | "hooks:write" | "plugins:write" | "plugins:recordings" => {
                &[ConsoleRole::Developer, ConsoleRole::Admin]
            }
            "all" => &[],
            read if read.ends_with(":read") && read != "configs:read" => &ConsoleRole::ALL,
            _ => &[ConsoleRole::Admin],
        };
        !self.and(Self::of(enough)).is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::management::{ALL, SCOPES};

    #[test]
    fn a_scope_text_names_roles_by_whole_words() {
        for (text, roles) in [
            ("", ConsoleRoles::NONE),
            ("openid console:readers xconsole:admin all", ConsoleRoles::NONE),
            ("openid console:read", ConsoleRoles::of(&[ConsoleRole::Read])),
            ("console:admin console:support", ConsoleRoles::of(&[ConsoleRole::Support, ConsoleRole::Admin])),
        ] {
            assert_eq!(ConsoleRoles::from_scope(text), roles, "{text:?}");
        }
    }

    #[test]
    fn sets_intersect() {
        let (both, admin) = (ConsoleRoles::from_scope("console:read console:admin"), ConsoleRole::Admin);
        assert_eq!(both.and(ConsoleRoles::of(&[admin])).iter().collect::<Vec<_>>(), [admin]);
        assert!(both.and(ConsoleRoles::of(&[ConsoleRole::Support])).is_empty());
    }

    #[test]
    fn roles_stand_for_the_scopes_of_the_decision() {
        use ConsoleRole::{Admin, Developer, Support};
        for (scope, _) in SCOPES {
            let expected: &[ConsoleRole] = match scope {
                ALL => &[],
                "configs:read" => &[Admin],
                _ if scope.ends_with(":read") => &ConsoleRole::ALL,
                "subject-tokens:write" => &[Support, Admin],
                "applications:write" | "resources:write" | "hooks:write" | "plugins:write" | "plugins:recordings" => {
                    &[Developer, Admin]
                }
                _ => &[Admin],
            };
            for role in ConsoleRole::ALL {
                let stands = ConsoleRoles::of(&[role]).stand_for(scope);
                assert_eq!(stands, expected.contains(&role), "{role:?} {scope}");
            }
        }
    }
}
