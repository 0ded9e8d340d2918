//! What retention counts in advance, entries of the audit log and active users: the sums are those of a plain count, however
//! much of it was counted, before and after retention.

use crate::Store;
use crate::issuances::{insert, new_issuance};
use claimsmith_domain::clock::Clock;
use claimsmith_storage::audit::{self, Filter, StoredAuditEntry};
use claimsmith_storage::issuing;
use claimsmith_storage::issuing::issuances::Issuance;
use claimsmith_storage::users::activity::{self, ActiveDay, DAY_MS};
use claimsmith_storage::{Json, Slice, Tx};
use claimsmith_test_support::both;
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};

const KEYS: [&str; 5] =
    ["ExchangeTokenBy.TokenExchange", "Management.User.Create", "Management.User.Delete", "Gone.By", "Management.Role"];

fn entry(number: i64, created_at: i64) -> StoredAuditEntry {
    let key = KEYS[usize::try_from(number * number % 5).unwrap()];
    let result = if number % 3 == 0 { "Error" } else { "Success" };
    StoredAuditEntry {
        id: format!("{number:05}"),
        key: key.to_owned(),
        payload: Json(json!({ "key": key, "result": result, "applicationId": "web" })),
        created_at,
    }
}

/// Compares lists and totals with those of the entries that there should be.
async fn compare(tx: &mut Tx, entries: &[StoredAuditEntry]) {
    let mut newest: Vec<&StoredAuditEntry> = entries.iter().collect();
    newest.sort_by(|one, other| (other.created_at, &other.id).cmp(&(one.created_at, &one.id)));
    let prefixes = ["", "Management.", "Management.User.", "Gone.", "ExchangeTokenBy.TokenExchange", "Nothing."];
    let by_prefix = prefixes.map(|prefix| Filter { key_prefix: Some(prefix.to_owned()), ..Filter::default() });
    let by_key = KEYS.map(|key| Filter { key: Some(key.to_owned()), ..Filter::default() });
    for wanted in by_prefix.into_iter().chain(by_key).chain([Filter::default()]) {
        for (result, application_id, to) in [
            (None, None, None),
            (Some("Success"), None, None),
            (Some("Error"), None, None),
            (None, Some("web"), None),
            (None, None, Some(30_000)),
        ] {
            let wanted = Filter {
                result: result.map(str::to_owned),
                application_id: application_id.map(Into::into),
                to,
                ..wanted.clone()
            };
            let is_wanted = |entry: &&&StoredAuditEntry| {
                wanted.key.as_ref().is_none_or(|key| *key == entry.key)
                    && wanted.key_prefix.as_ref().is_none_or(|prefix| entry.key.starts_with(prefix))
                    && result.is_none_or(|result| entry.payload["result"] == result)
                    && to.is_none_or(|to| entry.created_at <= to)
            };
            let expected: Vec<&str> = newest.iter().filter(is_wanted).map(|entry| entry.id.as_str()).collect();
            let count = audit::count(tx, &wanted, i64::MAX).await.unwrap();
            assert_eq!(usize::try_from(count), Ok(expected.len()), "{wanted:?}");
            assert_eq!(audit::count(tx, &wanted, 7).await.unwrap(), count.min(7), "{wanted:?}");
            for slice in [Slice { limit: 5, offset: 0 }, Slice { limit: 20, offset: 13 }, Slice::ALL] {
                let listed = audit::list(tx, &wanted, slice).await.unwrap();
                let skipped = usize::try_from(slice.offset).unwrap();
                let page = expected.iter().skip(skipped).take(usize::try_from(slice.limit).unwrap());
                assert!(listed.iter().map(|entry| entry.id.as_str()).eq(page.copied()), "{wanted:?} {slice:?}");
            }
        }
    }
}

both!(entries_that_are_counted_in_advance_are_counted_once, async |store: Store| {
    let mut tx = store.begin().await;
    // Several have the same time.
    let mut entries: Vec<StoredAuditEntry> = (0..120).map(|number| entry(number, number / 4 * 1000)).collect();
    audit::append(&mut tx, &entries).await.unwrap();
    let delivery = StoredAuditEntry { key: "TriggerHook.User.Created".to_owned(), ..entry(9000, 5) };
    audit::append(&mut tx, &[delivery]).await.unwrap();
    compare(&mut tx, &entries).await;
    for _ in 0..4 {
        assert!(audit::counts::count_up(&mut tx, 25_000, 20).await.unwrap());
        compare(&mut tx, &entries).await;
    }
    while audit::counts::count_up(&mut tx, 25_000, 20).await.unwrap() {}
    assert!(!audit::counts::count_up(&mut tx, 25_000, 20).await.unwrap());
    assert!(!audit::counts::count_up(&mut tx, 24_000, 20).await.unwrap(), "the time does not go back");
    compare(&mut tx, &entries).await;

    // Those of the time that is counted, and of now.
    let late: Vec<StoredAuditEntry> = (200..230).map(|number| entry(number, number * 100)).collect();
    audit::append(&mut tx, &late).await.unwrap();
    entries.extend(late);
    let now = Clock::system().now_ms();
    let present: Vec<StoredAuditEntry> = (300..310).map(|number| entry(number, now)).collect();
    audit::append(&mut tx, &present).await.unwrap();
    entries.extend(present);
    compare(&mut tx, &entries).await;
    tx.commit().await.unwrap();

    // Retention, in what is counted, and beyond.
    let mut tx = store.begin().await;
    for before in [3000, 20_000, 27_000] {
        while audit::delete_expired(&mut tx, before, 10).await.unwrap() > 0 {}
        entries.retain(|entry| entry.created_at >= before);
        compare(&mut tx, &entries).await;
    }
    assert!(!audit::counts::count_up(&mut tx, now + 1, 1000).await.unwrap());
    compare(&mut tx, &entries).await;
    // The clock was ahead for a moment.
    assert!(!audit::counts::count_up(&mut tx, now + 3_600_000, 1000).await.unwrap());
    let next: Vec<StoredAuditEntry> = (400..410).map(|number| entry(number, now + 1)).collect();
    audit::append(&mut tx, &next).await.unwrap();
    entries.extend(next);
    compare(&mut tx, &entries).await;
    while audit::delete_expired(&mut tx, i64::MAX, 1000).await.unwrap() > 0 {}
    compare(&mut tx, &[]).await;
});

/// Compares days and ranges of days with the uses that there were.
async fn compare_days(tx: &mut Tx, uses: &BTreeSet<(i64, String)>) {
    for (first, last) in [(0, 9), (2, 2), (1, 3), (3, 9), (5, 7), (8, 20)] {
        let within = || uses.iter().filter(|(day, _)| (first..=last).contains(day));
        let mut days: BTreeMap<i64, i64> = BTreeMap::new();
        for (day, _) in within() {
            *days.entry(*day).or_default() += 1;
        }
        let days: Vec<ActiveDay> = days.into_iter().map(|(day, count)| ActiveDay { day, count }).collect();
        assert_eq!(activity::by_day(tx, first, last).await.unwrap(), days, "{first} to {last}");
        let people: BTreeSet<&String> = within().map(|(_, user)| user).collect();
        let count = activity::users(tx, first, last).await.unwrap();
        assert_eq!(usize::try_from(count), Ok(people.len()), "{first} to {last}");
    }
}

both!(active_users_are_counted_once_in_each_range, async |store: Store| {
    let mut tx = store.begin().await;
    let mut uses = BTreeSet::new();
    for number in 0..200_i64 {
        let (day, user) = (number * number * 7 % 10, format!("user{}", number * 3 % 17));
        let issuance = Issuance {
            user_id: Some(user.as_str().into()),
            created_at: day * DAY_MS + number,
            // Not in the order of their days.
            ..new_issuance(&format!("{number:03}"), 1000 + number * 13 % 200)
        };
        insert(&mut tx, &[&issuance]).await.unwrap();
        uses.insert((day, user));
    }
    compare_days(&mut tx, &uses).await;
    // Some records go before they are counted: in the middle of what was not, and at random.
    issuing::issuances::delete_expired(&mut tx, 1030, 1000).await.unwrap();
    compare_days(&mut tx, &uses).await;
    for _ in 0..3 {
        assert!(users_count_up(&mut tx, 20).await);
        compare_days(&mut tx, &uses).await;
    }
    issuing::issuances::delete_expired(&mut tx, 1080, 1000).await.unwrap();
    compare_days(&mut tx, &uses).await;
    while users_count_up(&mut tx, 20).await {}
    compare_days(&mut tx, &uses).await;
    // The clock was ahead for a moment.
    while activity::count_up(&mut tx, 1000 * DAY_MS, 20).await.unwrap() {}
    let issuance =
        Issuance { user_id: Some("late".into()), created_at: 9 * DAY_MS + 500, ..new_issuance("late", 1150) };
    insert(&mut tx, &[&issuance]).await.unwrap();
    uses.insert((9, "late".to_owned()));
    compare_days(&mut tx, &uses).await;
    issuing::issuances::delete_expired(&mut tx, i64::MAX, 1000).await.unwrap();
    compare_days(&mut tx, &uses).await;
    // Nobody is counted on days whose retention is over, and whoever was active on later ones is.
    assert!(activity::delete_expired(&mut tx, 3, 1000).await.unwrap() > 0);
    uses.retain(|(day, _)| *day >= 3);
    compare_days(&mut tx, &uses).await;
});

/// Records about so many uses from before the last of the days.
async fn users_count_up(tx: &mut Tx, limit: i64) -> bool {
    claimsmith_storage::users::activity::count_up(tx, 9 * DAY_MS, limit).await.unwrap()
}
