//! The authorization cache: each value is loaded once, again when what it depends on changed, and nothing older takes
//! the place of something newer (`docs/architecture.md#authorization-cache`).

use crate::Store;
use claimsmith_domain::documents::application::ApplicationType;
use claimsmith_domain::id::{OrganizationId, UserId};
use claimsmith_identity::bootstrap;
use claimsmith_services::tokens::{AuthorizationCache, Snapshot, UserFacts};
use claimsmith_storage::organizations::roles::OrganizationRole;
use claimsmith_storage::organizations::{self, Organization};
use claimsmith_storage::revisions::{self, Changed};
use claimsmith_storage::roles::{self, Role};
use claimsmith_storage::{applications, users};
use claimsmith_test_support::both;
use claimsmith_test_support::seed::{new_application, new_organization, new_organization_role, new_role, new_user};
use std::slice::from_ref;
use std::sync::Arc;
use tokio::task::JoinSet;

/// How many ask at once.
const CONCURRENT: usize = 8;

impl Store {
    fn cache(&self) -> AuthorizationCache {
        AuthorizationCache::new(Arc::new(bootstrap::cipher(&self.home.config(&[])).unwrap()))
    }

    /// A user who is a member of a new organization.
    async fn member(&self) -> (UserId, Organization) {
        let (user, organization) = (new_user(), new_organization());
        let mut tx = self.begin().await;
        users::insert(&mut tx, &user).await.unwrap();
        organizations::insert(&mut tx, &organization).await.unwrap();
        organizations::members::add(&mut tx, &organization.id, from_ref(&user.id)).await.unwrap();
        tx.commit().await.unwrap();
        (user.id, organization)
    }

    async fn bump(&self, changed: Changed<'_>) {
        let mut tx = self.begin().await;
        revisions::bump(&mut tx, changed).await.unwrap();
        tx.commit().await.unwrap();
    }

    async fn rename(&self, organization: &Organization, name: &str) {
        let mut tx = self.begin().await;
        let renamed = Organization { name: name.to_owned(), ..organization.clone() };
        organizations::update(&mut tx, &renamed).await.unwrap();
        tx.commit().await.unwrap();
    }

    async fn snapshot(&self, cache: &AuthorizationCache) -> Arc<Snapshot> {
        cache.current(&mut self.db.read().await.unwrap(), 0).await.unwrap()
    }

    /// The facts of a user as a snapshot knows them.
    async fn facts(&self, snapshot: &Arc<Snapshot>, id: &UserId) -> Arc<UserFacts> {
        let mut tx = self.db.read().await.unwrap();
        let user = users::find(&mut tx, id).await.unwrap().unwrap();
        snapshot.user_facts(&mut tx, id, user.revision).await.unwrap().unwrap()
    }
}

fn organizations_of(facts: &UserFacts) -> Vec<OrganizationId> {
    facts.organizations.iter().map(|(id, _)| id.clone()).collect()
}

both!(concurrent_lookups_share_one_load, async |store: Store| {
    let (id, _) = store.member().await;
    let cache = Arc::new(store.cache());
    let store = Arc::new(store);
    let mut lookups = JoinSet::new();
    for _ in 0..CONCURRENT {
        let (store, cache, id) = (store.clone(), cache.clone(), id.clone());
        lookups.spawn(async move {
            let snapshot = store.snapshot(&cache).await;
            let facts = store.facts(&snapshot, &id).await;
            (snapshot, facts)
        });
    }
    let found = lookups.join_all().await;
    let (snapshot, facts) = &found[0];
    assert!(found.iter().all(|(other, _)| Arc::ptr_eq(other, snapshot)), "one snapshot of a revision");
    assert!(found.iter().all(|(_, other)| Arc::ptr_eq(other, facts)), "one load");
});

both!(a_user_is_loaded_again_for_the_user_and_their_own_organizations, async |store: Store| {
    let (id, own) = store.member().await;
    let (_, other) = store.member().await;
    let cache = store.cache();
    let first = store.facts(&store.snapshot(&cache).await, &id).await;

    store.rename(&other, "another name").await;
    let mut tx = store.begin().await;
    applications::insert(&mut tx, &new_application(ApplicationType::Spa)).await.unwrap();
    assert!(organizations::delete(&mut tx, &other.id).await.unwrap());
    tx.commit().await.unwrap();
    store.bump(Changed::Keys).await;
    store.bump(Changed::Nothing).await;
    let same = store.facts(&store.snapshot(&cache).await, &id).await;
    assert!(Arc::ptr_eq(&same, &first), "nothing that concerns them");

    store.rename(&own, "a new name").await;
    let snapshot = store.snapshot(&cache).await;
    let second = store.facts(&snapshot, &id).await;
    assert!(second.context.contains("a new name") && !first.context.contains("a new name"));
    assert!(Arc::ptr_eq(&store.facts(&snapshot, &id).await, &second), "loaded once");

    let mut tx = store.begin().await;
    users::touch(&mut tx, &id).await.unwrap();
    tx.commit().await.unwrap();
    let third = store.facts(&snapshot, &id).await;
    assert!(!Arc::ptr_eq(&third, &second));
    assert!(Arc::ptr_eq(&store.facts(&snapshot, &id).await, &third), "loaded once, as of the organization as it is");

    let mut tx = store.begin().await;
    assert!(organizations::delete(&mut tx, &own.id).await.unwrap());
    tx.commit().await.unwrap();
    let last = store.facts(&store.snapshot(&cache).await, &id).await;
    assert_eq!((organizations_of(&third), organizations_of(&last)), (vec![own.id], Vec::new()));
});

both!(a_user_is_loaded_again_for_their_own_roles, async |store: Store| {
    let (user, own, other) = (new_user(), new_role("User"), new_role("User"));
    let mut tx = store.begin().await;
    users::insert(&mut tx, &user).await.unwrap();
    for role in [&own, &other] {
        roles::insert(&mut tx, role).await.unwrap();
    }
    roles::assign_to_user(&mut tx, &user.id, &own.id).await.unwrap();
    tx.commit().await.unwrap();
    let rename = async |role: &Role| {
        let mut tx = store.begin().await;
        let renamed = Role { description: "as it is now".to_owned(), ..role.clone() };
        roles::update(&mut tx, &renamed).await.unwrap();
        tx.commit().await.unwrap();
    };
    let cache = store.cache();
    let first = store.facts(&store.snapshot(&cache).await, &user.id).await;
    assert_eq!(first.roles, from_ref(&own.id));

    rename(&other).await;
    assert!(Arc::ptr_eq(&store.facts(&store.snapshot(&cache).await, &user.id).await, &first), "somebody else's role");
    rename(&own).await;
    let snapshot = store.snapshot(&cache).await;
    let second = store.facts(&snapshot, &user.id).await;
    assert!(second.context.contains("as it is now"));
    assert!(Arc::ptr_eq(&store.facts(&snapshot, &user.id).await, &second), "loaded once");

    let mut tx = store.begin().await;
    assert!(roles::delete(&mut tx, &own.id).await.unwrap());
    tx.commit().await.unwrap();
    assert!(store.facts(&store.snapshot(&cache).await, &user.id).await.roles.is_empty());
    store.bump(Changed::Resource).await;
    let last = store.facts(&store.snapshot(&cache).await, &user.id).await;
    store.bump(Changed::Resource).await;
    let again = store.facts(&store.snapshot(&cache).await, &user.id).await;
    assert!(!Arc::ptr_eq(&again, &last), "plugins see the resources of a user's scopes");
});

both!(a_user_is_loaded_again_for_their_own_organization_roles, async |store: Store| {
    let (id, organization) = store.member().await;
    let [own, other] = ["keeper", "reader"].map(new_organization_role);
    let mut tx = store.begin().await;
    for role in [&own, &other] {
        organizations::roles::insert(&mut tx, role).await.unwrap();
    }
    organizations::members::add_roles(&mut tx, &organization.id, &id, from_ref(&own.id)).await.unwrap();
    tx.commit().await.unwrap();
    let rename = async |role: &OrganizationRole| {
        let mut tx = store.begin().await;
        let renamed = OrganizationRole { name: format!("{} as it is now", role.name), ..role.clone() };
        organizations::roles::update(&mut tx, &renamed).await.unwrap();
        tx.commit().await.unwrap();
    };
    let cache = store.cache();
    let first = store.facts(&store.snapshot(&cache).await, &id).await;
    assert!(first.organization_roles.iter().eq([&own.id]));

    rename(&other).await;
    assert!(Arc::ptr_eq(&store.facts(&store.snapshot(&cache).await, &id).await, &first), "somebody else's role");
    rename(&own).await;
    let snapshot = store.snapshot(&cache).await;
    let second = store.facts(&snapshot, &id).await;
    assert!(second.context.contains("keeper as it is now"));
    assert!(Arc::ptr_eq(&store.facts(&snapshot, &id).await, &second), "loaded once");

    let mut tx = store.begin().await;
    assert!(organizations::roles::delete(&mut tx, &own.id).await.unwrap());
    tx.commit().await.unwrap();
    assert!(store.facts(&store.snapshot(&cache).await, &id).await.organization_roles.is_empty());
});

both!(members_who_are_replaced_are_loaded_again, async |store: Store| {
    let (id, organization) = store.member().await;
    let (stranger, _) = store.member().await;
    let cache = store.cache();
    let snapshot = store.snapshot(&cache).await;
    for id in [&id, &stranger] {
        store.facts(&snapshot, id).await;
    }
    let mut tx = store.begin().await;
    revisions::bump(&mut tx, Changed::Organization(&organization.id)).await.unwrap();
    organizations::members::replace(&mut tx, &organization.id, from_ref(&stranger)).await.unwrap();
    tx.commit().await.unwrap();
    let snapshot = store.snapshot(&cache).await;
    assert!(!organizations_of(&*store.facts(&snapshot, &id).await).contains(&organization.id));
    assert!(organizations_of(&*store.facts(&snapshot, &stranger).await).contains(&organization.id));
});

both!(whoever_reads_late_replaces_nothing_newer, async |store: Store| {
    let ((id, organization), (late, _)) = (store.member().await, store.member().await);
    let cache = store.cache();
    let old = store.snapshot(&cache).await;
    let before = store.facts(&old, &id).await;
    store.rename(&organization, "a new name").await;
    let new = store.snapshot(&cache).await;
    let after = store.facts(&new, &id).await;
    assert!(new.revision > old.revision && !Arc::ptr_eq(&before, &after));

    // Whoever began before a change still asks with the old snapshot, and with the old revision.
    store.facts(&old, &id).await;
    assert!(Arc::ptr_eq(&store.facts(&new, &id).await, &after));
    store.bump(Changed::All).await;
    let new = store.snapshot(&cache).await;
    let after = store.facts(&new, &late).await;
    assert!(!Arc::ptr_eq(&store.facts(&old, &late).await, &after), "loaded for the old snapshot, after the other");
    assert!(Arc::ptr_eq(&store.facts(&new, &late).await, &after));

    let mut tx = store.db.read().await.unwrap();
    assert!(Arc::ptr_eq(&cache.at(old.revision, &mut tx, 0).await.unwrap(), &new), "the newer one serves as well");
    assert!(Arc::ptr_eq(&cache.current(&mut tx, 0).await.unwrap(), &new));
});

both!(keys_are_read_when_keys_change, async |store: Store| {
    let (_, organization) = store.member().await;
    let cache = store.cache();
    let first = store.snapshot(&cache).await;
    let application = "app".into();
    for changed in
        [Changed::All, Changed::Nothing, Changed::Application(&application), Changed::Organization(&organization.id)]
    {
        store.bump(changed).await;
        let next = store.snapshot(&cache).await;
        assert!(next.revision > first.revision && Arc::ptr_eq(&next.keys, &first.keys), "{changed:?}");
    }
    store.bump(Changed::Keys).await;
    assert!(!Arc::ptr_eq(&store.snapshot(&cache).await.keys, &first.keys));
});
