//! Golden cases of webhook transforms: what passes, what fails, and the messages.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use claimsmith_harness::{CaseAnswer, Harness, HarnessOptions, PluginReport};
use serde_json::{Value, json};
use std::fs;

const PLUGIN: &str = r#"
export const transformWebhook = ({ event, hook, deliveryId, environmentVariables }) => {
  switch (event.do) {
    case "nothing": return;
    case "drop": return { drop: "Nobody reads it." };
    case "throw": throw new Error("no luck");
    case "text": return { body: '{"a":1}' };
    case "forge": return { headers: { host: "evil.example" } };
    default: return { body: { event, hook, deliveryId, environmentVariables }, headers: { "X-Kind": "a" }, path: "a/b" };
  }
};
"#;

async fn run(manifest: &str, cases: Value) -> PluginReport {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("mask.js", PLUGIN);
    write("mask.toml", manifest);
    write("mask.cases.json", &cases.to_string());
    let harness = Harness::new(HarnessOptions::default()).unwrap();
    harness.run_file(&folder.path().join("mask.js")).await.unwrap()
}

fn case(what: &str, expected: &Value) -> Value {
    json!({ "name": format!("{what} {expected}"), "input": { "event": { "do": what } }, "expected": expected })
}

#[tokio::test]
async fn what_is_as_expected_passes() {
    let whole = json!({
        "name": "the whole of it",
        "input": {
            "id": "msg_1", "event": { "event": "User.Created" }, "hook": { "name": "CRM" },
            "environmentVariables": { "A": "over" },
        },
        "expected": { "sent": {
            "body": {
                "event": { "event": "User.Created" }, "deliveryId": "msg_1",
                "hook": { "id": "hook_test", "name": "CRM", "url": "https://example.com/webhooks" },
                "environmentVariables": { "A": "over", "B": "b", "KEY": "secret:KEY" },
            },
            "headers": { "x-kind": "a" },
            "path": "a/b",
        } },
    });
    let cases = json!([
        whole,
        case("nothing", &json!({ "sent": {} })),
        case("drop", &json!({ "dropped": "Nobody reads it." })),
        case("throw", &json!({ "failed": "no luck" })),
        case("text", &json!({ "sent": { "body": { "a": 1 } } })),
        case("text", &json!({ "sent": { "body": "{\"a\":1}" } })),
    ]);
    // Filters and `enabled` do not matter here.
    let manifest = "enabled = false\nevents = [\"Role.*\"]\n[environment]\nA = \"a\"\nB = \"b\"\n\
                    [secrets]\nKEY = { env = \"CLAIMSMITH_NO_SUCH_VARIABLE\" }\n";
    let report = run(manifest, cases).await;
    assert!(report.passed(), "{report:#?}");
    assert_eq!(report.cases.unwrap().len(), 6);
}

#[tokio::test]
async fn mismatches_are_reported() {
    let table = [
        (case("text", &json!({ "sent": { "body": { "a": 2 } } })), "another delivery (- expected, + actual):"),
        (case("nothing", &json!({ "sent": { "path": "a" } })), "-   \"path\": \"a\""),
        (case("drop", &json!({ "dropped": "Other." })), "dropped for another reason:\n- Other.\n+ Nobody reads it."),
        (case("drop", &json!({ "sent": {} })), "expected a delivery that is sent, but the delivery is dropped: Nobody"),
        (case("nothing", &json!({ "claims": {} })), "expected claims, but the delivery is sent:"),
        (
            case("throw", &json!({ "dropped": "x" })),
            "expected a delivery that is dropped (\"x\"), but the plugin failed",
        ),
        (case("forge", &json!({ "sent": {} })), "the header `host` is reserved and was dropped: no plugin can set it"),
        (json!({ "name": "none", "input": {}, "expected": { "sent": {} } }), "its input is `event`"),
        (
            json!({ "name": "token", "input": { "event": {}, "token": { "a": 1 } }, "expected": { "sent": {} } }),
            "the plugin is a webhook transform",
        ),
    ];
    let cases: Vec<Value> = table.iter().map(|(case, _)| case.clone()).collect();
    let reports = run("", Value::Array(cases)).await.cases.unwrap();
    for (report, (_, part)) in reports.iter().zip(&table) {
        assert!(report.problems.iter().any(|problem| problem.contains(part)), "{part:?}: {report:#?}");
    }
    let text = serde_json::to_value(&reports[0].actual).unwrap();
    assert_eq!(text, json!({ "sent": { "body": { "a": 1 }, "headers": {} } }), "as a case would be written");
    assert!(matches!(&reports[2].actual, CaseAnswer::Dropped(reason) if reason == "Nobody reads it."));
}

#[tokio::test]
async fn settings_of_the_other_kind_are_refused() {
    let report = run("on_error = \"skip\"\n", json!([])).await;
    let error = report.cases.unwrap_err();
    assert!(error.starts_with("mask.toml, `on_error`: a webhook transform has"), "{error}");
}
