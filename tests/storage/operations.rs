//! What operators look at: activity over time, nodes, numbers of everything; and users in the order of their places.

use crate::issuances::{insert, new_issuance};
use crate::{Store, ids};
use claimsmith_storage::issuing;
use claimsmith_storage::issuing::issuances::Issuance;
use claimsmith_storage::nodes::{self, Node};
use claimsmith_storage::roles::{self, HeldName};
use claimsmith_storage::statistics;
use claimsmith_storage::statistics::activity::{Sample, TimeBucket};
use claimsmith_storage::users::{self, User, list};
use claimsmith_storage::{Tx, hooks};
use claimsmith_test_support::both;
use claimsmith_test_support::seed::{new_role, new_user};

const MINUTE_MS: i64 = 60_000;
const HOUR_MS: i64 = 60 * MINUTE_MS;

fn sample(kind: &str, name: &str, count: i64, slowest: i64) -> Sample {
    let (kind, name) = (kind.to_owned(), name.to_owned());
    Sample { kind, name, count, failures: 1, microseconds: 10 * count, slowest }
}

async fn steps(tx: &mut Tx, step: i64) -> Vec<TimeBucket> {
    statistics::activity::by_step(tx, 0, 3 * HOUR_MS, step).await.unwrap()
}

both!(counts_of_all_nodes_are_added_up, async |store: Store| {
    let mut tx = store.begin().await;
    statistics::activity::add(&mut tx, 0, "one", &[]).await.unwrap();
    let first = [sample("tokens", "refresh_token", 2, 7), sample("plugins", "roles", 1, 5)];
    statistics::activity::add(&mut tx, MINUTE_MS, "one", &first).await.unwrap();
    statistics::activity::add(&mut tx, MINUTE_MS, "one", &[sample("tokens", "refresh_token", 3, 6)]).await.unwrap();
    statistics::activity::add(&mut tx, MINUTE_MS, "two", &[sample("tokens", "refresh_token", 5, 9)]).await.unwrap();
    statistics::activity::add(&mut tx, 2 * HOUR_MS, "two", &[sample("tokens", "refresh_token", 1, 1)]).await.unwrap();
    let of = |at, kind: &str, name: &str, count, failures, slowest| TimeBucket {
        at,
        sample: Sample { failures, ..sample(kind, name, count, slowest) },
    };
    let plugins = |at| of(at, "plugins", "roles", 1, 1, 5);
    let tokens = |at| of(at, "tokens", "refresh_token", 10, 3, 9);
    let last = of(2 * HOUR_MS, "tokens", "refresh_token", 1, 1, 1);
    assert_eq!(steps(&mut tx, MINUTE_MS).await, [plugins(MINUTE_MS), tokens(MINUTE_MS), last.clone()]);
    let by_hour = [plugins(0), tokens(0), last];
    assert_eq!(steps(&mut tx, HOUR_MS).await, by_hour);
    assert_eq!(statistics::activity::by_step(&mut tx, 0, MINUTE_MS, MINUTE_MS).await.unwrap(), []);

    // Added up to hours, in parts, nothing is lost.
    for expected in [2, 1, 0] {
        assert_eq!(statistics::activity::roll_up(&mut tx, HOUR_MS, 2).await.unwrap(), expected);
        assert_eq!(steps(&mut tx, HOUR_MS).await, by_hour);
    }
    assert_eq!(steps(&mut tx, MINUTE_MS).await, by_hour, "the minutes of the first hour are one");
    for expected in [1, 1, 0] {
        assert_eq!(statistics::activity::delete_expired(&mut tx, HOUR_MS, 1).await.unwrap(), expected);
    }
    assert_eq!(steps(&mut tx, HOUR_MS).await, by_hour[2..]);
});

both!(nodes_are_seen_and_forgotten, async |store: Store| {
    let mut tx = store.begin().await;
    let node = |id: &str, started_at, seen_at| Node { id: id.to_owned(), version: "1".to_owned(), started_at, seen_at };
    for seen in [node("a", 1, 1), node("b", 2, 5), node("a", 1, 9)] {
        nodes::heartbeat(&mut tx, &seen).await.unwrap();
    }
    assert_eq!(nodes::list(&mut tx).await.unwrap(), [node("b", 2, 5), node("a", 1, 9)]);
    assert_eq!(nodes::delete_expired(&mut tx, 9).await.unwrap(), 1);
    assert!(nodes::remove(&mut tx, "a").await.unwrap());
    assert!(!nodes::remove(&mut tx, "a").await.unwrap());
});

both!(an_overview_counts_what_there_is, async |store: Store| {
    let mut tx = store.begin().await;
    let none = statistics::overview::counts(&mut tx).await.unwrap();
    assert_eq!(none, statistics::overview::ObjectCounts::default());
    users::insert(&mut tx, &new_user()).await.unwrap();
    roles::insert(&mut tx, &new_role("User")).await.unwrap();
    let counts = statistics::overview::counts(&mut tx).await.unwrap();
    assert_eq!((counts.users, counts.roles, counts.hooks), (1, 1, 0));
    for waiting in [
        statistics::overview::deliveries(&mut tx, 0).await.unwrap(),
        statistics::overview::messages(&mut tx, 0).await.unwrap(),
    ] {
        assert_eq!(waiting, statistics::overview::QueueBacklog::default());
    }
    assert!(statistics::overview::failing_hooks(&mut tx, 0).await.unwrap().is_empty());
    assert!(hooks::sending_to(&mut tx, "token").await.unwrap().is_empty());
    statistics::overview::ping(&mut tx).await.unwrap();
    let database = statistics::overview::database(&mut tx).await.unwrap();
    assert!(database.migration >= 30, "{database:?}");
});

both!(users_come_in_the_order_of_their_places, async |store: Store| {
    let mut tx = store.begin().await;
    let named = |name: &str| User { username: Some(name.to_owned()), ..new_user() };
    let all = ["ada", "bob", "cy"].map(named);
    for user in &all {
        users::insert(&mut tx, user).await.unwrap();
    }
    let (gold, silver) = (new_role("User"), new_role("User"));
    for role in [&gold, &silver] {
        roles::insert(&mut tx, role).await.unwrap();
        roles::assign_to_user(&mut tx, &all[1].id, &role.id).await.unwrap();
    }
    let everybody = list::Filter::default();
    let first = users::list::after(&mut tx, &everybody, 0, 2).await.unwrap();
    assert_eq!(ids(&first, |one| &one.user.id), [&*all[0].id, &*all[1].id]);
    let rest = users::list::after(&mut tx, &everybody, first[1].place, 2).await.unwrap();
    assert_eq!(ids(&rest, |one| &one.user.id), [&*all[2].id]);
    assert!(users::list::after(&mut tx, &everybody, rest[0].place, 2).await.unwrap().is_empty());
    let without = list::Filter { without_role: Some(gold.id.clone()), ..list::Filter::default() };
    assert!(without.is_narrow() && !everybody.is_narrow());
    let found = users::list::after(&mut tx, &without, 0, 9).await.unwrap();
    assert_eq!(ids(&found, |one| &one.user.id), [&*all[0].id, &*all[2].id]);
    let everyone: Vec<_> = all.iter().map(|user| &user.id).collect();
    let mut expected = [gold, silver].map(|role| HeldName { user_id: all[1].id.clone(), name: role.name });
    expected.sort_by(|one, other| one.name.cmp(&other.name));
    assert_eq!(roles::names_of_users(&mut tx, &everyone).await.unwrap(), expected);
    assert_eq!(roles::names_of_users(&mut tx, &[]).await.unwrap(), []);
});

both!(records_of_impersonations_have_a_retention_of_their_own, async |store: Store| {
    let mut tx = store.begin().await;
    for number in 0..3 {
        let record =
            Issuance { exchanged: true, subject_token_id: Some("s".into()), ..new_issuance(&format!("i{number}"), 10) };
        insert(&mut tx, &[&record]).await.unwrap();
    }
    insert(&mut tx, &[&new_issuance("t", 10)]).await.unwrap();
    assert_eq!(issuing::issuances::delete_expired(&mut tx, 11, 9).await.unwrap(), 1);
    assert_eq!(issuing::issuances::delete_impersonations(&mut tx, 10, 9).await.unwrap(), 0);
    for expected in [2, 1, 0] {
        assert_eq!(issuing::issuances::delete_impersonations(&mut tx, 11, 2).await.unwrap(), expected);
    }
});
