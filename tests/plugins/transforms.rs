//! Several webhook transforms for one delivery: filters, order, merging, failures, secrets, and limits.

use crate::support::{Server, exchange, is, version};
use claimsmith_services::plugins::{
    Action, PluginLine, PluginsOptions, State, Transform, TransformFailure, Transformed,
};
use serde_json::{Value, json};
use std::{fs, sync::Arc, time::Duration};
use tokio::sync::mpsc;

const EVENT: &str = r#"{"event":"User.Created","data":{"id":"u1"}}"#;
const ORIGINAL: &str = "on_error = \"original\"\n";
const THROWS: &str = "export const transformWebhook = () => { throw new Error('no luck'); };";

/// One plugin for most stories: it does what its settings say.
const ACTS: &str = "export const transformWebhook = ({ event, environmentVariables: { ACT } }) =>
  (0, eval)(`(event) => (${ACT})`)(event);";

/// Settings under which [`ACTS`] answers this.
fn act(expression: &str, more: &str) -> String {
    format!("{more}\n[environment]\nACT = {}\n", Value::from(expression))
}

fn delivery() -> Transform<'static> {
    Transform {
        delivery_id: "msg_1",
        event: "User.Created",
        hook_id: "hook-1",
        hook_name: "CRM",
        hook_url: "https://user:pass@example.com/in?token=1",
        body: EVENT.into(),
    }
}

async fn transform(server: &Server) -> Result<Transformed, TransformFailure> {
    server.plugins.transform(&delivery()).await
}

/// The body, headers and path of a delivery that is sent.
async fn sent(server: &Server) -> (Value, Vec<(String, String)>, Option<String>) {
    match transform(server).await.unwrap().action {
        Action::Send { body, headers, path } => (serde_json::from_str(&body).unwrap(), headers, path),
        dropped @ Action::Drop { .. } => panic!("{dropped:?}"),
    }
}

fn outcomes(transformed: &Transformed) -> Vec<(&str, &str)> {
    transformed.runs.iter().map(|run| (&*run.plugin, run.outcome)).collect()
}

fn pair(name: &str, value: &str) -> (String, String) {
    (name.to_owned(), value.to_owned())
}

#[tokio::test]
async fn each_works_on_what_the_one_before_left() {
    let first = act("{ body: { ...event, a: 1 }, headers: { 'X-A': '1', 'X-Both': 'a' }, path: 'a' }", "order = -1");
    let second = act("{ body: { ...event, b: event.a + 1 }, headers: { 'x-both': 'b' }, path: 'b/c' }", "");
    let third = act("undefined", "order = 1");
    let files =
        [("b.js", ACTS), ("b.toml", &first), ("a.js", ACTS), ("a.toml", &second), ("c.js", ACTS), ("c.toml", &third)];
    let server = Server::with(&files).await;
    let transformed = transform(&server).await.unwrap();
    assert_eq!(outcomes(&transformed), [("b", "ok"), ("a", "ok"), ("c", "ok")]);
    assert!(transformed.runs.iter().all(|run| run.digest.is_some() && run.generation == Some(1)));
    let (body, headers, path) = sent(&server).await;
    assert_eq!(body, json!({ "event": "User.Created", "data": { "id": "u1" }, "a": 1, "b": 2 }));
    assert_eq!(headers, [pair("x-a", "1"), pair("x-both", "b")]);
    assert_eq!(path.as_deref(), Some("b/c"));

    // A text that one made is a text for the next.
    server.write("b.toml", &act("{ body: 'plain', headers: { 'content-type': 'text/plain' } }", "order = -1"));
    server.until_newer("b", 1).await;
    server.write("a.toml", &act("{ body: { was: event } }", ""));
    server.until_newer("a", 1).await;
    assert_eq!(sent(&server).await.0, json!({ "was": "plain" }));

    let before = server.generation("b");
    server.write("b.toml", &act("{ drop: 'seen before' }", "order = -1"));
    server.until_newer("b", before).await;
    let dropped = transform(&server).await.unwrap();
    assert_eq!(dropped.action, Action::Drop { plugin: "b".to_owned(), reason: "seen before".to_owned() });
    assert_eq!(outcomes(&dropped), [("b", "ok")], "the others are not asked");
}

#[tokio::test]
async fn what_nobody_changes_is_the_same_body() {
    let nothing = act("undefined", "");
    let server = Server::with(&[("a.js", ACTS), ("a.toml", &nothing)]).await;
    let delivery = delivery();
    let Action::Send { body, headers, path } = server.plugins.transform(&delivery).await.unwrap().action else {
        panic!()
    };
    assert!(Arc::ptr_eq(&body, &delivery.body) && headers.is_empty() && path.is_none());
    let tells = "export const transformWebhook = ({ hook, deliveryId }) => ({ body: { hook, deliveryId } });";
    server.write("a.js", tells);
    server.until_newer("a", 1).await;
    let expected = json!({
        "hook": { "id": "hook-1", "name": "CRM", "url": "https://example.com/in" }, "deliveryId": "msg_1",
    });
    assert_eq!(sent(&server).await.0, expected);
}

#[tokio::test]
async fn each_is_asked_about_its_own_deliveries_alone() {
    let marks = |filter: &str| act("{ body: [...(Array.isArray(event) ? event : []), 1] }", filter);
    let settings =
        ["", "events = [\"User.*\"]", "events = [\"Role.*\"]", "hooks = [\"hook-1\"]", "hooks = [\"ERP\"]"].map(marks);
    let names = ["any", "users", "roles", "one", "erp"];
    let files = names.iter().zip(&settings).flat_map(|(name, settings)| {
        [(format!("{name}.js"), ACTS.to_owned()), (format!("{name}.toml"), settings.clone())]
    });
    let mut files: Vec<_> = files.collect();
    files.push(("claims.js".to_owned(), version(1)));
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (&**name, &**text)).collect();
    let server = Server::with(&files).await;
    let table: [(&str, &str, &str, &[&str]); 3] = [
        ("User.Created", "hook-1", "CRM", &["any", "one", "users"]),
        ("Role.Created", "hook-2", "ERP", &["any", "erp", "roles"]),
        ("PostSignIn", "hook-3", "hook-1", &["any", "one"]),
    ];
    for (event, hook_id, hook_name, expected) in table {
        let transformed =
            server.plugins.transform(&Transform { event, hook_id, hook_name, ..delivery() }).await.unwrap();
        let asked: Vec<_> = transformed.runs.iter().map(|run| &*run.plugin).collect();
        assert_eq!(asked, expected, "{event} to {hook_name}");
        assert!(server.plugins.transforms(event, hook_id, hook_name));
    }
    let claims = server.exchange().await.unwrap();
    assert_eq!(claims.runs.iter().map(|run| &*run.plugin).collect::<Vec<_>>(), ["claims"], "no transform is asked");

    server.remove("any.js");
    server.until("one less", |list| list.len() == 5).await;
    assert!(!server.plugins.transforms("Scope.Created", "hook-2", "CRM"), "nobody is left for it");
}

#[tokio::test]
async fn a_failure_means_what_its_settings_say() {
    let last = act("{ body: { ...event, z: 1 } }", "order = 9");
    let server = Server::with(&[("a.js", THROWS), ("z.js", ACTS), ("z.toml", &last)]).await;
    let failure = transform(&server).await.unwrap_err();
    assert_eq!((failure.plugin.as_str(), failure.outcome, failure.runs.len()), ("a", "failed", 1), "retry by default");

    let first = server.generation("a");
    server.write("a.toml", ORIGINAL);
    server.until_newer("a", first).await;
    assert_eq!(outcomes(&transform(&server).await.unwrap()), [("a", "failed"), ("z", "ok")]);
    assert_eq!(sent(&server).await.0["z"], 1, "the others work on what came in");

    let second = server.generation("a");
    server.write("a.toml", "on_error = \"drop\"\n");
    server.until_newer("a", second).await;
    let dropped = transform(&server).await.unwrap();
    let reason = "the plugin a failed: failed".to_owned();
    assert_eq!(dropped.action, Action::Drop { plugin: "a".to_owned(), reason });
    let statistics = server.status("a").unwrap().statistics;
    assert!(statistics.failed == 4 && statistics.calls == 4, "{statistics:?}");
}

#[tokio::test]
async fn each_limit_is_a_failure() {
    let table = [
        ("(() => { for (;;); })()", "deadline_ms = 100", "timed_out"),
        (
            "(() => { const all = []; for (;;) all.push(new Uint8Array(1 << 20).fill(1)); })()",
            "memory_mib = 16",
            "out_of_memory",
        ),
        ("({ body: 'x'.repeat(257 * 1024) })", "", "bad_output"),
        ("({ body: 'x'.repeat(2049) })", "output_kib = 2", "bad_output"),
        ("({ headers: { 'x-a': 'b\\nc' } })", "", "bad_output"),
        ("({ path: '../up' })", "", "bad_output"),
        ("event", "", "failed"),
        ("new Promise(() => {})", "", "trapped"),
    ];
    let server = Server::with(&[("a.js", ACTS), ("a.toml", &act("undefined", ""))]).await;
    for (expression, limit, outcome) in table {
        let before = server.generation("a");
        server.write("a.toml", &format!("{}[limits]\n{limit}\n", act(expression, "")));
        server.until_newer("a", before).await;
        let failure = transform(&server).await.unwrap_err();
        assert_eq!(failure.outcome, outcome, "{expression}");
    }
    assert_eq!(server.status("a").unwrap().limits.unwrap().output_kib, 256);
}

#[tokio::test]
async fn they_share_a_budget_and_a_size() {
    let (loops, grows) =
        (act("(() => { for (;;); })()", ORIGINAL), act("({ headers: { 'x-a': 'a'.repeat(4000) } })", ORIGINAL));
    let files = [("a.js", ACTS), ("a.toml", &*loops), ("z.js", ACTS), ("z.toml", &*grows)];
    let budget = Duration::from_millis(200);
    let server = Server::with_options(&files, |options| PluginsOptions { budget, ..options }).await;
    let transformed = transform(&server).await.unwrap();
    assert_eq!(outcomes(&transformed), [("a", "timed_out"), ("z", "timed_out")], "nothing was left for the second");
    assert_eq!(transformed.runs[1].duration, Duration::ZERO, "it was not even called");

    let first = act("({ body: 'x'.repeat(255 * 1024) })", "");
    let files = [("a.js", ACTS), ("a.toml", &*first), ("z.js", ACTS), ("z.toml", &*grows)];
    let server = Server::with(&files).await;
    assert_eq!(outcomes(&transform(&server).await.unwrap()), [("a", "ok"), ("z", "bad_output")]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_token_waits_behind_deliveries() {
    let loops = format!("{}[limits]\ndeadline_ms = 4000\n", act("(() => { for (;;); })()", ""));
    let stamp = version(1);
    let files = [("a.js", ACTS), ("a.toml", &*loops), ("c.js", &*stamp), ("c.toml", "[limits]\ndeadline_ms = 2000\n")];
    let server = Server::with_options(&files, |options| PluginsOptions { concurrency: 2, ..options }).await;
    let deliveries: Vec<_> = (0..4)
        .map(|_| {
            let plugins = server.plugins.clone();
            tokio::spawn(async move { plugins.transform(&delivery()).await.is_err() })
        })
        .collect();
    // The first may come before them; after some, every place that transforms may have is taken.
    for _ in 0..50 {
        assert_eq!(server.claims().await, json!({ "version": 1 }));
    }
    assert!(deliveries.iter().all(|delivery| !delivery.is_finished()), "they were still under way");
    for delivery in deliveries {
        delivery.abort();
    }
}

#[tokio::test]
async fn a_secret_does_not_leave() {
    let (kept, mut lines) = mpsc::channel::<PluginLine>(64);
    let secrets = "[secrets]\nKEY = { file = \"../key\" }\n";
    let leaks = "export const transformWebhook = ({ environmentVariables: { ACT, KEY } }) => {
      console.log('the key is', KEY);
      return (0, eval)(`(key) => (${ACT})`)(KEY);
    };";
    let settings = |expression: &str| format!("{}{secrets}", act(expression, ""));
    let files = [("a.js", leaks)];
    let server = Server::with_options(&files, |options| {
        fs::write(options.folder.join("../key"), "hunter22\n").unwrap();
        PluginsOptions { log: Some(kept), ..options }
    });
    let server = server.await;
    let table = [
        "({ body: { a: [key] } })",
        "({ body: `it is ${key}` })",
        "({ headers: { authorization: `Bearer ${key}` } })",
        "({ path: `a/${key}` })",
        "({ drop: key })",
    ];
    for expression in table {
        let before = server.generation("a");
        server.write("a.toml", &settings(expression));
        server.until_newer("a", before).await;
        assert_eq!(transform(&server).await.unwrap_err().outcome, "secret_in_delivery", "{expression}");
        let (told, failed) = (lines.recv().await.unwrap(), lines.recv().await.unwrap());
        assert_eq!((told.message.as_str(), told.request_id.as_deref()), ("the key is ***", Some("msg_1")));
        assert_eq!(failed.message, "the transformed delivery contains the value of the secret `KEY`");
    }
    let before = server.generation("a");
    server.write("a.toml", &settings("({ body: { length: key.length } })"));
    server.until_newer("a", before).await;
    assert_eq!(sent(&server).await.0, json!({ "length": 8 }));
}

#[tokio::test]
async fn a_new_version_serves_the_next_delivery() {
    let body = |number: u32| format!("export const transformWebhook = () => ({{ body: {{ version: {number} }} }});");
    let server = Server::with(&[("a.js", &body(1))]).await;
    let status = server.status("a").unwrap();
    let json = serde_json::to_value(&status).unwrap();
    let shown = ["kind", "world", "onError", "tokenKinds", "events", "hooks"].map(|key| json[key].clone());
    let expected = json!(["webhook-transform", "claimsmith:plugin/webhook-transform", "retry", [], null, null]);
    assert_eq!(json!(shown), expected);

    server.write("a.js", &body(2));
    server.until_newer("a", 1).await;
    assert_eq!(sent(&server).await.0, json!({ "version": 2 }));
    let bad = [
        ("export const transformWebhook = () => (", "a.js"),
        ("export const transform = 1;", "a.js defines none of getCustomJwtClaims, transformWebhook and composeMessage"),
    ];
    for (text, part) in bad {
        server.write("a.js", text);
        let told = |error: &String| error.contains(part);
        server.until_plugin("a", part, |status| status.last_error.as_ref().is_some_and(told)).await;
        assert_eq!(sent(&server).await.0, json!({ "version": 2 }), "the old one goes on");
    }
    server.remove("a.js");
    server.until("nothing", <[_]>::is_empty).await;
    assert_eq!(sent(&server).await.0["event"], "User.Created");
}

#[tokio::test]
async fn settings_of_the_other_kind_are_refused_at_load() {
    let nothing = act("undefined", "");
    let server = Server::with(&[("a.js", ACTS), ("a.toml", &nothing), ("c.js", &version(1))]).await;
    let table = [
        (
            "a",
            "on_error = \"skip\"\n",
            "a.toml, `on_error`: a webhook transform has \"retry\", \"original\" and \"drop\"",
        ),
        ("a", "applications = [\"spa\"]\n", "a.toml, `applications`: this is for claims plugins"),
        ("a", "[capabilities.http]\nhosts = [\"a.b\"]\n", "a.toml, `capabilities.http`: this is for claims plugins"),
        ("c", "events = [\"*\"]\n", "c.toml, `events`: this is for webhook transforms"),
        ("c", "on_error = \"retry\"\n", "c.toml, `on_error`: a claims plugin has \"deny\" and \"skip\""),
    ];
    for (name, text, start) in table {
        server.write(&format!("{name}.toml"), text);
        let told = |error: &String| error.starts_with(start);
        server.until_plugin(name, start, |status| status.last_error.as_ref().is_some_and(told)).await;
        assert!(is(&server.status(name).unwrap(), State::Active), "the old settings serve");
    }
    assert_eq!(sent(&server).await.0["event"], "User.Created");
    assert_eq!(server.claims().await, json!({ "version": 1 }));
}

#[tokio::test]
async fn one_that_was_there_at_the_start_and_never_loaded_stands_in_the_way() {
    let broken = "export const transformWebhook = () => ({";
    let table = [
        ("", Some("unavailable")),
        ("on_error = \"retry\"\nevents = [\"User.*\"]\n", Some("unavailable")),
        ("events = [\"Role.*\"]\n", None),
        ("on_error = \"original\"\n", None),
        ("on_error = \n", Some("unavailable")),
        ("enabled = false\n", None),
    ];
    for (settings, outcome) in table {
        let server = Server::with(&[("a.js", broken), ("a.toml", settings)]).await;
        let failure = transform(&server).await.err().map(|failure| failure.outcome);
        assert_eq!(failure, outcome, "{settings:?}");
        let status = server.status("a").unwrap();
        assert!(!status.refuses_tokens, "{settings:?}");
        let holds = !settings.contains("original") && !settings.contains("false");
        assert_eq!(status.holds_deliveries, holds, "{settings:?}");
        assert_eq!(server.claims().await, json!({}), "tokens are none of its business");
    }
    let server = Server::with(&[("a.js", broken), ("a.toml", "on_error = \"drop\"\n")]).await;
    let Action::Drop { plugin, reason } = transform(&server).await.unwrap().action else { panic!() };
    assert_eq!((plugin.as_str(), reason.as_str()), ("a", "the plugin a failed: unavailable"));

    // It heals.
    server.write("a.js", "export const transformWebhook = () => undefined;");
    server.until_plugin("a", "serves", |status| is(status, State::Active)).await;
    assert_eq!(sent(&server).await.0["event"], "User.Created");
}

#[tokio::test]
async fn one_that_may_have_been_either_stands_in_the_way_of_both() {
    let server = Server::with(&[("a.js", "export const ("), ("c.js", "export const getCustomJwtClaims = (")]).await;
    let listed = server.plugins.list();
    let stand: Vec<_> = listed.iter().map(|status| (status.refuses_tokens, status.holds_deliveries)).collect();
    assert_eq!(stand, [(true, true), (true, false)]);
    assert!(server.plugins.claims(&exchange()).await.is_err());
    assert_eq!(transform(&server).await.unwrap_err().plugin, "a");

    // One that appears while the server runs takes no part until it loads.
    let running = Server::with(&[]).await;
    running.write("b.js", "export const transformWebhook = (");
    running.until_plugin("b", "its error", |status| is(status, State::Failed)).await;
    assert!(!running.status("b").unwrap().holds_deliveries);
    assert_eq!(sent(&running).await.0["event"], "User.Created");
}
