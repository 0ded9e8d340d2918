//! The last revision at which each part of the authorization data changed. Cache entries are keyed by it.

use super::user_facts::UserFacts;
use claimsmith_domain::id::{ApplicationId, OrganizationId, OrganizationRoleId, RoleId};
use claimsmith_storage::revisions::{Changed, RevisionChange};
use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Arc;

/// The most applications, organizations and roles that are tracked one by one, of each kind. If more have changed, all
/// of that kind count as changed.
const MAX_TRACKED: usize = 10_000;

/// How many of the latest are copied for each revision: the square root of [`MAX_TRACKED`], so that the copy of a few
/// each time and the copy of all now and then cost the same.
const MAX_RECENT: usize = 100;

/// The revision of the last change of each part.
#[derive(Clone, Debug)]
pub(super) struct Versions {
    /// Resources, and what concerns everything: scopes of resources.
    resources: i64,
    applications: Tracked<ApplicationId>,
    organizations: Tracked<OrganizationId>,
    organization_roles: Tracked<OrganizationRoleId>,
    roles: Tracked<RoleId>,
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
        Self {
            resources: revision,
            applications: Tracked::all_at(revision),
            organizations: Tracked::all_at(revision),
            organization_roles: Tracked::all_at(revision),
            roles: Tracked::all_at(revision),
        }
    }

    /// The versions after these changes, which are in order.
    pub(super) fn after(&self, changes: &[RevisionChange]) -> Self {
        let mut versions = self.clone();
        for change in changes {
            match change.changed() {
                Changed::All => versions = Self::all_at(change.revision),
                Changed::Nothing | Changed::Keys => {}
                Changed::Organization(id) => versions.organizations.note(id, change.revision),
                Changed::OrganizationRole(id) => versions.organization_roles.note(id, change.revision),
                Changed::Resource => versions.resources = change.revision,
                Changed::Application(id) => versions.applications.note(id, change.revision),
                Changed::Role(id) => versions.roles.note(id, change.revision),
            }
        }
        versions
    }

    /// Of a resource.
    pub(super) fn of_resources(&self) -> i64 {
        self.resources
    }

    /// Of an application.
    pub(super) fn of_application(&self, id: &ApplicationId) -> i64 {
        self.applications.of(id)
    }

    /// Of values that depend on every application.
    pub(super) fn of_applications(&self) -> i64 {
        self.applications.latest
    }

    /// Of what the facts of a user depend on beside the user.
    pub(super) fn of_user(&self, facts: &UserFacts) -> i64 {
        // Plugins see the resources of a user's scopes, too.
        let version = self.roles.of_any(self.resources, facts.roles.iter());
        let version = self.organizations.of_any(version, facts.organizations.iter().map(|(id, _)| id));
        self.organization_roles.of_any(version, facts.organization_roles.iter())
    }
}

impl<I: Clone + Eq + Hash> Tracked<I> {
    fn all_at(revision: i64) -> Self {
        Self { others: revision, latest: revision, recent: HashMap::new(), earlier: Arc::default() }
    }

    fn of(&self, id: &I) -> i64 {
        self.recent.get(id).or_else(|| self.earlier.get(id)).copied().unwrap_or(self.others)
    }

    /// The latest change of any of these, if it came after another revision, or else that one.
    fn of_any<'i>(&self, other: i64, ids: impl Iterator<Item = &'i I>) -> i64
    where
        I: 'i,
    {
        // None has changed, which is so most of the time.
        if self.latest <= other {
            return other;
        }
        ids.map(|id| self.of(id)).fold(other, i64::max)
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

    /// The facts of a user of these organizations, with these roles there and these roles.
    fn facts(organizations: &[&str], organization_roles: &[&str], roles: &[&str]) -> UserFacts {
        UserFacts {
            organizations: organizations.iter().map(|id| ((*id).into(), "{}".into())).collect(),
            organization_roles: organization_roles.iter().map(|id| (*id).into()).collect(),
            roles: roles.iter().map(|id| (*id).into()).collect(),
            ..UserFacts::default()
        }
    }

    fn of(versions: &Versions, organizations: &[&str]) -> i64 {
        versions.of_user(&facts(organizations, &[], &[]))
    }

    #[test]
    fn what_changed_counts_and_nothing_else() {
        let (application, organization, role) = ("app".into(), "acme".into(), "clerk".into());
        let organization_role = "editor".into();
        let changes = [
            RevisionChange::made(2, Changed::Application(&application)),
            RevisionChange::made(3, Changed::Organization(&organization)),
            RevisionChange::made(4, Changed::Keys),
            RevisionChange::made(5, Changed::Nothing),
            RevisionChange::made(6, Changed::Role(&role)),
            RevisionChange::made(7, Changed::OrganizationRole(&organization_role)),
        ];
        let versions = Versions::all_at(1).after(&changes);
        assert_eq!((versions.of_application(&application), versions.of_application(&"other".into())), (2, 1));
        assert_eq!((versions.of_applications(), versions.of_resources()), (2, 1));
        assert_eq!((of(&versions, &["acme"]), of(&versions, &["other", "acme"])), (3, 3));
        assert_eq!((of(&versions, &["other"]), of(&versions, &[])), (1, 1));
        let clerk = facts(&["acme"], &["reader"], &["clerk", "other"]);
        let editor = facts(&["acme"], &["reader", "editor"], &["clerk"]);
        assert_eq!((versions.of_user(&clerk), versions.of_user(&editor)), (6, 7));
        assert_eq!(versions.of_user(&facts(&["other"], &["reader"], &["other"])), 1);
        let versions = versions.after(&[RevisionChange::made(8, Changed::Resource)]);
        assert_eq!((versions.of_application(&application), versions.of_resources()), (2, 8));
        assert_eq!((of(&versions, &["acme"]), of(&versions, &[]), versions.of_user(&editor)), (8, 8, 8));
        let versions = versions.after(&[RevisionChange::made(9, Changed::All)]);
        assert_eq!((versions.of_application(&application), versions.of_resources()), (9, 9));
        assert_eq!((of(&versions, &["acme"]), versions.of_user(&editor)), (9, 9));
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
