//! HTTP requests of plugins: granted ones are sent, all others are refused, and budgets hold.

use crate::support::{BEHAVIOURS, ample, claims, error, host, load, refusal, request, source};
use claimsmith_runtime::{
    Call, CallError, ClaimsRequest, HttpAccess, HttpBudget, HttpCapability, HttpCounts, HttpFailure, HttpFuture,
    HttpRequest, HttpResponse, HttpSender, Language, Level, Limits, LoadError,
};
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// The rest of the world: answers by path, and remembers what it was asked.
#[derive(Debug, Default)]
struct World(Mutex<Vec<String>>);

impl World {
    fn asked(&self) -> Vec<String> {
        self.0.lock().unwrap().clone()
    }
}

impl HttpSender for World {
    fn send(&self, request: HttpRequest) -> HttpFuture<'_> {
        let HttpRequest { method, url, mut headers, filled, body, time, response_bytes, .. } = request;
        headers.extend(filled.iter().map(|header| (header.name.clone(), header.value().to_owned())));
        assert_eq!(time, Duration::from_millis(500));
        let path = url.splitn(4, '/').nth(3).unwrap().to_owned();
        let text = String::from_utf8(body.unwrap_or_default()).unwrap();
        self.0.lock().unwrap().push(format!("{method} {path} {headers:?} {text}"));
        Box::pin(async move {
            let failure = |message: &str, received| HttpFailure { message: message.to_owned(), received };
            let size = path.parse().unwrap_or(0);
            match path.as_str() {
                "never" => std::future::pending().await,
                "broken" => return Err(failure("no connection", 0)),
                _ if size > response_bytes => return Err(failure("too large", response_bytes)),
                _ => {}
            }
            let body = if size > 0 { vec![b'x'; size] } else { br#"{"deep":[1]}"#.to_vec() };
            let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
            let headers = vec![pair("content-type", "application/json"), pair("x-one", "1"), pair("x-one", "2")];
            Ok(HttpResponse { status: if path == "missing" { 404 } else { 200 }, headers, body })
        })
    }
}

fn capability(value: Value) -> HttpCapability {
    serde_json::from_value(value).unwrap()
}

fn access(world: &Arc<World>, capability: HttpCapability) -> HttpAccess {
    HttpAccess { capability: Arc::new(capability), sender: world.clone(), headers: None, shared: Arc::default() }
}

async fn behave(behaviour: &str, variables: &[(&str, &str)], http: Option<HttpAccess>, limits: &Limits) -> Call {
    let plugin = load(Language::JavaScript, BEHAVIOURS).await.unwrap();
    let variables: Vec<_> = [("BEHAVIOUR", behaviour)].iter().chain(variables).copied().collect();
    plugin.get_custom_jwt_claims(&ClaimsRequest { http, ..request(&variables) }, limits).await
}

/// What each of these URLs brings, with the call.
async fn fetch_all(urls: &str, init: &Value, http: Option<HttpAccess>) -> (Vec<Value>, Call) {
    let limits = Limits { deadline: Duration::from_secs(30), ..Limits::default() };
    let mut call = behave("fetchAll", &[("URLS", urls), ("INIT", &init.to_string())], http, &limits).await;
    let answers = call.result.as_mut().unwrap().remove("answers").unwrap();
    (answers.as_array().unwrap().clone(), call)
}

fn errors(answers: &[Value]) -> Vec<&str> {
    answers.iter().filter_map(|answer| answer["error"].as_str()).collect()
}

#[tokio::test]
async fn what_is_granted_is_sent_and_answered() {
    let world = Arc::new(World::default());
    let granted = capability(json!({ "hosts": ["api.example.com", "*.example.org:8443"], "plain": true }));
    let urls = "https://api.example.com/one?q=1 http://api.example.com/missing https://a.b.example.org:8443/two";
    let (answers, call) = fetch_all(urls, &json!({}), Some(access(&world, granted))).await;
    let answer = |status, ok| {
        let text = "{\"deep\":[1]}";
        json!({ "status": status, "ok": ok, "type": "application/json", "text": text })
    };
    assert_eq!(answers, [answer(200, true), answer(404, false), answer(200, true)]);
    assert_eq!(world.asked(), ["GET one?q=1 [] ", "GET missing [] ", "GET two [] "]);
    assert_eq!(call.http, HttpCounts { answered: 3, ..HttpCounts::default() });
    assert!(call.logs.is_empty(), "{:?}", call.logs);
}

#[tokio::test]
async fn a_response_is_read_in_every_usual_way() {
    let world = Arc::new(World::default());
    let granted =
        || Some(access(&world, capability(json!({ "hosts": ["api.example.com"], "methods": ["GET", "POST"] }))));
    let read = claims(behave("response", &[], granted(), &ample()).await);
    let headers = json!([["content-type", "application/json"], ["x-one", "1, 2"]]);
    assert_eq!(
        read,
        json!({ "body": { "deep": [1] }, "again": "TypeError", "bytes": [123, 34, 100], "headers": headers,
            "has": [true, false] })
    );
    let params = claims(behave("params", &[], granted(), &ample()).await);
    let text = "a=1+2&b=%C3%A4%26%3D&a=3";
    assert_eq!(params, json!({ "text": text, "all": ["1 2", "3"], "b": "ä", "c": "", "d": null }));
    let form = r#"[("content-type", "application/x-www-form-urlencoded;charset=UTF-8"), ("x-key", "k")]"#;
    assert_eq!(world.asked().last().unwrap(), &format!("POST form {form} {text}"));
}

#[tokio::test]
async fn what_is_not_granted_stays_here_and_is_logged() {
    let world = Arc::new(World::default());
    let granted = || access(&world, capability(json!({ "hosts": ["api.example.com", "*.example.org"] })));
    let urls = "https://example.com/x?key=hidden https://api.example.com:8443/ https://example.org/ \
                https://evil-example.org/ https://api.example.com.evil.net/ ftp://api.example.com/ \
                https://user:hidden@api.example.com/ nonsense";
    let (answers, call) = fetch_all(urls, &json!({}), Some(granted())).await;
    let refused = |what: &str| format!("fetch failed: {what}");
    let not_granted = |url: &str| refused(&format!("GET {url} was not granted to this plugin"));
    let expected = [
        not_granted("https://example.com/x"),
        not_granted("https://api.example.com:8443/"),
        not_granted("https://example.org/"),
        not_granted("https://evil-example.org/"),
        not_granted("https://api.example.com.evil.net/"),
        refused("only http and https URLs can be requested"),
        refused("a URL must not name a user: send the header `authorization` instead"),
        refused("the URL cannot be read: relative URL without a base"),
    ];
    assert_eq!(errors(&answers), expected);
    let lines: Vec<_> = call.logs.iter().map(|line| (line.level, format!("fetch failed: {}", line.message))).collect();
    assert_eq!(lines, expected.map(|text| (Level::Warn, text)));
    assert_eq!(call.http, HttpCounts { refused: 8, ..HttpCounts::default() });

    let posted =
        fetch_all("https://api.example.com/", &json!({ "method": "POST", "body": "x" }), Some(granted())).await;
    assert_eq!(errors(&posted.0), ["fetch failed: POST https://api.example.com/ was not granted to this plugin"]);
    let without = fetch_all("https://api.example.com/", &json!({}), None).await;
    assert_eq!(errors(&without.0), [not_granted("https://api.example.com/")]);
    assert_eq!(world.asked(), Vec::<String>::new(), "nothing left");
}

#[tokio::test]
async fn a_call_has_so_many_requests_and_bytes() {
    let world = Arc::new(World::default());
    let host = "https://api.example.com";
    let granted = access(&world, capability(json!({ "hosts": ["api.example.com"], "calls": 2 })));
    let (answers, call) = fetch_all(&[host; 3].join(" "), &json!({}), Some(granted)).await;
    assert_eq!(
        errors(&answers),
        ["fetch failed: GET https://api.example.com/: this call has already sent as many requests as it may \
             (capabilities.http.calls)"]
    );
    assert_eq!(call.http, HttpCounts { answered: 2, refused: 1, failed: 0 });

    let granted = access(&world, capability(json!({ "hosts": ["api.example.com"], "kib": 1 })));
    let urls = format!("{host}/1025 {host}/600 {host}/600");
    let (answers, call) = fetch_all(&urls, &json!({}), Some(granted)).await;
    assert!(errors(&answers)[0].ends_with("/1025: too large"), "{answers:?}");
    let none_left = "do not fit in the 0 bytes that are left";
    assert!(errors(&answers)[1..].iter().all(|error| error.contains(none_left)), "what was read counts: {answers:?}");
    assert_eq!(call.http, HttpCounts { answered: 0, refused: 2, failed: 1 });

    let granted = access(&world, capability(json!({ "hosts": ["api.example.com"], "kib": 1 })));
    let urls = format!("{host}/broken {host}/600 {host}/600");
    let (answers, _) = fetch_all(&urls, &json!({}), Some(granted)).await;
    assert_eq!(answers[1]["status"], 200, "a request without an answer leaves its room to the next");
    assert!(errors(&answers)[1].ends_with("too large"), "{answers:?}");
}

#[tokio::test]
async fn a_body_may_be_as_large_as_the_budget() {
    let world = Arc::new(World::default());
    let granted = || {
        let granted = json!({ "hosts": ["api.example.com"], "methods": ["PUT"], "kib": 256 });
        Some(access(&world, capability(granted)))
    };
    let init = |size: usize| json!({ "method": "PUT", "body": "x".repeat(size) });
    let (answers, _) = fetch_all("https://api.example.com/a", &init(200_000), granted()).await;
    assert_eq!(answers[0]["status"], 200, "{answers:?}");
    let (answers, _) = fetch_all("https://api.example.com/a", &init(262_144), granted()).await;
    assert!(errors(&answers)[0].contains("do not fit in the 262144 bytes that are left"), "{answers:?}");
}

#[tokio::test]
async fn the_plugins_of_one_token_share_a_budget() {
    let world = Arc::new(World::default());
    let shared = Arc::new(HttpBudget::new(3, 1 << 20));
    let granted = || {
        let granted = access(&world, capability(json!({ "hosts": ["api.example.com"] })));
        Some(HttpAccess { shared: Arc::clone(&shared), ..granted })
    };
    let urls = "https://api.example.com/ https://api.example.com/";
    assert!(errors(&fetch_all(urls, &json!({}), granted()).await.0).is_empty());
    let (answers, _) = fetch_all(urls, &json!({}), granted()).await;
    let spent = "fetch failed: GET https://api.example.com/: the plugins of this token have already sent as many \
                 requests as they may together";
    assert_eq!(errors(&answers), [spent]);
    assert_eq!(world.asked().len(), 3);
}

#[tokio::test]
async fn an_answer_that_does_not_come_ends_at_the_deadline() {
    let world = Arc::new(World::default());
    let granted = access(&world, capability(json!({ "hosts": ["api.example.com"] })));
    let limits = Limits { deadline: Duration::from_millis(1500), ..Limits::default() };
    let call = behave("fetchAll", &[("URLS", "https://api.example.com/never")], Some(granted), &limits).await;
    assert_eq!(call.http, HttpCounts { failed: 1, ..HttpCounts::default() });
    assert_eq!(error(call), CallError::TimedOut(limits.deadline));
}

#[tokio::test]
async fn top_level_code_fetches_nothing() {
    let text = "await fetch('https://api.example.com'); const getCustomJwtClaims = () => ({});";
    let LoadError::Initialization(refused) = refusal(Language::JavaScript, text).await else { panic!() };
    assert!(refused.contains("fetch failed: top-level code cannot fetch"), "{refused}");
}

/// The hand-written component, sending a request and answering what it is answered.
fn sends() -> String {
    let edits = [
        (
            "  ;; The memory stands apart",
            r#"  (import "claimsmith:plugin/http@1.0.0" (instance $http
    (type $pair (tuple string string))
    (type $pairs (list $pair))
    (type $bytes (list u8))
    (type $body (option $bytes))
    (type $request-shape (record
      (field "method" string) (field "url" string) (field "headers" $pairs) (field "body" $body)))
    (export "request" (type $request (eq $request-shape)))
    (type $response-shape (record (field "status" u16) (field "headers" $pairs) (field "body" $bytes)))
    (export "response" (type $response (eq $response-shape)))
    (type $result (result $response (error string)))
    (export "send" (func (param "request" $request) (result $result)))))
  ;; The memory stands apart"#,
        ),
        (
            "(data (i32.const 1024)",
            r#"(data (i32.const 3000) "GEThttps://api.example.com/user") (data (i32.const 1024)"#,
        ),
        (
            "  (core module $code-module",
            r#"  (core func $send (canon lower (func $http "send") (memory $mem) (realloc (core func $memory "realloc"))))
  (core module $code-module"#,
        ),
        (
            "    (func $deep",
            r#"    (import "host" "send" (func $send (param i32 i32 i32 i32 i32 i32 i32 i32 i32 i32)))
    (func $deep"#,
        ),
        (r#"(export "write" (func $write))"#, r#"(export "write" (func $write)) (export "send" (func $send))"#),
        (
            "(i32.const 64) ;; body",
            "(call $send (i32.const 3000) (i32.const 3) (i32.const 3003) (i32.const 28)
        (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 160))
      (if (i32.load8_u (i32.const 160)) (then unreachable))
      (i32.store (i32.const 68) (i32.load (i32.const 176)))
      (i32.store (i32.const 72) (i32.load (i32.const 180)))
      (i32.const 64)",
        ),
    ];
    edits.iter().fold(include_str!("../guests/claims.wat").to_owned(), |text, (from, to)| {
        assert!(text.contains(from), "{from}");
        text.replacen(from, to, 1)
    })
}

#[tokio::test]
async fn a_component_sends_as_well() {
    let plugin = load(Language::Wasm, wat::parse_str(sends()).unwrap()).await.unwrap();
    assert!(plugin.imports().contains(&"claimsmith:plugin/http".to_owned()), "{:?}", plugin.imports());
    let http = Some(access(&Arc::default(), capability(json!({ "hosts": ["api.example.com"] }))));
    let call = plugin.get_custom_jwt_claims(&ClaimsRequest { http, ..request(&[]) }, &ample()).await;
    assert_eq!(call.http, HttpCounts { answered: 1, ..HttpCounts::default() });
    assert_eq!(claims(call), json!({ "deep": [1] }));
    let refused = plugin.get_custom_jwt_claims(&request(&[]), &ample()).await;
    assert_eq!(refused.logs[0].message, "GET https://api.example.com/user was not granted to this plugin");
    assert!(matches!(error(refused), CallError::Trapped(_)));
}

#[tokio::test]
async fn typescript_fetches_as_well() {
    let text = "type User = { deep: number[] };\n\
                export const getCustomJwtClaims = async () => {\n\
                  const user: User = await (await fetch('https://api.example.com/user' as string)).json();\n\
                  return { deep: user.deep[0] };\n\
                };";
    let plugin = host().load(&source(Language::TypeScript, text)).await.unwrap();
    let http = Some(access(&Arc::default(), capability(json!({ "hosts": ["api.example.com"] }))));
    let call = plugin.get_custom_jwt_claims(&ClaimsRequest { http, ..request(&[]) }, &ample()).await;
    assert_eq!(claims(call), json!({ "deep": 1 }));
}
