//! Calls with a clock and random bytes that are given, and profiles of calls.

use crate::support::{BEHAVIOURS, ample, claims, load, options, request, source};
use crate::wasm::claims_with;
use claimsmith_runtime::{Conditions, Host, HostOptions, Language, Plugin, names_functions};
use serde_json::Value;
use std::time::Duration;

/// 2025-10-09, and some milliseconds.
const CLOCK: Duration = Duration::from_millis(1_760_000_000_123);

/// What `behaviours.js` answers.
async fn behave(plugin: &Plugin, behaviour: &str) -> Value {
    claims(plugin.get_custom_jwt_claims(&request(&[("BEHAVIOUR", behaviour)]), &ample()).await)
}

/// How many functions a profile has, wherever its table of them is.
fn functions(profile: &Value) -> u64 {
    match profile {
        Value::Object(members) => {
            let own = members.get("funcTable").and_then(|table| table["length"].as_u64());
            own.unwrap_or(0) + members.values().map(functions).sum::<u64>()
        }
        Value::Array(items) => items.iter().map(functions).sum(),
        _ => 0,
    }
}

#[tokio::test]
async fn a_call_has_the_clock_and_the_random_bytes_that_are_given() {
    // The same where instructions are counted, whose random bytes are fixed otherwise.
    for metered in [false, true] {
        let host = Host::new(HostOptions { metered, ..options() }).unwrap();
        let plugin = host.load(&source(Language::JavaScript, BEHAVIOURS)).await.unwrap();
        let under = |seed, clock| plugin.under(Conditions { seed, clock });
        let (first, second) = (under(1, CLOCK), under(2, CLOCK + Duration::from_hours(24 * 365)));
        let drawn = behave(&first, "random").await;
        assert_eq!(behave(&first, "random").await, drawn);
        assert_ne!(behave(&second, "random").await, drawn);
        let shown = behave(&first, "clock").await;
        let now = Duration::from_millis(shown["now"].as_u64().unwrap());
        assert!(now >= CLOCK && now < CLOCK + Duration::from_mins(1), "{shown}");
        assert_eq!(shown["year"], 2025);
        assert_eq!(behave(&second, "clock").await["year"], 2026);
        // The plugin itself is the same as before.
        assert_ne!(behave(&plugin, "clock").await["year"], 2025);
    }
}

#[tokio::test]
async fn a_profile_shows_the_functions_of_a_component() {
    // Some milliseconds of work.
    let body = "(local $turns i32) (loop $again (local.set $turns (i32.add (local.get $turns) (i32.const 1))) \
                (br_if $again (i32.lt_u (local.get $turns) (i32.const 50000000)))) (i32.const 64)";
    let bytes = wat::parse_str(claims_with(body)).unwrap();
    assert!(names_functions(&bytes), "the text format keeps names");
    let plugin = load(Language::Wasm, bytes).await.unwrap();
    let (profiled, profile) = plugin.profiled().unwrap();
    while profile.samples() == 0 {
        claims(profiled.get_custom_jwt_claims(&request(&[]), &ample()).await);
    }
    let before = profile.samples();
    claims(plugin.get_custom_jwt_claims(&request(&[]), &ample()).await);
    assert_eq!(profile.samples(), before, "calls of the plugin itself are not sampled");
    let json: Value = serde_json::from_slice(&profile.finish().unwrap()).unwrap();
    assert_eq!(json["meta"]["product"], "tickets");
    assert!(json["threads"][0]["samples"]["length"].as_u64().unwrap() > 0, "{json}");
    assert!(functions(&json) > 0, "{json}");
    assert_eq!(profile.finish().unwrap_err().to_string(), "there is no profile: it was finished already");
}

#[tokio::test]
async fn a_script_is_profiled_as_its_interpreter() {
    let text = "export const getCustomJwtClaims = () => { let n = 0; while (n < 2000000) n += 1; return { n }; };";
    let plugin = load(Language::JavaScript, text).await.unwrap();
    let (profiled, profile) = plugin.profiled().unwrap();
    while profile.samples() == 0 {
        claims(profiled.get_custom_jwt_claims(&request(&[]), &ample()).await);
    }
    let json: Value = serde_json::from_slice(&profile.finish().unwrap()).unwrap();
    assert!(functions(&json) > 0, "{json}");
}

#[test]
fn a_module_without_a_name_section_names_no_functions() {
    assert!(!names_functions(&wat::parse_str("(module (func))").unwrap()));
    assert!(names_functions(&wat::parse_str("(module (func $work))").unwrap()));
    assert!(names_functions(&wat::parse_str("(component (core module (func $work)))").unwrap()));
    assert!(!names_functions(b"\0asm") && !names_functions(b""));
}
