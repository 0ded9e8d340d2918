//! Replays of recorded calls: what is equal, what differs, what is noise, and files that are no recordings.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use claimsmith_harness::{
    Class, Harness, HarnessOptions, LoadedPlugin, Replayed, Sample, load_recording, parse_recording,
};
use claimsmith_runtime::{PluginFiles, contract_version};
use serde_json::{Value, json};
use std::fs;

/// When the samples were recorded, Unix milliseconds.
const AT: u64 = 1_760_000_000_123;

const PLUGIN: &str = r#"
export const getCustomJwtClaims = async ({ token, context, api }) => {
  switch (token.do) {
    case "deny": api.denyAccess("Not today.");
    case "throw": throw new Error("no luck");
    case "time": return { at: Date.now(), day: new Date().getUTCDate(), fixed: 1 };
    case "random": return { id: crypto.randomUUID(), fixed: 1 };
    case "fetch": return { status: (await fetch(token.url)).status };
    case "fetchTwice": await fetch(token.url); return { status: (await fetch(token.url)).status };
    default: return { plan: context.user.plan };
  }
};
"#;

const MANIFEST: &str = "[capabilities.http]\nhosts = [\"api.example.com\"]\n";

async fn open(name: &str, plugin: &str, manifest: &str) -> LoadedPlugin {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join(format!("{name}.js")), plugin).unwrap();
    fs::write(folder.path().join(format!("{name}.toml")), manifest).unwrap();
    let files = PluginFiles::at(&folder.path().join(format!("{name}.js"))).unwrap();
    Harness::new(HarnessOptions::default()).unwrap().open(&files).await.unwrap()
}

/// A sample as a server writes it.
fn recorded(input: &Value, answer: &Value) -> Value {
    let kind = if input.get("event").is_some() { "webhook-transform" } else { "claims" };
    json!({
        "number": 1, "at": AT, "kind": kind, "contract": contract_version(), "version": "3", "digest": "sha256:ab",
        "input": input, "outcome": "ok", "answer": {}, "message": null, "durationUs": 812, "instructions": null,
        "redactedAnswer": answer, "http": [], "dropped": false,
    })
}

fn ok(answer: Value) -> Value {
    let mut ending = json!({ "outcome": "ok", "answer": null, "message": null });
    ending["answer"] = answer;
    ending
}

fn ended(outcome: &str, message: &str) -> Value {
    json!({ "outcome": outcome, "answer": null, "message": message })
}

fn sample(value: &Value) -> Sample {
    parse_recording("a.ndjson", value.to_string().as_bytes()).unwrap().remove(0)
}

async fn replay(plugin: &LoadedPlugin, value: &Value) -> Replayed {
    plugin.replay(&sample(value)).await.unwrap().unwrap()
}

#[tokio::test]
async fn every_class_of_answers_is_found() {
    let plugin = open("a", PLUGIN, "").await;
    let plan = json!({ "token": {}, "context": { "user": { "plan": "pro" } } });
    let does = |what: &str| json!({ "token": { "do": what } });
    let table = [
        (&plan, ok(json!({ "plan": "pro" })), Class::Equal),
        (&plan, ok(json!({ "plan": "free" })), Class::Different),
        (&plan, ended("denied", "Never."), Class::AllowedInstead),
        (&plan, ended("timed_out", "too late"), Class::AllowedInstead),
        (&does("deny"), ended("denied", "Not today."), Class::Equal),
        (&does("deny"), ended("denied", "Never."), Class::Different),
        (&does("deny"), ok(json!({})), Class::DeniedInstead),
        (&does("throw"), ok(json!({})), Class::Failed),
        (&does("throw"), ended("failed", "Error: another position"), Class::Equal),
    ];
    for (input, answer, class) in table {
        let found = replay(&plugin, &recorded(input, &answer)).await;
        assert_eq!(found.difference.class, class, "{input} {answer}: {found:?}");
        assert!(found.difference.noise.is_empty(), "{found:?}");
    }
}

#[tokio::test]
async fn the_clock_and_random_bytes_are_noise() {
    let plugin = open("a", PLUGIN, "").await;
    let noise = async |what: &str, answer: Value| {
        let found = replay(&plugin, &recorded(&json!({ "token": { "do": what } }), &answer)).await.difference;
        (found.class, found.noise.into_iter().collect::<Vec<_>>().join(" "))
    };
    // The clock begins where it was, so that what follows from the day is equal.
    let day = 9;
    assert_eq!(noise("time", ok(json!({ "at": 1, "day": day, "fixed": 1 }))).await, (Class::Equal, "/at".to_owned()));
    assert_eq!(
        noise("time", ok(json!({ "at": 1, "day": 1, "fixed": 2 }))).await,
        (Class::Different, "/at /day".to_owned()),
        "a claim that is fixed is no noise"
    );
    assert_eq!(noise("random", ok(json!({ "id": "x", "fixed": 1 }))).await, (Class::Equal, "/id".to_owned()));
    assert_eq!(noise("throw", ok(json!({}))).await, (Class::Failed, String::new()));
}

#[tokio::test]
async fn other_servers_answer_what_was_recorded() {
    let plugin = open("a", PLUGIN, MANIFEST).await;
    let url = "https://api.example.com/a";
    let with = |what: &str, url: &str, answer: &Value| {
        let mut value = recorded(&json!({ "token": { "do": what, "url": url } }), answer);
        value["http"] = json!([{
            "method": "GET", "url": "https://api.example.com/a", "requestBody": null, "status": 203,
            "headers": [["content-type", "text/plain"]], "body": "aGVsbG8=",
        }]);
        value
    };
    let found = replay(&plugin, &with("fetch", url, &ok(json!({ "status": 203 })))).await;
    assert_eq!((found.difference.class, found.unrecorded.len()), (Class::Equal, 0), "{found:?}");

    let found = replay(&plugin, &with("fetch", "https://api.example.com/b", &ok(json!({ "status": 203 })))).await;
    assert_eq!(
        (found.difference.class, found.unrecorded.join(" ")),
        (Class::Failed, "GET https://api.example.com/b".to_owned())
    );
    assert!(found.actual.message.unwrap().contains("no answer was recorded"));

    // It was asked once.
    let found = replay(&plugin, &with("fetchTwice", url, &ok(json!({ "status": 203 })))).await;
    assert_eq!((found.difference.class, found.unrecorded.len()), (Class::Failed, 1));

    let mut broken = with("fetch", url, &ok(json!({ "status": 203 })));
    broken["http"][0]["body"] = json!("%");
    let found = replay(&plugin, &broken).await;
    assert!(found.actual.message.unwrap().contains("the recorded body is not base64"));
}

#[tokio::test]
async fn deliveries_are_compared_as_what_is_sent() {
    let text = r#"export const transformWebhook = ({ event }) => {
        if (event.drop) return { drop: "Nobody reads it." };
        if (event.keep) return;
        return { body: { name: event.name }, headers: { "X-Kind": "a" } };
    };"#;
    let plugin = open("mask", text, "").await;
    let hook = json!({ "id": "h", "name": "CRM", "url": "https://a.example" });
    let delivery = |event: Value| json!({ "id": "msg_1", "event": event, "hook": hook });
    let table = [
        (json!({ "name": "a" }), json!({ "body": { "name": "a" }, "headers": { "x-kind": "a" } }), Class::Equal),
        // As text, as a list, and with members that are not set.
        (
            json!({ "name": "a" }),
            json!({ "body": "{\"name\": \"a\"}", "headers": [["x-kind", "a"]], "path": null }),
            Class::Equal,
        ),
        (json!({ "name": "a" }), json!({ "body": { "name": "b" }, "headers": { "x-kind": "a" } }), Class::Different),
        (json!({ "drop": true }), json!({ "drop": "Nobody reads it." }), Class::Equal),
        (json!({ "drop": true }), json!({ "body": {} }), Class::Different),
        // A body that is left as it is, is recorded as it is sent.
        (json!({ "keep": 1 }), json!({ "body": { "keep": 1 }, "headers": {}, "path": null }), Class::Equal),
    ];
    for (event, answer, class) in table {
        let found = replay(&plugin, &recorded(&delivery(event), &ok(answer.clone()))).await;
        assert_eq!(found.difference.class, class, "{answer}: {found:?}");
    }
    let why = plugin.replay(&sample(&recorded(&json!({ "token": {} }), &ok(json!({}))))).await.unwrap_err();
    assert!(why.starts_with("it was recorded of the world claimsmith:plugin/claims, and the plugin is of "), "{why}");
}

#[tokio::test]
async fn a_sample_without_an_answer_of_the_active_version_is_left_out() {
    let plugin = open("a", PLUGIN, "").await;
    let value = recorded(&json!({ "token": {} }), &Value::Null);
    assert!(plugin.replay(&sample(&value)).await.unwrap().is_none());
}

#[test]
fn a_line_that_is_no_sample_is_refused_at_its_place() {
    let good = recorded(&json!({ "token": {} }), &ok(json!({})));
    let with = |member: &str, value: Value| {
        let mut changed = good.clone();
        changed[member] = value;
        changed.to_string()
    };
    let deep = |levels: usize| {
        good.to_string()
            .replace("\"token\":{}", &format!("\"token\":{{\"a\":{}{}}}", "[".repeat(levels), "]".repeat(levels)))
    };
    let table = [
        ("{".to_owned(), "EOF while parsing an object (column 1); the file ends within it: pull it again"),
        ("<html>".to_owned(), "expected value (column 1); the file ends"),
        ("[]".to_owned(), "invalid length 0"),
        (format!("{good} {good}"), "trailing characters (column "),
        (with("kind", json!("message-of-the-day")), "`kind`: unknown variant `message-of-the-day`"),
        (with("number", json!(-1)), "`number`: invalid value"),
        (with("contract", json!("next")), "`contract`: `next` is not a version of the plugin contract"),
        (with("contract", json!("0.9.0")), "it was recorded with the plugin contract 0.9.0, which "),
        (with("contract", json!("99.0.0")), "it was recorded with the plugin contract 99.0.0; this program knows "),
        (with("input", json!({ "event": {} })), "`input`: the plugin computes claims"),
        (with("input", json!({ "tokens": {} })), "`input`: unknown field `tokens`"),
        (with("input", Value::Null), "`input`: invalid type: null"),
        (with("redactedAnswer", json!({ "answer": {} })), "`redactedAnswer`: missing field `outcome`"),
        (deep(200), "nested deeper than 72 levels (column "),
        (" ".repeat(9 << 20) + "1", "it has 9437185 bytes; at most 8388608 are accepted"),
    ];
    for (line, expected) in table {
        let text = format!("{good}\n\n{line}");
        let shown = parse_recording("team-1.ndjson", text.as_bytes()).err().unwrap().to_string();
        let start = format!("team-1.ndjson, line 3: {expected}");
        let line: String = line.chars().take(200).collect();
        assert!(shown.starts_with(&start), "{line} gave {shown:?}, not {start:?}");
    }
    // Line 3 is whole, and line 4 is not.
    let shown = parse_recording("a", format!("{good}\n{good}\n{{\n{good}\n").as_bytes()).err().unwrap().to_string();
    assert_eq!(shown, "a, line 3: EOF while parsing an object (column 1)");
}

#[test]
fn what_only_a_newer_server_writes_is_passed_over_and_an_older_one_is_read() {
    let mut value = recorded(&json!({ "token": {} }), &ok(json!({})));
    value["more"] = json!({});
    assert!(!sample(&value).is_older());
    let (major, _) = contract_version().split_once('.').unwrap();
    value["contract"] = json!(format!("{major}.0.0"));
    assert!(sample(&value).is_older());
    assert!(parse_recording("a", b"").unwrap().is_empty());
}

#[test]
fn a_file_that_is_none_or_huge_is_not_read() {
    let folder = tempfile::tempdir().unwrap();
    let shown = |name: &str| load_recording(&folder.path().join(name)).err().unwrap().to_string();
    assert!(shown("none.ndjson").starts_with("none.ndjson cannot be read: "));
    fs::create_dir(folder.path().join("a.ndjson")).unwrap();
    assert_eq!(shown("a.ndjson"), "a.ndjson is not a regular file");
    // It takes no room on disk.
    fs::File::create(folder.path().join("b.ndjson")).unwrap().set_len(1 << 40).unwrap();
    assert_eq!(shown("b.ndjson"), "b.ndjson has 1099511627776 bytes; at most 134217728 are accepted");
}
