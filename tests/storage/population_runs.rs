//! Runs of a plugin over all users: one at a time, one node works on it, and differences go with their users.

use crate::Store;
use claimsmith_storage::plugins;
use claimsmith_storage::plugins::Plugin;
use claimsmith_storage::plugins::population_runs::{PopulationRun, Progress, RunEnd, RunLease, StoredDifference};
use claimsmith_storage::{Error, Json, Tx, users};
use claimsmith_test_support::both;
use claimsmith_test_support::seed::new_user;
use serde_json::json;

async fn plugin(tx: &mut Tx, name: &str) {
    plugins::begin_change(tx).await.unwrap();
    let plugin = Plugin {
        name: name.to_owned(),
        settings: Json(json!({})),
        http_grant: None,
        cache_grant: None,
        active_version: Some(1),
        last_version: 1,
        revision: 1,
        customizer: None,
        applied_by: None,
        created_at: 1,
        updated_at: 1,
    };
    plugins::put(tx, &plugin).await.unwrap();
}

fn run(id: &str) -> PopulationRun {
    PopulationRun {
        id: id.to_owned(),
        plugin_name: "plan".to_owned(),
        version: 2,
        against: Some(1),
        application_id: "web".to_owned(),
        options: Json(json!({ "grantType": "authorization_code" })),
        state: "running".to_owned(),
        problem: None,
        total: 10,
        wanted: 5,
        visited: 0,
        compared: 0,
        skipped: 0,
        http_sent: 0,
        http_refused: 0,
        recorded: 0,
        dropped: 0,
        bytes: 0,
        reached: String::new(),
        sealed_key: Some("key".to_owned()),
        sealed_results: None,
        created_by: "operator".to_owned(),
        created_at: 1,
        ended_at: None,
        expires_at: 1000,
    }
}

fn lease<'l>(run: &'l str, holder: &'l str, until: i64) -> RunLease<'l> {
    RunLease { run, holder, until }
}

fn progress(reached: &str, visited: i64) -> Progress<'_> {
    Progress {
        problem: Some("why"),
        visited,
        compared: visited,
        skipped: 1,
        http_sent: 2,
        http_refused: 3,
        recorded: 4,
        dropped: 5,
        bytes: 6,
        reached,
        sealed_results: "results",
    }
}

fn difference(number: i64, class: &str, user: &str) -> StoredDifference {
    StoredDifference {
        id: format!("d{number}"),
        number,
        class: class.to_owned(),
        user_id: user.to_owned(),
        sealed: "sealed".to_owned(),
    }
}

async fn found(tx: &mut Tx, id: &str) -> PopulationRun {
    plugins::population_runs::find(tx, "plan", id).await.unwrap().unwrap()
}

both!(one_run_goes_on_at_a_time, async |store: Store| {
    let mut tx = store.begin().await;
    plugin(&mut tx, "plan").await;
    plugin(&mut tx, "tier").await;
    plugins::population_runs::insert(&mut tx, &run("r1")).await.unwrap();
    tx.commit().await.unwrap();
    let mut tx = store.begin().await;
    let other = PopulationRun { plugin_name: "tier".to_owned(), ..run("r2") };
    let second = plugins::population_runs::insert(&mut tx, &other).await;
    assert!(matches!(second, Err(Error::Conflict)), "{second:?}");
    drop(tx);
    let mut tx = store.begin().await;
    let row = found(&mut tx, "r1").await;
    assert_eq!((row.version, row.against, row.total, row.wanted), (2, Some(1), 10, 5));
    assert_eq!(row.options.0, json!({ "grantType": "authorization_code" }));
    assert!(plugins::population_runs::find(&mut tx, "tier", "r1").await.unwrap().is_none());
    let end = RunEnd { state: "canceled", problem: None, at: 7, expires_at: 77 };
    assert!(!plugins::population_runs::end(&mut tx, "tier", "r1", end).await.unwrap());
    assert!(plugins::population_runs::end(&mut tx, "plan", "r1", end).await.unwrap());
    assert!(!plugins::population_runs::end(&mut tx, "plan", "r1", end).await.unwrap(), "it has ended");
    let row = found(&mut tx, "r1").await;
    assert_eq!((row.state.as_str(), row.ended_at, row.expires_at, row.sealed_key), ("canceled", Some(7), 77, None));
    plugins::population_runs::insert(&mut tx, &PopulationRun { created_at: 2, ..run("r2") }).await.unwrap();
    let listed = plugins::population_runs::list(&mut tx, "plan").await.unwrap();
    assert_eq!(listed.iter().map(|run| run.id.as_str()).collect::<Vec<_>>(), ["r2", "r1"]);
    assert_eq!(plugins::population_runs::delete_expired(&mut tx, 76, 10).await.unwrap(), 0);
    assert_eq!(plugins::population_runs::delete_expired(&mut tx, 77, 10).await.unwrap(), 1);
    assert!(plugins::population_runs::delete(&mut tx, "plan", "r2").await.unwrap());
    assert!(!plugins::population_runs::delete(&mut tx, "plan", "r2").await.unwrap());
    plugins::population_runs::insert(&mut tx, &run("r3")).await.unwrap();
    plugins::delete(&mut tx, "plan").await.unwrap();
    assert!(plugins::population_runs::list(&mut tx, "plan").await.unwrap().is_empty(), "it goes with its plugin");
    let unknown = plugins::population_runs::insert(&mut tx, &run("r4")).await;
    assert!(matches!(unknown, Err(Error::Missing)), "{unknown:?}");
});

both!(one_node_works_on_a_run_and_another_continues_when_its_lease_is_over, async |store: Store| {
    let mut tx = store.begin().await;
    plugin(&mut tx, "plan").await;
    assert_eq!(plugins::population_runs::waiting(&mut tx, 0).await.unwrap(), None);
    plugins::population_runs::insert(&mut tx, &run("r1")).await.unwrap();
    assert_eq!(plugins::population_runs::waiting(&mut tx, 0).await.unwrap().as_deref(), Some("r1"));
    let taken = plugins::population_runs::take_lease(&mut tx, lease("r1", "one", 10), 0).await.unwrap();
    assert_eq!(taken.map(|run| run.reached).as_deref(), Some(""));
    assert_eq!(plugins::population_runs::waiting(&mut tx, 9).await.unwrap(), None);
    assert!(plugins::population_runs::take_lease(&mut tx, lease("r1", "two", 19), 9).await.unwrap().is_none());
    assert!(plugins::population_runs::extend_lease(&mut tx, lease("r1", "one", 20)).await.unwrap());
    plugins::population_runs::advance(&mut tx, "r1", &progress("u3", 3)).await.unwrap();

    assert_eq!(plugins::population_runs::waiting(&mut tx, 20).await.unwrap().as_deref(), Some("r1"));
    let taken = plugins::population_runs::take_lease(&mut tx, lease("r1", "two", 30), 20).await.unwrap().unwrap();
    assert_eq!((taken.reached.as_str(), taken.visited, taken.compared), ("u3", 3, 3));
    assert_eq!((taken.skipped, taken.http_sent, taken.http_refused), (1, 2, 3));
    assert_eq!((taken.recorded, taken.dropped, taken.bytes), (4, 5, 6));
    assert_eq!((taken.problem.as_deref(), taken.sealed_results.as_deref()), (Some("why"), Some("results")));
    assert!(!plugins::population_runs::extend_lease(&mut tx, lease("r1", "one", 40)).await.unwrap());
    assert_eq!(plugins::population_runs::release_leases(&mut tx, Some("one")).await.unwrap(), 0);
    assert_eq!(plugins::population_runs::release_leases(&mut tx, Some("two")).await.unwrap(), 1);
    assert_eq!(plugins::population_runs::waiting(&mut tx, 0).await.unwrap().as_deref(), Some("r1"));
    plugins::population_runs::take_lease(&mut tx, lease("r1", "one", 50), 40).await.unwrap().unwrap();
    assert_eq!(plugins::population_runs::release_leases(&mut tx, None).await.unwrap(), 1);
    let end = RunEnd { state: "failed", problem: Some("broken"), at: 7, expires_at: 77 };
    assert!(plugins::population_runs::end(&mut tx, "plan", "r1", end).await.unwrap());
    assert_eq!(plugins::population_runs::waiting(&mut tx, 100).await.unwrap(), None);
    assert!(!plugins::population_runs::extend_lease(&mut tx, lease("r1", "one", 90)).await.unwrap());
    assert_eq!(found(&mut tx, "r1").await.problem.as_deref(), Some("broken"));
});

both!(differences_go_with_their_user_and_their_run, async |store: Store| {
    let mut tx = store.begin().await;
    let (ada, bob) = (new_user(), new_user());
    for user in [&ada, &bob] {
        users::insert(&mut tx, user).await.unwrap();
    }
    let ids = [ada.id.to_string(), bob.id.to_string()];
    let all = plugins::population_runs::users_after(&mut tx, "", 10).await.unwrap();
    assert!(ids.iter().all(|id| all.contains(id)));
    let after = plugins::population_runs::users_after(&mut tx, &all[0], 1).await.unwrap();
    assert_eq!(after, [all[1].clone()]);

    plugin(&mut tx, "plan").await;
    plugins::population_runs::insert(&mut tx, &run("r1")).await.unwrap();
    for (number, class, user, is_added) in [
        (1, "different", ada.id.as_str(), true),
        (2, "failed", ada.id.as_str(), true),
        (3, "different", "deleted", false),
        (4, "different", bob.id.as_str(), true),
    ] {
        let one = difference(number, class, user);
        assert_eq!(plugins::population_runs::add_difference(&mut tx, "r1", &one).await.unwrap(), is_added);
    }
    let numbers = |found: Vec<StoredDifference>| found.into_iter().map(|one| one.number).collect::<Vec<_>>();
    let mut read = async |class: Option<&str>, after: i64, limit: i64| {
        numbers(plugins::population_runs::differences(&mut tx, "r1", class, after, limit).await.unwrap())
    };
    assert_eq!(read(None, 0, 10).await, [1, 2, 4]);
    assert_eq!(read(None, 1, 1).await, [2]);
    assert_eq!(read(Some("different"), 0, 10).await, [1, 4]);
    users::delete(&mut tx, &ada.id).await.unwrap();
    let left = plugins::population_runs::differences(&mut tx, "r1", None, 0, 10).await.unwrap();
    assert_eq!(left, [difference(4, "different", bob.id.as_str())]);
    plugins::population_runs::delete(&mut tx, "plan", "r1").await.unwrap();
    assert!(plugins::population_runs::differences(&mut tx, "r1", None, 0, 10).await.unwrap().is_empty());

    // An expired run goes in parts, and last itself.
    plugins::population_runs::insert(&mut tx, &run("r2")).await.unwrap();
    for number in 5..=7 {
        let one = difference(number, "different", bob.id.as_str());
        assert!(plugins::population_runs::add_difference(&mut tx, "r2", &one).await.unwrap());
    }
    for (deleted, is_left) in [(2, true), (2, false), (0, false)] {
        assert_eq!(plugins::population_runs::delete_expired(&mut tx, 1000, 2).await.unwrap(), deleted);
        assert_eq!(plugins::population_runs::find(&mut tx, "plan", "r2").await.unwrap().is_some(), is_left);
    }
});
