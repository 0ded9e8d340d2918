//! The last revision at which each part of the authorization data changed. Cache entries are keyed by it.

use crate::storage::revisions::{Change, Changed};
use std::collections::HashMap;

/// How many applications are told apart. When more have changed, all count as changed.
const MAX_APPLICATIONS: usize = 10_000;

/// When what changed last.
#[derive(Clone, Debug)]
pub(super) struct Versions {
    /// Everything that can be held or granted.
    all: i64,
    /// Some application.
    applications: i64,
    /// Some organization.
    organizations: i64,
    /// These applications, after `all`.
    application: HashMap<String, i64>,
}

impl Versions {
    /// Nothing is known of what was before.
    pub(super) fn all_at(revision: i64) -> Self {
        Self { all: revision, applications: revision, organizations: revision, application: HashMap::new() }
    }

    /// What they are after these changes, which are in order.
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
                    versions.application.insert(id.to_owned(), change.revision);
                }
            }
        }
        versions
    }

    /// Of what every change of roles, scopes and resources concerns.
    pub(super) fn of_all(&self) -> i64 {
        self.all
    }

    /// Of an application.
    pub(super) fn of_application(&self, id: &str) -> i64 {
        self.application.get(id).copied().unwrap_or(self.all)
    }

    /// Of what rests on every application.
    pub(super) fn of_applications(&self) -> i64 {
        self.applications
    }

    /// Of what rests on organizations.
    pub(super) fn of_organizations(&self) -> i64 {
        self.organizations
    }
}
