//! The authorization revision: every change of authorization data raises it, which invalidates the cache.

use crate::Store;
use claimsmith_domain::documents::algorithm::Algorithm;
use claimsmith_domain::documents::application::ApplicationType;
use claimsmith_domain::id::OrganizationRoleId;
use claimsmith_storage::organizations::role_scopes::SCOPES;
use claimsmith_storage::organizations::scopes::OrganizationScope;
use claimsmith_storage::revisions::{Changed, RevisionChange};
use claimsmith_storage::signing_keys::{self, SigningKey};
use claimsmith_storage::{self as storage, Json, Tx, applications, organizations, resources, revisions, roles, users};
use claimsmith_test_support::both;
use claimsmith_test_support::seed::{
    new_application, new_organization, new_organization_role, new_organization_scope, new_resource, new_role,
    new_scope, new_secret, new_user,
};
use serde_json::json;
use std::slice::from_ref;

/// Asserts that a change makes the next revision, and what is known of it.
async fn moves_to(
    store: &Store,
    last: &mut i64,
    expected: &[Changed<'_>],
    what: &str,
    change: impl AsyncFnOnce(&mut Tx) -> Result<(), storage::Error>,
) {
    let mut tx = store.begin().await;
    change(&mut tx).await.unwrap();
    tx.commit().await.unwrap();
    let mut tx = store.begin().await;
    let now = revisions::current(&mut tx).await.unwrap();
    let rows = revisions::changes_since(&mut tx, *last, now).await.unwrap().unwrap();
    let found: Vec<Changed> = rows.iter().map(RevisionChange::changed).collect();
    // Those of one revision have no order.
    let is_expected = found.len() == expected.len() && expected.iter().all(|changed| found.contains(changed));
    assert!(now == *last + 1 && is_expected, "{what}: {now} after {last}, {found:?} in place of {expected:?}");
    *last = now;
}

/// A new scope that an organization role carries is changed.
async fn carry_and_update(
    tx: &mut Tx,
    role_id: &OrganizationRoleId,
    scope: &OrganizationScope,
) -> Result<(), storage::Error> {
    organizations::scopes::insert(tx, scope).await?;
    SCOPES.add(tx, role_id, from_ref(&scope.id)).await?;
    organizations::scopes::update(tx, scope).await
}

both!(every_change_of_what_may_be_granted_moves_it, async |store: Store| {
    let application = new_application(ApplicationType::MachineToMachine);
    let (resource, role) = (new_resource("urn:one"), new_role("MachineToMachine"));
    let (scope, secret) = (new_scope(&resource.id, "read"), new_secret(&application.id, "one"));
    let (organization, organization_role) = (new_organization(), new_organization_role("role"));
    let key = SigningKey {
        kid: "key".to_owned(),
        algorithm: Algorithm::ES256,
        public_jwk: Json(json!({})),
        sealed_private: String::new(),
        created_at: 0,
        activates_at: 0,
        retires_at: None,
    };
    let organization_scope = new_organization_scope("scope");
    let (app, org, org_role) = (&application.id, &organization.id, &organization_role.id);
    let mut tx = store.begin().await;
    roles::insert(&mut tx, &role).await.unwrap();
    organizations::insert(&mut tx, &organization).await.unwrap();
    let mut last = revisions::current(&mut tx).await.unwrap();
    tx.commit().await.unwrap();
    macro_rules! moves {
        ($($changed:expr => |$tx:ident| $call:expr),* $(,)?) => {
            $(
                let change = async |$tx: &mut Tx| $call.await.map(drop);
                Box::pin(moves_to(&store, &mut last, &$changed, stringify!($call), change)).await;
            )*
        };
    }
    moves!(
        [Changed::Application(app)] => |tx| applications::insert(tx, &application),
        [Changed::Application(app)] => |tx| applications::update(tx, &application),
        [Changed::Application(app)] => |tx| applications::insert_secret(tx, &secret),
        [Changed::Nothing] => |tx| resources::insert(tx, &resource),
        [Changed::Nothing] => |tx| resources::insert_scope(tx, &scope),
        [Changed::Resource] => |tx| resources::update(tx, &resource),
        [Changed::Resource] => |tx| resources::set_default(tx, &resource.id, true),
        [Changed::Role(&role.id)] => |tx| roles::add_scope(tx, &role.id, &scope.id),
        [Changed::Application(app)] => |tx| roles::assign_to_application(tx, app, &role.id),
        [Changed::Role(&role.id), Changed::Application(app)] => |tx| roles::remove_scope(tx, &role.id, &scope.id),
        [Changed::Application(app)] => |tx| applications::delete_secret(tx, app, &secret.name),
        [Changed::All] => |tx| resources::delete_scope(tx, &resource.id, &scope.id),
        [Changed::Role(&role.id)] => |tx| roles::update(tx, &role),
        [Changed::Role(&role.id), Changed::Application(app)] => |tx| roles::delete(tx, &role.id),
        [Changed::All] => |tx| resources::delete(tx, &resource.id),
        [Changed::Application(app)] => |tx| applications::delete(tx, app),
        [Changed::Keys] => |tx| signing_keys::insert(tx, &key),
        [Changed::Keys] => |tx| signing_keys::retire_before(tx, Algorithm::ES256, 1, 2),
        [Changed::Nothing] => |tx| organizations::roles::insert(tx, &organization_role),
        [Changed::OrganizationRole(org_role)] => |tx| carry_and_update(tx, org_role, &organization_scope),
        [Changed::OrganizationRole(org_role)] => |tx| organizations::scopes::delete(tx, &organization_scope.id),
        [Changed::OrganizationRole(org_role)] => |tx| organizations::roles::update(tx, &organization_role),
        [Changed::OrganizationRole(org_role)] => |tx| organizations::roles::delete(tx, org_role),
        [Changed::Organization(org)] => |tx| organizations::update(tx, &organization),
        [Changed::Organization(org)] => |tx| organizations::delete(tx, org),
        [Changed::All] => |tx| revisions::bump(tx, Changed::All),
    );
    let mut tx = store.begin().await;
    // What concerns one user has its own counter, on the user.
    users::insert(&mut tx, &new_user()).await.unwrap();
    assert_eq!(revisions::current(&mut tx).await.unwrap(), last);
});

both!(a_transaction_makes_one_revision_however_much_it_changes, async |store: Store| {
    let mut tx = store.begin().await;
    let before = revisions::current(&mut tx).await.unwrap();
    let a = "a".into();
    for changed in [Changed::Application(&a), Changed::All, Changed::Application(&a), Changed::All, Changed::Keys] {
        revisions::bump(&mut tx, changed).await.unwrap();
    }
    tx.commit().await.unwrap();
    let mut tx = store.begin().await;
    assert_eq!(revisions::current(&mut tx).await.unwrap(), before + 1);
    let changes = revisions::changes_since(&mut tx, before, before + 1).await.unwrap().unwrap();
    let mut changes: Vec<String> = changes.iter().map(|change| format!("{:?}", change.changed())).collect();
    changes.sort_unstable();
    assert_eq!(changes, ["All", "Application(\"a\")", "Keys"]);
});

both!(a_revision_of_which_nothing_is_known_changed_everything, async |store: Store| {
    let mut tx = store.begin().await;
    let before = revisions::current(&mut tx).await.unwrap();
    // As a version did that knew of no changes.
    tx.sql("UPDATE revisions SET value = value + 1 WHERE name = 'authorization'").execute().await.unwrap();
    assert_eq!(revisions::changes_since(&mut tx, before, before + 1).await.unwrap(), None);
    revisions::bump(&mut tx, Changed::Keys).await.unwrap();
    assert_eq!(revisions::changes_since(&mut tx, before, before + 2).await.unwrap(), None);
    let known = revisions::changes_since(&mut tx, before + 1, before + 2).await.unwrap().unwrap();
    assert_eq!(known.iter().map(RevisionChange::changed).collect::<Vec<_>>(), [Changed::Keys]);
    tx.sql("DELETE FROM authorization_changes").execute().await.unwrap();
    assert_eq!(revisions::changes_since(&mut tx, before, before + 2).await.unwrap(), None);
});
