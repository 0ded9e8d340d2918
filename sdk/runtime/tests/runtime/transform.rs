//! Webhook transforms: their input, their answers, and each limit.

use crate::support::{ample, host, load, options, refusal, source};
use claimsmith_runtime::{
    Call, CallError, Host, HostOptions, Kind, Language, Level, Limits, LoadError, Plugin, TransformRequest, Transformed,
};
use serde_json::{Value, json};
use std::{sync::Arc, time::Duration};
use tokio::sync::OnceCell;

const BEHAVIOURS: &str = include_str!("../guests/transforms.js");
const COMPONENT: &str = include_str!("../guests/transform.wat");
const EVENT: &str = r#"{"event":"User.Created","data":{"id":"u1"}}"#;

fn limits() -> Limits {
    // A test of another limit must not reach the deadline, however busy the machine is.
    Limits { output: 256 << 10, ..ample() }
}

fn delivery(variables: &[(&str, &str)]) -> TransformRequest {
    TransformRequest {
        id: "msg_1".into(),
        event: EVENT.into(),
        hook: r#"{"id":"h1","name":"CRM","url":"https://example.com/in"}"#.into(),
        environment: variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect(),
    }
}

async fn behave_within(behaviour: &str, limits: &Limits) -> Call<Transformed> {
    static PLUGIN: OnceCell<Arc<Plugin>> = OnceCell::const_new();
    let plugin = PLUGIN.get_or_init(|| async { load(Language::JavaScript, BEHAVIOURS).await.unwrap() }).await;
    plugin.transform(&delivery(&[("BEHAVIOUR", behaviour)]), limits).await
}

async fn behave(behaviour: &str) -> Call<Transformed> {
    behave_within(behaviour, &limits()).await
}

fn sent(body: Option<&str>, headers: &[(&str, &str)], path: Option<&str>) -> Transformed {
    let headers = headers.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    Transformed::Send { body: body.map(str::to_owned), headers, path: path.map(str::to_owned) }
}

fn body_of(call: Call<Transformed>) -> Value {
    let Transformed::Send { body: Some(body), .. } = call.result.unwrap() else { panic!("no body") };
    serde_json::from_str(&body).unwrap()
}

/// The hand-written component with another body.
fn component(body: &str) -> Vec<u8> {
    wat::parse_str(COMPONENT.replace("(i32.const 64) ;; body", body)).unwrap()
}

async fn call_component(body: &str) -> Call<Transformed> {
    let plugin = load(Language::Wasm, component(body)).await.unwrap();
    assert_eq!(plugin.kind(), Kind::WebhookTransform);
    assert_eq!(plugin.imports(), ["claimsmith:plugin/types", "claimsmith:plugin/webhooks"]);
    let limits = Limits { deadline: Duration::from_secs(2), ..limits() };
    plugin.transform(&delivery(&[]), &limits).await
}

#[tokio::test]
async fn a_component_answers() {
    let answer = call_component("(i32.const 64)").await.result.unwrap();
    assert_eq!(answer, sent(Some(EVENT), &[("x-id", "msg_1")], None));
    let dropped = call_component("(i32.const 128)").await.result.unwrap();
    assert_eq!(dropped, Transformed::Drop("no ticket".to_owned()));
    let denied = call_component("(i32.const 192)").await.result.unwrap_err();
    assert_eq!(denied, CallError::Failed("a webhook transform cannot deny access: no ticket".to_owned()));
}

#[tokio::test]
async fn a_component_that_misbehaves_is_ended() {
    let error = async |body: &str| call_component(body).await.result.unwrap_err();
    assert!(matches!(error("unreachable").await, CallError::Trapped(_)));
    assert_eq!(error("(loop (br 0)) (i32.const 64)").await, CallError::TimedOut(Duration::from_secs(2)));
    let grow = "(drop (memory.grow (i32.const 2000))) (i32.const 64)";
    assert_eq!(error(grow).await, CallError::OutOfMemory(64 << 20));
    let large = "(i32.store (i32.const 80) (i32.const 0x40001)) (i32.const 64)";
    assert!(matches!(error(large).await, CallError::BadOutput(text) if text.contains("at most 262144 are accepted")));
    let huge = "(i32.store (i32.const 80) (i32.const 0x100000)) (i32.const 64)";
    assert!(matches!(error(huge).await, CallError::BadOutput(text) if text.contains("to the host in one call")));
    let many = "(i32.store (i32.const 88) (i32.const 0x1000)) (i32.const 64)";
    assert!(matches!(error(many).await, CallError::BadOutput(_) | CallError::Trapped(_)));
}

#[tokio::test]
async fn an_author_sees_the_delivery_and_nothing_else() {
    let told = body_of(behave("tells").await);
    let expected = json!({
        "deliveryId": "msg_1", "event": { "event": "User.Created", "data": { "id": "u1" } },
        "hook": { "id": "h1", "name": "CRM", "url": "https://example.com/in" },
        "environmentVariables": { "BEHAVIOUR": "tells" }, "api": "undefined", "fetch": "undefined",
    });
    assert_eq!(told, expected);
}

#[tokio::test]
async fn an_author_changes_what_is_sent() {
    let table = [
        ("nothing", sent(None, &[], None)),
        ("empty", sent(None, &[], None)),
        ("object", sent(Some(r#"{"event":"User.Created","data":{"id":"u1"},"seen":true}"#), &[], None)),
        ("text", sent(Some("plain text"), &[], None)),
        ("list", sent(Some("[1,2]"), &[], None)),
        ("headers", sent(None, &[("x-kind", "a"), ("content-type", "text/plain"), ("retries", "3")], None)),
        ("headersObject", sent(None, &[("x-kind", "a")], None)),
        ("pairs", sent(None, &[("x-kind", "b")], None)),
        ("path", sent(None, &[], Some("users/user.created/"))),
        ("drop", Transformed::Drop("nobody reads it".to_owned())),
        ("largest", sent(Some(&"x".repeat(256 << 10)), &[], None)),
    ];
    for (behaviour, expected) in table {
        assert_eq!(behave(behaviour).await.result, Ok(expected), "{behaviour}");
    }
    let logged = behave("logs").await;
    assert_eq!((logged.logs[0].level, logged.logs[0].message.as_str()), (Level::Warn, "here"));
    assert_ne!(body_of(behave("random").await), body_of(behave("random").await));
}

#[tokio::test]
async fn headers_of_the_server_are_dropped_and_said_so() {
    let call = behave("forges").await;
    assert_eq!(call.dropped, ["host", "webhook-signature"]);
    assert_eq!(call.logs[0].level, Level::Warn);
    assert_eq!(call.logs[0].message, "the header \"host\" is not a transform's to set and was dropped");
    assert_eq!(call.result, Ok(sent(None, &[("x-mine", "1")], None)));
}

#[tokio::test]
async fn an_invalid_answer_fails_with_a_hint() {
    let refused = [
        ("event", "it returned an object with \"event\""),
        ("asList", "it returned a list"),
        ("asText", "it returned string"),
        ("bodyNumber", "the body is 5"),
        ("bodyNull", "the body is null"),
        ("headersText", "the headers are x-kind: a"),
        ("headerObject", "the header x-kind is {\"a\":1}"),
        ("pathObject", "the path is {\"a\":1}"),
        ("dropNothing", "drop is no reason"),
        ("dropAndBody", "it returned drop beside something else"),
    ];
    for (behaviour, part) in refused {
        let error = behave(behaviour).await.result.unwrap_err();
        let CallError::Failed(text) = error else { panic!("{behaviour}: {error:?}") };
        assert!(text.contains(part) && text.contains("return nothing to leave the delivery as it is"), "{text}");
    }
    for (behaviour, part) in [("throws", "Error: no luck"), ("throwsText", "thrown: a text"), ("denies", "denied")] {
        let error = behave(behaviour).await.result.unwrap_err();
        assert!(matches!(&error, CallError::Failed(text) if text.contains(part)), "{behaviour}: {error:?}");
    }
    let CallError::Failed(trace) = behave("throws").await.result.unwrap_err() else { panic!() };
    assert!(trace.contains("tickets.js:") && !trace.contains("/claimsmith/"), "{trace}");
}

#[tokio::test]
async fn each_limit_ends_it() {
    let error = async |behaviour: &str| behave(behaviour).await.result.unwrap_err();
    assert!(matches!(error("splits").await, CallError::BadOutput(text) if text.contains("printable ASCII")));
    assert!(matches!(error("climbs").await, CallError::BadOutput(text) if text.contains("leaves the hook's own path")));
    assert!(matches!(error("nul").await, CallError::BadOutput(text) if text.contains("NUL")));
    assert!(behave("nulInJson").await.result.is_ok(), "there it is escaped");
    assert!(matches!(error("large").await, CallError::BadOutput(text) if text.contains("262145 bytes")));
    assert!(matches!(error("huge").await, CallError::BadOutput(_)));
    assert_eq!(error("allocates").await, CallError::OutOfMemory(64 << 20));
    assert!(matches!(error("never").await, CallError::Trapped(text) if text.contains("never settles")));
    let limits = Limits { deadline: Duration::from_millis(100), ..limits() };
    let looped = behave_within("loops", &limits).await.result.unwrap_err();
    assert_eq!(looped, CallError::TimedOut(Duration::from_millis(100)));
}

#[tokio::test]
async fn a_plugin_has_one_of_the_functions() {
    let claims = "export const getCustomJwtClaims = () => ({});";
    let transform = "export const transformWebhook = () => undefined;";
    let wrong = |error: LoadError| match error {
        LoadError::WrongWorld(text) => text,
        other => panic!("{other:?}"),
    };
    let both = wrong(refusal(Language::JavaScript, format!("{claims}\n{transform}")).await);
    assert_eq!(both, "tickets.js exports both getCustomJwtClaims and transformWebhook: a plugin has one of them");
    let neither = wrong(refusal(Language::TypeScript, "export const transform = 1;").await);
    assert_eq!(neither, "tickets.ts defines none of getCustomJwtClaims, transformWebhook and composeMessage");
    let no_function = wrong(refusal(Language::JavaScript, "export const transformWebhook = 1;").await);
    assert_eq!(no_function, "transformWebhook is not a function: export one, or declare one");

    let declared = load(Language::TypeScript, "const transformWebhook = async () => { const x: number = 1; };").await;
    let declared = declared.unwrap();
    assert_eq!(declared.kind(), Kind::WebhookTransform);
    assert!(!declared.imports().iter().any(|name| name.ends_with("/http")), "{:?}", declared.imports());
    let asked = declared.get_custom_jwt_claims(&crate::support::request(&[]), &ample()).await;
    assert!(matches!(asked.result, Err(CallError::Unavailable(text)) if text.contains("webhook-transform")));
}

#[tokio::test]
async fn a_component_of_both_worlds_or_with_http_is_refused() {
    let both = r#"(component
      (core module $m (func (export "f")))
      (core instance $i (instantiate $m))
      (func $f (canon lift (core func $i "f")))
      (export "get-custom-jwt-claims" (func $f))
      (export "transform" (func $f)))"#;
    let error = refusal(Language::Wasm, wat::parse_str(both).unwrap()).await.to_string();
    assert_eq!(error, "it exports both `get-custom-jwt-claims` and `transform`: a plugin has one of them");
    let other_type = both.replace("(export \"get-custom-jwt-claims\" (func $f))", "");
    let error = refusal(Language::Wasm, wat::parse_str(&other_type).unwrap()).await.to_string();
    assert!(error.starts_with("it does not fit the world `webhook-transform`"), "{error}");
    let http = other_type.replace("(component", "(component (import \"claimsmith:plugin/http@1.0.0\" (instance))");
    let error = refusal(Language::Wasm, wat::parse_str(&http).unwrap()).await.to_string();
    let expected =
        "it imports an interface that is not in its world claimsmith:plugin/webhook-transform: claimsmith:plugin/http";
    assert_eq!(error, expected);
}

#[tokio::test]
async fn a_metered_host_counts_it() {
    let metered = Host::new(HostOptions { metered: true, ..options() }).unwrap();
    let plugin = metered.load(&source(Language::Wasm, component("(i32.const 64)"))).await.unwrap();
    let call = plugin.transform(&delivery(&[]), &limits()).await;
    assert!(call.instructions.is_some_and(|count| count > 0) && call.result.is_ok());
    let plain = host().load(&source(Language::Wasm, component("(i32.const 64)"))).await.unwrap();
    assert_eq!(plain.transform(&delivery(&[]), &limits()).await.instructions, None);
}
