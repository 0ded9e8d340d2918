//! The head of every page of a user: name and tabs.

use super::sign_in_line::SignInLine;
use crate::caller::{Caller, segment};
use crate::failure::Failure;
use claimsmith_api::users::sign_in::SignInStateView;
use claimsmith_api::users::{ShownUser, UserFields};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// A tab: its path segment and title.
pub(super) type Tab = (&'static str, &'static str);

pub(super) const PROFILE: Tab = ("", "Profile");
pub(super) const ACCESS: Tab = ("access", "Roles and organizations");
pub(super) const SECURITY: Tab = ("security", "Sign-in");
pub(super) const SESSIONS: Tab = ("sessions", "Sessions and tokens");
pub(super) const ACTIVITY: Tab = ("activity", "Activity");

/// All tabs.
const TABS: &[Tab] = &[PROFILE, ACCESS, SECURITY, SESSIONS, ACTIVITY];

/// A linked social account.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Identity {
    pub(super) user_id: String,
    pub(super) details: Map<String, Value>,
}

/// A linked account of an enterprise provider.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct SsoIdentity {
    pub(super) issuer: String,
    pub(super) identity_id: String,
}

/// The data of a user's page head.
pub(super) struct PageHead {
    pub(super) user: UserFields,
    pub(super) has_password: bool,
    /// By connector target.
    pub(super) identities: BTreeMap<String, Identity>,
    pub(super) sso_identities: Vec<SsoIdentity>,
    pub(super) tab: Tab,
    /// Whether the user can sign in, and if not, why.
    pub(super) sign_in: Option<SignInLine>,
    /// The error of the submitted form, if any.
    pub(super) alert: String,
}

impl PageHead {
    /// Reads the user.
    pub(super) async fn load(caller: &Caller, id: &str, tab: Tab) -> Result<Self, Failure> {
        let head = Self::of(caller.get(&operation(id, "?includeSsoIdentities=true")).await?, tab);
        let state: Option<SignInStateView> = caller.get_if_allowed(&operation(id, "/sign-in-state")).await?;
        Ok(Self { sign_in: state.map(|state| SignInLine::of(caller, &state)), ..head })
    }

    /// The head of a user's page.
    pub(super) fn of(ShownUser { user, sso_identities }: ShownUser, tab: Tab) -> Self {
        Self {
            has_password: user.has_password,
            identities: read(&user.fields.identities),
            sso_identities: sso_identities.iter().flatten().map(read).collect(),
            user: user.fields,
            tab,
            sign_in: None,
            alert: String::new(),
        }
    }

    /// Sets the error message.
    pub(super) fn with_alert(mut self, alert: impl Into<String>) -> Self {
        self.alert = alert.into();
        self
    }

    /// The tabs: path, title, and whether it is the current one.
    pub(super) fn tabs(&self) -> Vec<(String, &'static str, bool)> {
        TABS.iter().map(|tab| (page(&self.user.id, tab.0), tab.1, *tab == self.tab)).collect()
    }

    /// The path of a page of the user.
    pub(super) fn page(&self, rest: &str) -> String {
        page(&self.user.id, rest)
    }

    /// The API path of an operation on the user.
    pub(super) fn operation(&self, rest: &str) -> String {
        operation(&self.user.id, rest)
    }

    /// Whether it is the operator's own account.
    pub(super) fn is_operator(&self, caller: &Caller) -> bool {
        *self.user.id == *caller.operator().user_id
    }
}

/// A part of a user that the API leaves open; empty if it has another form.
fn read<T: DeserializeOwned + Default>(value: &Value) -> T {
    T::deserialize(value).unwrap_or_default()
}

/// The path of a page of a user.
pub(super) fn page(id: &str, rest: &str) -> String {
    let slash = if rest.is_empty() { "" } else { "/" };
    format!("/console/users/{}{slash}{rest}", segment(id))
}

/// The API path of an operation on a user.
pub(super) fn operation(id: &str, rest: &str) -> String {
    format!("/api/users/{}{rest}", segment(id))
}
