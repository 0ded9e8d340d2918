//! The last revision at which each part of the authorization data changed. Cache entries are keyed by it.

use crate::domain::id::ApplicationId;
use crate::storage::revisions::{Change, Changed};
use std::collections::HashMap;

/// The most applications that are tracked one by one. If more have changed, all count as changed.
const MAX_APPLICATIONS: usize = 10_000;

/// The revision of the last change of each part.
#[derive(Clone, Debug)]
pub(super) struct Versions {
    /// Roles, scopes and resources.
    all: i64,
    /// Some application.
    applications: i64,
    /// Some organization.
    organizations: i64,
    /// These applications, after `all`.
    application: HashMap<ApplicationId, i64>,
}

impl Versions {
    /// Everything counts as changed at this revision.
    pub(super) fn all_at(revision: i64) -> Self {
        Self { all: revision, applications: revision, organizations: revision, application: HashMap::new() }
    }

    /// The versions after these changes, which are in order.
    pub(super) fn after(&self, changes: &[Change]) -> Self {
        let mut versions = self.clone();
        for change in changes {
            match change.changed() {
                Changed::All => versions = Self::all_at(change.revision),
                Changed::Keys => {}
                Changed::Organization(_) => versions.organizations = change.revision,
                Changed::Application(_) if versions.application.len() >= MAX_APPLICATIONS => {
                    versions = Self::all_at(change.revision);
                }
                Changed::Application(id) => {
                    versions.applications = change.revision;
                    versions.application.insert(id.clone(), change.revision);
                }
            }
        }
        versions
    }

    /// Of values that depend on roles, scopes and resources.
    pub(super) fn of_all(&self) -> i64 {
        self.all
    }

    /// Of an application.
    pub(super) fn of_application(&self, id: &ApplicationId) -> i64 {
        self.application.get(id).copied().unwrap_or(self.all)
    }

    /// Of values that depend on every application.
    pub(super) fn of_applications(&self) -> i64 {
        self.applications
    }

    /// Of values that depend on organizations.
    pub(super) fn of_organizations(&self) -> i64 {
        self.organizations
    }
}
