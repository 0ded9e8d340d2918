//! Isolation: no state of one call reaches another, and no file, socket or environment of the host reaches a guest.

use crate::support::{ample, behave, claims, load, refusal, request};
use claimsmith_runtime::{Language, LoadError};
use serde_json::json;
use std::{
    collections::HashSet,
    time::{SystemTime, UNIX_EPOCH},
};
use tokio::task::JoinSet;

#[tokio::test]
async fn globals_do_not_outlive_a_call() {
    for _ in 0..3 {
        assert_eq!(claims(behave("count").await), json!({ "calls": 1, "leaked": 1 }));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn calls_at_the_same_time_do_not_meet() {
    let mut calls: JoinSet<_> = (0..40).map(|_| behave("count")).collect();
    while let Some(call) = calls.join_next().await {
        assert_eq!(claims(call.unwrap()), json!({ "calls": 1, "leaked": 1 }));
    }
}

#[tokio::test]
async fn randomness_differs_between_calls_and_within_one() {
    let mut seen = HashSet::new();
    for _ in 0..5 {
        let drawn = claims(behave("random").await);
        let number = drawn["number"].as_f64().unwrap();
        assert!((0.0..1.0).contains(&number));
        let uuid = drawn["uuid"].as_str().unwrap().to_owned();
        assert!(uuid.len() == 36 && uuid.as_bytes()[14] == b'4', "{uuid}");
        assert!(seen.insert(number.to_string()) && seen.insert(uuid) && seen.insert(drawn["bytes"].to_string()));
    }
    let many = claims(behave("manyRandom").await);
    let numbers: HashSet<_> = many["numbers"].as_array().unwrap().iter().map(ToString::to_string).collect();
    assert_eq!((numbers.len(), &many["sum"]), (200, &json!(16384)));
}

#[tokio::test]
async fn top_level_code_has_no_randomness_to_repeat() {
    let text = "const seed = Math.random();\nexport const getCustomJwtClaims = () => ({ seed });";
    let LoadError::Initialization(text) = refusal(Language::JavaScript, text).await else { panic!() };
    assert!(text.contains("it would repeat in every call") && text.contains("tickets.js:1:"), "{text}");
}

#[tokio::test]
async fn a_guest_has_a_clock_and_nothing_else_of_the_machine() {
    let clock = claims(behave("clock").await);
    #[expect(
        clippy::disallowed_methods,
        reason = "the guest's clock is the machine's, and this is the other way to it"
    )]
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs_f64() * 1000.0;
    assert!((clock["now"].as_f64().unwrap() - now).abs() < 600_000.0, "{clock}");
    let undefined = "undefined";
    assert_eq!(
        claims(behave("world").await),
        json!({ "process": undefined, "require": undefined, "std": undefined, "os": undefined, "wit": 0 })
    );
}

#[tokio::test]
async fn clocks_have_milliseconds_and_start_with_the_call() {
    for _ in 0..3 {
        let clock = claims(behave("precise").await);
        assert_eq!((&clock["whole"], &clock["rising"], &clock["dates"]), (&json!(true), &json!(true), &json!(true)));
        assert!(clock["first"].as_f64().unwrap() < 1000.0, "{clock}");
        assert_eq!(clock["names"], json!(["now"]));
    }
}

#[tokio::test]
async fn wasi_shows_no_environment_and_no_folder() {
    let bytes = wat::parse_str(include_str!("../guests/sandbox.wat")).unwrap();
    let plugin = load(Language::Wasm, bytes).await.unwrap();
    assert!(std::env::vars_os().next().is_some(), "this process has an environment to hide");
    let call = plugin.get_custom_jwt_claims(&request(&[("A", "b")]), &ample()).await;
    assert_eq!(claims(call), json!({ "environment": 0, "folders": 0 }));
    assert_eq!(plugin.imports()[1..3], ["wasi:cli/environment", "wasi:filesystem/types"]);
}
