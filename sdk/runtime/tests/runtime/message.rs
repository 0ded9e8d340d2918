//! Message plugins: their input, their answers, and each limit.

use crate::support::{ample, load, refusal};
use claimsmith_runtime::{
    Call, CallError, HttpCapability, Kind, Language, Level, Limits, LoadError, MessageRequest, OutgoingMessage, Plugin,
};
use serde_json::{Value, json};
use std::{sync::Arc, time::Duration};
use tokio::sync::OnceCell;

const BEHAVIOURS: &str = include_str!("../guests/messages.js");
const COMPONENT: &str = include_str!("../guests/message.wat");
const URL: &str = "https://api.example.com/send";

fn limits() -> Limits {
    // A test of another limit must not reach the deadline, however busy the machine is.
    Limits { output: 256 << 10, ..ample() }
}

/// What the operator granted.
fn granted() -> Arc<HttpCapability> {
    let capability = json!({ "hosts": ["api.example.com"], "methods": ["GET", "POST", "PUT"] });
    Arc::new(serde_json::from_value(capability).unwrap())
}

fn message(variables: &[(&str, &str)]) -> OutgoingMessage {
    OutgoingMessage {
        id: "msg_1".into(),
        channel: "Sms".into(),
        event: "SignIn".into(),
        recipient: "+16502530000".into(),
        language: "de".into(),
        code: Some("123456".into()),
        link: None,
        content: r#"{"text":"Ihr Code: 123456"}"#.into(),
        context: r#"{"user":{"id":"u1"},"organization":{"id":"o1"}}"#.into(),
        environment: variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect(),
        http: Some(granted()),
    }
}

async fn plugin() -> &'static Arc<Plugin> {
    static PLUGIN: OnceCell<Arc<Plugin>> = OnceCell::const_new();
    PLUGIN.get_or_init(|| async { load(Language::JavaScript, BEHAVIOURS).await.unwrap() }).await
}

async fn behave(behaviour: &str) -> Call<MessageRequest> {
    plugin().await.compose(&message(&[("BEHAVIOUR", behaviour)]), &limits()).await
}

fn request(method: &str, headers: &[(&str, &str)], body: Option<&str>) -> MessageRequest {
    let headers = headers.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    MessageRequest { method: method.to_owned(), url: URL.to_owned(), headers, body: body.map(str::to_owned) }
}

/// The hand-written component with another last line.
async fn call_component(line: &str, http: Option<Arc<HttpCapability>>) -> Call<MessageRequest> {
    let bytes = wat::parse_str(COMPONENT.replace("(i32.const 64) ;; request", line)).unwrap();
    let plugin = load(Language::Wasm, bytes).await.unwrap();
    assert_eq!(plugin.kind(), Kind::Message);
    assert_eq!(plugin.imports(), ["claimsmith:plugin/types", "claimsmith:plugin/messages"]);
    let limits = Limits { deadline: Duration::from_secs(2), ..limits() };
    plugin.compose(&OutgoingMessage { http, ..message(&[]) }, &limits).await
}

#[tokio::test]
async fn a_component_answers() {
    let answer = call_component("(i32.const 64)", Some(granted())).await.result.unwrap();
    let url = "https://api.example.com/".to_owned();
    assert_eq!(answer, MessageRequest { url, ..request("POST", &[], Some("+16502530000")) });
    let denied = call_component("(i32.const 192)", Some(granted())).await.result.unwrap_err();
    assert_eq!(denied, CallError::Denied("POST".to_owned()));
}

#[tokio::test]
async fn a_component_that_misbehaves_is_ended() {
    let error = async |line: &str| call_component(line, Some(granted())).await.result.unwrap_err();
    assert!(matches!(error("unreachable").await, CallError::Trapped(_)));
    assert_eq!(error("(loop (br 0)) (i32.const 64)").await, CallError::TimedOut(Duration::from_secs(2)));
    let grow = "(drop (memory.grow (i32.const 2000))) (i32.const 64)";
    assert_eq!(error(grow).await, CallError::OutOfMemory(64 << 20));
    let large = "(i32.store (i32.const 100) (i32.const 0x40001)) (i32.const 64)";
    assert!(matches!(error(large).await, CallError::BadOutput(text) if text.contains("at most 262144 are accepted")));
    let huge = "(i32.store (i32.const 100) (i32.const 0x100000)) (i32.const 64)";
    assert!(matches!(error(huge).await, CallError::BadOutput(text) if text.contains("to the host in one call")));
    let nothing_granted = call_component("(i32.const 64)", None).await.result.unwrap_err();
    let text = "POST https://api.example.com/ was not granted to this plugin";
    assert_eq!(nothing_granted, CallError::BadOutput(text.to_owned()));
}

#[tokio::test]
async fn an_author_sees_the_message_and_nothing_else() {
    let told = behave("tells").await.result.unwrap();
    let told: Value = serde_json::from_str(&told.body.unwrap()).unwrap();
    let expected = json!({
        "id": "msg_1", "channel": "Sms", "event": "SignIn", "recipient": "+16502530000", "language": "de",
        "code": "123456", "content": { "text": "Ihr Code: 123456" },
        "context": { "user": { "id": "u1" }, "organization": { "id": "o1" } },
        "environmentVariables": { "BEHAVIOUR": "tells" }, "api": "function", "fetch": "undefined",
    });
    assert_eq!(told, expected);
}

#[tokio::test]
async fn an_author_answers_the_request() {
    let (json, form) = ("application/json", "application/x-www-form-urlencoded");
    let table = [
        ("least", request("POST", &[], None)),
        ("text", request("POST", &[], Some("plain text"))),
        ("list", request("POST", &[("content-type", json)], Some("[1,2]"))),
        ("form", request("POST", &[("content-type", form)], Some("To=%2B16502530000&Body=a+b"))),
        ("typed", request("POST", &[("content-type", "application/vnd.api+json")], Some("{}"))),
        ("headers", request("PUT", &[("x-kind", "a")], None)),
        ("basic", request("POST", &[("authorization", "Basic dXNlcjpwYXNz")], None)),
    ];
    for (behaviour, expected) in table {
        let answer = behave(behaviour).await.result.unwrap();
        // What it holds is not shown.
        assert!(answer == expected, "{behaviour}: {answer:?}, {:?}, {:?}", answer.headers, answer.body);
    }
    let logged = behave("logs").await;
    assert_eq!((logged.logs[0].level, logged.logs[0].message.as_str()), (Level::Warn, "here"));
    let forged = behave("forges").await;
    assert_eq!(forged.dropped, ["host"]);
    assert_eq!(forged.logs[0].message, "the header \"host\" is not a plugin's to set and was dropped");
    assert_eq!(forged.result.unwrap().headers, [("x-mine".to_owned(), "1".to_owned())]);
}

#[tokio::test]
async fn a_request_is_not_shown() {
    let answer = behave("basic").await.result.unwrap();
    let shown = format!("{answer:?} {:?}", message(&[("KEY", "hunter22")]));
    assert!(!shown.contains("dXNlcjpwYXNz") && !shown.contains("123456") && !shown.contains("hunter22"), "{shown}");
}

#[tokio::test]
async fn an_invalid_answer_fails_with_a_hint() {
    let refused = [
        ("nothing", "it returned undefined"),
        ("asText", "it returned string"),
        ("asList", "it returned object"),
        ("noUrl", "the url is undefined"),
        ("more", "it returned an object with \"to\""),
        ("bodyNumber", "the body is 5"),
        ("methodNumber", "the method is 1"),
        ("headersText", "the headers are x-kind: a"),
    ];
    for (behaviour, part) in refused {
        let error = behave(behaviour).await.result.unwrap_err();
        let CallError::Failed(text) = error else { panic!("{behaviour}: {error:?}") };
        assert!(text.contains(part) && text.contains("return the request that sends the message"), "{text}");
    }
    for (behaviour, part) in [("throws", "Error: no luck"), ("throwsText", "thrown: a text")] {
        let error = behave(behaviour).await.result.unwrap_err();
        assert!(matches!(&error, CallError::Failed(text) if text.contains(part)), "{behaviour}: {error:?}");
    }
    assert_eq!(behave("denies").await.result, Err(CallError::Denied("not there".to_owned())));
    let CallError::Failed(trace) = behave("throws").await.result.unwrap_err() else { panic!() };
    assert!(trace.contains("tickets.js:") && !trace.contains("/claimsmith/"), "{trace}");
}

#[tokio::test]
async fn a_request_goes_nowhere_that_was_not_granted() {
    let refused = [
        ("elsewhere", "POST https://evil.example/send was not granted to this plugin"),
        ("otherMethod", "DELETE https://api.example.com/send was not granted to this plugin"),
        ("get", "GET has no body"),
        ("noUrlAtAll", "the URL cannot be read"),
        ("files", "only http and https URLs can be requested"),
        ("user", "a URL must not name a user"),
        ("splits", "printable ASCII"),
    ];
    for (behaviour, part) in refused {
        let error = behave(behaviour).await.result.unwrap_err();
        assert!(matches!(&error, CallError::BadOutput(text) if text.contains(part)), "{behaviour}: {error:?}");
    }
}

#[tokio::test]
async fn each_limit_ends_it() {
    let error = async |behaviour: &str| behave(behaviour).await.result.unwrap_err();
    assert!(matches!(error("large").await, CallError::BadOutput(text) if text.contains("the request has 26")));
    assert!(matches!(error("huge").await, CallError::BadOutput(_)));
    assert_eq!(error("allocates").await, CallError::OutOfMemory(64 << 20));
    assert!(matches!(error("never").await, CallError::Trapped(text) if text.contains("never settles")));
    let limits = Limits { deadline: Duration::from_millis(100), ..limits() };
    let looped = plugin().await.compose(&message(&[("BEHAVIOUR", "loops")]), &limits).await;
    assert_eq!(looped.result, Err(CallError::TimedOut(Duration::from_millis(100))));
}

#[tokio::test]
async fn a_plugin_of_another_kind_composes_nothing() {
    let claims = load(Language::JavaScript, "export const getCustomJwtClaims = () => ({});").await.unwrap();
    let asked = claims.compose(&message(&[]), &limits()).await.result;
    assert!(matches!(asked, Err(CallError::Unavailable(text)) if text.contains("claimsmith:plugin/claims")));
    let declared = load(Language::TypeScript, "const composeMessage = () => ({ url: \"\" as string });").await.unwrap();
    assert_eq!(declared.kind(), Kind::Message);
    assert!(!declared.imports().iter().any(|name| name.ends_with("/http")), "{:?}", declared.imports());
    let both = "export const composeMessage = 1; export const transformWebhook = 1;";
    let LoadError::WrongWorld(text) = refusal(Language::JavaScript, both).await else { panic!() };
    assert_eq!(text, "tickets.js exports both transformWebhook and composeMessage: a plugin has one of them");
}
