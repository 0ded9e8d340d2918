//! The last revision at which each part of the authorization data changed. Cache entries are keyed by it.

use crate::domain::id::{ApplicationId, OrganizationId};
use crate::storage::revisions::{Changed, RevisionChange};
use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Arc;

/// The most applications, and the most organizations, that are tracked one by one. If more have changed, all count as
/// changed.
const MAX_TRACKED: usize = 10_000;

/// How many of the latest are copied for each revision: the square root of [`MAX_TRACKED`], so that the copy of a few
/// each time and the copy of all now and then cost the same.
const MAX_RECENT: usize = 100;

/// The revision of the last change of each part.
#[derive(Clone, Debug)]
pub(super) struct Versions {
    /// Roles, scopes and resources.
    all: i64,
    applications: Tracked<ApplicationId>,
    organizations: Tracked<OrganizationId>,
}

/// The revision of the last change of each of many.
#[derive(Clone, Debug)]
struct Tracked<I> {
    /// Of those that are not tracked.
    others: i64,
    /// Of the one that changed last.
    latest: i64,
    /// The latest changes, which come before the earlier ones.
    recent: HashMap<I, i64>,
    /// The changes before, shared with the versions before.
    earlier: Arc<HashMap<I, i64>>,
}

impl Versions {
    /// Everything counts as changed at this revision.
    pub(super) fn all_at(revision: i64) -> Self {
        Self { all: revision, applications: Tracked::all_at(revision), organizations: Tracked::all_at(revision) }
    }

    /// The versions after these changes, which are in order.
    pub(super) fn after(&self, changes: &[RevisionChange]) -> Self {
        let mut versions = self.clone();
        for change in changes {
            match change.changed() {
                Changed::All => versions = Self::all_at(change.revision),
                Changed::Nothing | Changed::Keys => {}
                Changed::Organization(id) => versions.organizations.note(id, change.revision),
                Changed::Application(id) => versions.applications.note(id, change.revision),
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
        self.applications.of(id)
    }

    /// Of values that depend on every application.
    pub(super) fn of_applications(&self) -> i64 {
        self.applications.latest
    }

    /// Of values that depend on roles, scopes, resources and these organizations.
    pub(super) fn of_organizations<'i>(&self, ids: impl Iterator<Item = &'i OrganizationId>) -> i64 {
        // None has changed, which is so most of the time.
        if self.organizations.latest <= self.all {
            return self.all;
        }
        ids.map(|id| self.organizations.of(id)).fold(self.all, i64::max)
    }
}

impl<I: Clone + Eq + Hash> Tracked<I> {
    fn all_at(revision: i64) -> Self {
        Self { others: revision, latest: revision, recent: HashMap::new(), earlier: Arc::default() }
    }

    fn of(&self, id: &I) -> i64 {
        self.recent.get(id).or_else(|| self.earlier.get(id)).copied().unwrap_or(self.others)
    }

    fn note(&mut self, id: &I, revision: i64) {
        self.latest = revision;
        self.recent.insert(id.clone(), revision);
        if self.recent.len() < MAX_RECENT {
            return;
        }
        let mut earlier = HashMap::clone(&self.earlier);
        earlier.extend(self.recent.drain());
        if earlier.len() > MAX_TRACKED {
            *self = Self::all_at(revision);
        } else {
            self.earlier = Arc::new(earlier);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(versions: &Versions, organizations: &[&str]) -> i64 {
        let ids: Vec<OrganizationId> = organizations.iter().map(|id| (*id).into()).collect();
        versions.of_organizations(ids.iter())
    }

    #[test]
    fn what_changed_counts_and_nothing_else() {
        let (application, organization) = ("app".into(), "acme".into());
        let changes = [
            RevisionChange::made(2, Changed::Application(&application)),
            RevisionChange::made(3, Changed::Organization(&organization)),
            RevisionChange::made(4, Changed::Keys),
            RevisionChange::made(5, Changed::Nothing),
        ];
        let versions = Versions::all_at(1).after(&changes);
        assert_eq!((versions.of_application(&application), versions.of_application(&"other".into())), (2, 1));
        assert_eq!((versions.of_applications(), versions.of_all()), (2, 1));
        assert_eq!((of(&versions, &["acme"]), of(&versions, &["other", "acme"])), (3, 3));
        assert_eq!((of(&versions, &["other"]), of(&versions, &[])), (1, 1));
        let versions = versions.after(&[RevisionChange::made(6, Changed::All)]);
        assert_eq!((versions.of_application(&application), of(&versions, &["acme"]), of(&versions, &[])), (6, 6, 6));
    }

    #[test]
    fn earlier_changes_are_remembered_and_the_last_one_counts() {
        let mut tracked = Tracked::all_at(1);
        for revision in 2..2 + 3 * 100 {
            tracked.note(&format!("id-{}", revision % 150), revision);
        }
        assert_eq!(tracked.latest, 301);
        assert!(tracked.recent.len() < MAX_RECENT);
        for revision in 152..302 {
            assert_eq!(tracked.of(&format!("id-{}", revision % 150)), revision);
        }
        assert_eq!(tracked.of(&"other".to_owned()), 1);
    }

    #[test]
    fn too_many_changes_count_as_changes_of_all() {
        let mut tracked = Tracked::all_at(1);
        let mut revision = 1;
        for number in 0..MAX_TRACKED {
            revision += 1;
            tracked.note(&number, revision);
        }
        assert_eq!((tracked.of(&0), tracked.of(&MAX_TRACKED)), (2, 1), "as many as are tracked");
        for number in 0..MAX_RECENT {
            revision += 1;
            tracked.note(&(MAX_TRACKED + number), revision);
        }
        assert_eq!((tracked.of(&0), tracked.of(&usize::MAX)), (revision, revision));
        tracked.note(&7, revision + 1);
        assert_eq!((tracked.of(&7), tracked.of(&8)), (revision + 1, revision));
    }
}
