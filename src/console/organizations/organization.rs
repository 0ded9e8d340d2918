//! The head of every page of an organization: name and tabs.

use crate::caller::{Caller, segment};
use crate::failure::Failure;
use crate::model::OrganizationRoleFacts;
use claimsmith_api::organization_roles::OrganizationRoleView;
use claimsmith_api::organizations::OrganizationView;

/// A tab: its path segment and title.
pub(super) type Tab = (&'static str, &'static str);

pub(super) const SETTINGS: Tab = ("", "Settings");
pub(super) const MEMBERS: Tab = ("members", "Members");
pub(super) const APPLICATIONS: Tab = ("applications", "Applications");
pub(super) const INVITATIONS: Tab = ("invitations", "Invitations");
pub(super) const JUST_IN_TIME: Tab = ("just-in-time", "Just in time");

/// All tabs.
const TABS: &[Tab] = &[SETTINGS, MEMBERS, APPLICATIONS, INVITATIONS, JUST_IN_TIME];

/// The data of an organization's page head.
pub(super) struct PageHead {
    pub(super) organization: OrganizationView,
    pub(super) tab: Tab,
    /// The error of the submitted form, if any.
    pub(super) alert: String,
}

impl PageHead {
    /// Reads the organization.
    pub(super) async fn load(caller: &Caller, id: &str, tab: Tab) -> Result<Self, Failure> {
        Ok(Self { organization: caller.get(&operation(id, "")).await?, tab, alert: String::new() })
    }

    /// Sets the error message.
    pub(super) fn with_alert(mut self, alert: impl Into<String>) -> Self {
        self.alert = alert.into();
        self
    }

    /// The tabs: path, title, and whether it is the current one.
    pub(super) fn tabs(&self) -> Vec<(String, &'static str, bool)> {
        TABS.iter().map(|tab| (self.page(tab.0), tab.1, *tab == self.tab)).collect()
    }

    /// The path of a page of the organization.
    pub(super) fn page(&self, rest: &str) -> String {
        page(&self.organization.id, rest)
    }

    /// The API path of an operation on the organization.
    pub(super) fn operation(&self, rest: &str) -> String {
        operation(&self.organization.id, rest)
    }
}

/// The path of a page of an organization.
pub(super) fn page(id: &str, rest: &str) -> String {
    let slash = if rest.is_empty() { "" } else { "/" };
    format!("/console/organizations/{}{slash}{rest}", segment(id))
}

/// The API path of an operation on an organization.
pub(super) fn operation(id: &str, rest: &str) -> String {
    format!("/api/organizations/{}{rest}", segment(id))
}

/// The roles of the template, for users or for machine-to-machine applications.
pub(super) async fn roles(caller: &Caller, are_for_machines: bool) -> Result<Vec<OrganizationRoleView>, Failure> {
    let mut roles: Vec<OrganizationRoleView> = caller.get("/api/organization-roles").await?;
    roles.retain(|role| role.is_for_machines() == are_for_machines);
    Ok(roles)
}
