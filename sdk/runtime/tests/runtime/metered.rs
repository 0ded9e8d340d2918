//! A host that counts instructions (fuel) behaves like any other, and reports the count.

use crate::support::{ample, claims, error, host, options, request, source};
use crate::wasm::claims_with;
use claimsmith_runtime::{CallError, Host, HostOptions, Language, Limits};
use serde_json::json;
use std::time::Duration;

#[tokio::test]
async fn instructions_are_counted() {
    let folder = tempfile::tempdir().unwrap();
    let cache_dir = Some(folder.path().to_owned());
    let plain = Host::new(HostOptions { cache_dir: cache_dir.clone(), ..options() }).unwrap();
    let metered = Host::new(HostOptions { cache_dir, metered: true, ..options() }).unwrap();
    let loops = |count: u32| {
        let body = format!(
            "(local $i i32) (loop (local.set $i (i32.add (local.get $i) (i32.const 1))) \
             (br_if 0 (i32.lt_u (local.get $i) (i32.const {count})))) (i32.const 64)"
        );
        source(Language::Wasm, wat::parse_str(claims_with(&body)).unwrap())
    };
    let mut counts = Vec::new();
    for count in [1000, 1000, 2000] {
        // One cache for both: neither takes the other's code for its own.
        for (host, counted) in [(&plain, false), (&metered, true)] {
            let plugin = host.load(&loops(count)).await.unwrap();
            let call = plugin.get_custom_jwt_claims(&request(&[]), &ample()).await;
            assert_eq!(call.instructions.is_some(), counted);
            counts.extend(call.instructions);
            assert_eq!(claims(call), json!({ "answer": 42.5 }));
        }
    }
    assert_eq!(counts[0], counts[1], "the same work, the same count");
    assert!(counts[0] > 1000 && counts[2] >= counts[0] + 1000, "{counts:?}");
}

#[tokio::test]
async fn javascript_is_counted_and_ends_at_its_deadline() {
    let metered = Host::new(HostOptions { metered: true, ..options() }).unwrap();
    let text = "export const getCustomJwtClaims = ({ token }) => { while (token.aud === 'loop'); return { a: 1 }; };";
    let plugin = metered.load(&source(Language::JavaScript, text)).await.unwrap();
    let limits = Limits { deadline: Duration::from_secs(30), ..Limits::default() };
    let call = plugin.get_custom_jwt_claims(&request(&[]), &limits).await;
    assert!(call.instructions.is_some_and(|count| count > 10_000), "{:?}", call.instructions);
    assert!(call.peak_memory > 0);
    assert_eq!(claims(call), json!({ "a": 1 }));

    let mut looping = request(&[]);
    looping.token = r#"{"aud":"loop"}"#.into();
    let limits = Limits { deadline: Duration::from_millis(100), ..Limits::default() };
    let call = plugin.get_custom_jwt_claims(&looping, &limits).await;
    assert_eq!(error(call), CallError::TimedOut(limits.deadline));

    let unmetered = host().load(&source(Language::JavaScript, text)).await.unwrap();
    let limits = ample();
    assert_eq!(unmetered.get_custom_jwt_claims(&request(&[]), &limits).await.instructions, None);
}

#[tokio::test]
async fn random_bytes_are_the_same_where_instructions_are_counted_and_nowhere_else() {
    let text = "export const getCustomJwtClaims = () => ({ drawn: [Math.random(), Math.random()] });";
    let metered = Host::new(HostOptions { metered: true, ..options() }).unwrap();
    for (host, repeated) in [(&metered, true), (host(), false)] {
        let plugin = host.load(&source(Language::JavaScript, text)).await.unwrap();
        let draw = async || claims(plugin.get_custom_jwt_claims(&request(&[]), &ample()).await);
        let (first, second) = (draw().await, draw().await);
        assert_ne!(first["drawn"][0], first["drawn"][1]);
        assert_eq!(first == second, repeated, "{first} {second}");
    }
}
