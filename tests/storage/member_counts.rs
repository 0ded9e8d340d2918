//! The number of members of an organization, which is kept and not counted.

use crate::Store;
use claimsmith_domain::id::{OrganizationId, UserId};
use claimsmith_storage::organizations::members::{Filter, MEMBERS};
use claimsmith_storage::organizations::{self, Organization};
use claimsmith_storage::{Tx, users};
use claimsmith_test_support::seed::{new_organization, new_user};
use claimsmith_test_support::{both, on_postgres};
use std::slice::from_ref;

/// A kept number, and the rows that it is the sum of.
#[derive(Debug, PartialEq, claimsmith_storage::Row)]
struct Kept {
    total: i64,
    rows: i64,
}

async fn kept(tx: &mut Tx) -> Kept {
    let sql = "SELECT CAST(COALESCE(SUM(value), 0) AS BIGINT) AS total, COUNT(*) AS rows FROM member_counts";
    tx.sql(sql).one().await.unwrap()
}

/// The kept number, after it was compared with the members that there are.
async fn count(tx: &mut Tx, organization_id: &OrganizationId) -> usize {
    let count = organizations::members::count(tx, organization_id, Filter::default()).await.unwrap();
    let members = MEMBERS.of(tx, organization_id).await.unwrap().len();
    assert_eq!(usize::try_from(count).unwrap(), members);
    members
}

impl Store {
    /// Two organizations and three users who belong to neither.
    async fn strangers(&self) -> ([Organization; 2], Vec<UserId>) {
        let (organizations, mut ids) = ([new_organization(), new_organization()], Vec::new());
        let mut tx = self.begin().await;
        for organization in &organizations {
            organizations::insert(&mut tx, organization).await.unwrap();
        }
        for user in [new_user(), new_user(), new_user()] {
            users::insert(&mut tx, &user).await.unwrap();
            ids.push(user.id);
        }
        tx.commit().await.unwrap();
        (organizations, ids)
    }
}

both!(the_number_of_members_is_kept_whatever_happens, async |store: Store| {
    let ([home, away], ids) = store.strangers().await;
    let mut tx = store.begin().await;
    assert_eq!(count(&mut tx, &home.id).await, 0);
    organizations::members::add(&mut tx, &home.id, &ids[..2]).await.unwrap();
    organizations::members::add(&mut tx, &home.id, &ids).await.unwrap();
    organizations::members::add(&mut tx, &away.id, from_ref(&ids[0])).await.unwrap();
    assert_eq!((count(&mut tx, &home.id).await, count(&mut tx, &away.id).await), (3, 1));
    organizations::members::remove(&mut tx, &home.id, &ids[1]).await.unwrap();
    organizations::members::remove(&mut tx, &home.id, &ids[1]).await.unwrap();
    assert_eq!(count(&mut tx, &home.id).await, 2);
    organizations::members::replace(&mut tx, &home.id, &ids[1..]).await.unwrap();
    organizations::members::add(&mut tx, &home.id, &ids).await.unwrap();
    tx.commit().await.unwrap();

    // What is rolled back did not happen.
    let mut tx = store.begin().await;
    organizations::members::replace(&mut tx, &home.id, &[]).await.unwrap();
    assert_eq!(count(&mut tx, &home.id).await, 0);
    drop(tx);

    let mut tx = store.begin().await;
    assert_eq!((count(&mut tx, &home.id).await, count(&mut tx, &away.id).await), (3, 1));
    assert!(users::delete(&mut tx, &ids[0]).await.unwrap());
    assert_eq!((count(&mut tx, &home.id).await, count(&mut tx, &away.id).await), (2, 0));
    assert!(organizations::delete(&mut tx, &home.id).await.unwrap());
    organizations::members::add_up_counts(&mut tx, 10).await.unwrap();
    assert_eq!(kept(&mut tx).await, Kept { total: 0, rows: 0 }, "nothing is left of an organization without members");
});

on_postgres!(changes_are_added_up_and_nobody_waits, async |store: Store| {
    let ([home, away], ids) = store.strangers().await;
    let (mut one, mut other) = (store.begin().await, store.begin().await);
    // Neither waits for the other, although both change both organizations.
    for (first, second, tx) in [(&home, &away, &mut one), (&away, &home, &mut other)] {
        let id = if first.id == home.id { &ids[0] } else { &ids[1] };
        organizations::members::add(tx, &first.id, from_ref(id)).await.unwrap();
        organizations::members::add(tx, &second.id, from_ref(id)).await.unwrap();
    }
    assert_eq!(count(&mut one, &home.id).await, 1, "the other one has not committed");
    one.commit().await.unwrap();
    other.commit().await.unwrap();

    let mut tx = store.begin().await;
    assert_eq!(kept(&mut tx).await, Kept { total: 4, rows: 4 });
    organizations::members::add_up_counts(&mut tx, 10).await.unwrap();
    assert_eq!(kept(&mut tx).await, Kept { total: 4, rows: 2 });
    // A node that adds up at the same time leaves what is taken; a new member is added meanwhile.
    let mut late = store.begin().await;
    organizations::members::add(&mut late, &home.id, from_ref(&ids[2])).await.unwrap();
    organizations::members::add_up_counts(&mut late, 10).await.unwrap();
    late.commit().await.unwrap();
    tx.commit().await.unwrap();

    let mut tx = store.begin().await;
    assert_eq!((count(&mut tx, &home.id).await, count(&mut tx, &away.id).await), (3, 2));
    // Each of the two left a sum, until the next change.
    organizations::members::remove(&mut tx, &home.id, &ids[2]).await.unwrap();
    organizations::members::add_up_counts(&mut tx, 10).await.unwrap();
    assert_eq!(kept(&mut tx).await, Kept { total: 4, rows: 2 });
});
