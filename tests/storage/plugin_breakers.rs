//! Circuit breakers of plugins: open ones, their probes, and the failures that all nodes have counted.

use crate::Store;
use claimsmith_storage::plugins;
use claimsmith_storage::plugins::breakers::{Count, Counted, OpenBreaker, Place};
use claimsmith_test_support::both;

fn place(digest: &str, caller: &str, subject: &str) -> Place {
    let text = str::to_owned;
    Place { plugin: text("boom"), digest: text(digest), caller: text(caller), subject: text(subject) }
}

fn open(digest: &str, caller: &str, subject: &str) -> OpenBreaker {
    let Place { plugin, digest, caller, subject } = place(digest, caller, subject);
    let (outcome, error) = ("failed".to_owned(), "TypeError: no".to_owned());
    OpenBreaker {
        plugin,
        digest,
        caller,
        subject,
        outcome,
        error,
        opened_at: 10,
        probe_at: 15,
        probes: 0,
        probe_until: None,
    }
}

fn count(caller: &str, subject: &str, failures: i64, successes: i64) -> Count {
    Count { place: place("1", caller, subject), failures, successes }
}

both!(a_breaker_is_open_until_it_is_closed, async |store: Store| {
    let mut tx = store.db.begin().await.unwrap();
    plugins::breakers::begin_change(&mut tx).await.unwrap();
    let all = [open("1", "", ""), open("1", "a", ""), open("1", "a", "u"), open("1", "b", "u"), open("2", "", "")];
    for breaker in &all {
        assert!(plugins::breakers::open(&mut tx, breaker).await.unwrap());
        assert!(!plugins::breakers::open(&mut tx, breaker).await.unwrap(), "it is open already");
    }
    assert_eq!(plugins::breakers::all(&mut tx).await.unwrap(), all);
    for (plugin, digest, is_open) in
        [("boom", "1", true), ("boom", "2", true), ("boom", "3", false), ("plan", "1", false)]
    {
        assert_eq!(
            plugins::breakers::is_any_open(&mut tx, plugin, digest).await.unwrap(),
            is_open,
            "{plugin} {digest}"
        );
    }
    plugins::breakers::announce(&mut tx).await.unwrap();
    // With those that are open for fewer.
    assert_eq!(plugins::breakers::close(&mut tx, &place("1", "a", "")).await.unwrap(), 2);
    assert_eq!(plugins::breakers::close(&mut tx, &place("1", "b", "v")).await.unwrap(), 0);
    assert_eq!(plugins::breakers::close(&mut tx, &place("1", "", "")).await.unwrap(), 2);
    assert_eq!(plugins::breakers::all(&mut tx).await.unwrap(), all[4..]);
    assert!(!plugins::breakers::is_any_open(&mut tx, "boom", "1").await.unwrap());
    plugins::breakers::count(&mut tx, "one", 20, &[count("a", "u", 1, 0)]).await.unwrap();
    plugins::breakers::forget(&mut tx, "boom").await.unwrap();
    assert_eq!(plugins::breakers::all(&mut tx).await.unwrap(), []);
    assert_eq!(plugins::breakers::counted(&mut tx, "boom", "1").await.unwrap(), []);
});

both!(one_probe_runs_at_a_time, async |store: Store| {
    let mut tx = store.db.begin().await.unwrap();
    let it = place("1", "", "");
    plugins::breakers::open(&mut tx, &open("1", "", "")).await.unwrap();
    for (probe, now, until, begins) in
        [("early", 14, 100, false), ("first", 15, 100, true), ("second", 99, 200, false), ("third", 100, 200, true)]
    {
        let begun = plugins::breakers::begin_probe(&mut tx, &it, probe, (now, until)).await.unwrap();
        assert_eq!(begun, begins, "{probe}");
    }
    // The first one was lost: what it tells does not count.
    for (probe, is_it) in [("first", false), ("third", true)] {
        assert_eq!(plugins::breakers::is_probe(&mut tx, &it, probe).await.unwrap(), is_it);
    }
    plugins::breakers::fail_probe(&mut tx, &it, "first", ("trapped", "late"), 999).await.unwrap();
    plugins::breakers::end_probe(&mut tx, &it, "first").await.unwrap();
    let running = OpenBreaker { probe_until: Some(200), ..open("1", "", "") };
    assert_eq!(plugins::breakers::all(&mut tx).await.unwrap(), [running]);
    plugins::breakers::fail_probe(&mut tx, &it, "third", ("timed_out", "slow"), 300).await.unwrap();
    let (outcome, error) = ("timed_out".to_owned(), "slow".to_owned());
    let failed = OpenBreaker { outcome, error, probe_at: 300, probes: 1, ..open("1", "", "") };
    assert_eq!(plugins::breakers::all(&mut tx).await.unwrap(), std::slice::from_ref(&failed));
    assert!(plugins::breakers::begin_probe(&mut tx, &it, "fourth", (300, 400)).await.unwrap());
    plugins::breakers::end_probe(&mut tx, &it, "fourth").await.unwrap();
    assert_eq!(plugins::breakers::all(&mut tx).await.unwrap(), [failed]);
});

both!(failures_add_up_over_nodes_and_time, async |store: Store| {
    let mut tx = store.db.begin().await.unwrap();
    let counted = |caller: &str, subject: &str, failures, successes| Counted {
        caller: caller.to_owned(),
        subject: subject.to_owned(),
        failures,
        successes,
    };
    for (node, now, counts) in [
        ("one", 10, vec![count("a", "u", 9, 0)]),
        ("one", 20, vec![count("a", "u", 2, 0), count("a", "", 1, 7), count("b", "v", 1, 0)]),
        // Twice at the same time.
        ("one", 20, vec![count("b", "v", 1, 0)]),
        ("two", 20, vec![count("b", "v", 4, 0)]),
        ("two", 30, vec![]),
    ] {
        plugins::breakers::count(&mut tx, node, now, &counts).await.unwrap();
    }
    plugins::breakers::delete_counts(&mut tx, "boom", "1", 10).await.unwrap();
    let all = [counted("b", "v", 6, 0), counted("a", "u", 2, 0), counted("a", "", 1, 7)];
    assert_eq!(plugins::breakers::counted(&mut tx, "boom", "1").await.unwrap(), all);
    assert_eq!(plugins::breakers::counted(&mut tx, "boom", "2").await.unwrap(), []);
    plugins::breakers::forget_counts(&mut tx, &place("1", "a", "u")).await.unwrap();
    assert_eq!(plugins::breakers::counted(&mut tx, "boom", "1").await.unwrap().len(), 2);
    plugins::breakers::forget_counts(&mut tx, &place("1", "a", "")).await.unwrap();
    assert_eq!(plugins::breakers::counted(&mut tx, "boom", "1").await.unwrap(), all[..1]);
    let there_are = plugins::breakers::population(&mut tx, 3).await.unwrap();
    assert_eq!((there_are.users, there_are.hooks), (0, 0));
    assert!(there_are.applications <= 3);
});

both!(counts_of_a_version_have_an_end, async |store: Store| {
    let mut tx = store.db.begin().await.unwrap();
    for part in 0..10 {
        assert!(!plugins::breakers::is_full(&mut tx, "boom", "1").await.unwrap(), "{part}");
        let counts: Vec<Count> = (0..2_000).map(|user| count("a", &format!("{part}-{user}"), 1, 0)).collect();
        plugins::breakers::count(&mut tx, "one", 15, &counts).await.unwrap();
    }
    assert!(plugins::breakers::is_full(&mut tx, "boom", "1").await.unwrap());
    assert!(!plugins::breakers::is_full(&mut tx, "boom", "2").await.unwrap(), "another version");
    plugins::breakers::delete_counts(&mut tx, "boom", "1", 15).await.unwrap();
    assert!(!plugins::breakers::is_full(&mut tx, "boom", "1").await.unwrap());
});

both!(idle_breakers_and_counts_are_deleted, async |store: Store| {
    let mut tx = store.db.begin().await.unwrap();
    for breaker in [open("1", "a", "u"), open("1", "a", "")] {
        plugins::breakers::open(&mut tx, &breaker).await.unwrap();
    }
    plugins::breakers::count(&mut tx, "one", 15, &[count("a", "u", 1, 0)]).await.unwrap();
    plugins::breakers::delete_expired(&mut tx, 15, 15).await.unwrap();
    assert_eq!(plugins::breakers::all(&mut tx).await.unwrap().len(), 2);
    plugins::breakers::delete_expired(&mut tx, 16, 15).await.unwrap();
    assert_eq!(plugins::breakers::all(&mut tx).await.unwrap(), [open("1", "a", "")]);
    assert_eq!(plugins::breakers::counted(&mut tx, "boom", "1").await.unwrap(), []);
    plugins::breakers::delete_expired(&mut tx, 16, 16).await.unwrap();
    assert_eq!(plugins::breakers::all(&mut tx).await.unwrap(), []);
});
