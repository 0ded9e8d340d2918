//! Golden cases of message plugins: what passes, what fails, and the messages.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use claimsmith_harness::{CaseAnswer, Harness, HarnessOptions, PluginReport};
use serde_json::{Value, json};
use std::fs;

const PLUGIN: &str = r#"
export const composeMessage = ({ event, recipient, code, link, content, context, environmentVariables, api }) => {
  switch (event) {
    case "Register": return api.denyMessage("Nobody registers here.");
    case "BindMfa": throw new Error("no luck");
    case "Generic": return { url: "https://elsewhere.example/" };
    case "ForgotPassword": return { url: "https://api.example.com/", headers: { host: "evil.example" } };
    case "MfaVerification":
      return { url: "https://api.example.com/form", method: "put", body: new URLSearchParams({ To: recipient }) };
    default: return {
      url: "https://api.example.com",
      headers: { Authorization: `Bearer ${environmentVariables.KEY}` },
      body: { recipient, code, link, text: content.text, user: context.user?.id },
    };
  }
};
"#;
const MANIFEST: &str = "[capabilities.http]\nhosts = [\"api.example.com\"]\nmethods = [\"POST\", \"PUT\"]\n\n\
    [secrets]\nKEY = { file = \"/none\" }\n";

async fn report_on(manifest: &str, cases: &Value) -> PluginReport {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [("a.js", PLUGIN), ("a.toml", manifest), ("a.cases.json", &cases.to_string())] {
        fs::write(folder.path().join(name), text).unwrap();
    }
    Harness::new(HarnessOptions::default()).unwrap().run_file(&folder.path().join("a.js")).await.unwrap()
}

#[tokio::test]
async fn every_kind_of_answer_can_be_expected() {
    let sent = json!({
        "url": "https://api.example.com/",
        "headers": { "authorization": "Bearer secret:KEY", "Content-Type": "application/json" },
        "body": { "recipient": "ada@example.com", "code": "123456", "text": "123456!", "user": "u1" },
    });
    let message = json!({ "code": "123456", "content": { "text": "123456!" }, "context": { "user": { "id": "u1" } } });
    let mut as_text = sent.clone();
    as_text["body"] = json!(sent["body"].to_string());
    let form = json!({
        "method": "PUT", "url": "https://api.example.com/form", "body": "To=%2B16502530000",
        "headers": { "content-type": "application/x-www-form-urlencoded" },
    });
    let cases = json!([
        { "name": "sent", "input": { "message": message }, "expected": { "request": sent } },
        { "name": "sent as a text", "input": { "message": message }, "expected": { "request": as_text } },
        { "name": "a variable", "input": { "message": { "link": "https://id.example.com/l" },
          "environmentVariables": { "KEY": "mine" } },
          "expected": { "request": { "url": "https://api.example.com/",
          "headers": { "authorization": "Bearer mine", "content-type": "application/json" },
          "body": { "recipient": "ada@example.com", "link": "https://id.example.com/l" } } } },
        { "name": "a form", "input": { "message": { "channel": "Sms", "event": "MfaVerification",
          "recipient": "+16502530000" } }, "expected": { "request": form } },
        { "name": "denied", "input": { "message": { "event": "Register" } },
          "expected": { "denied": "Nobody registers here." } },
        { "name": "failed", "input": { "message": { "event": "BindMfa" } }, "expected": { "failed": "no luck" } },
        { "name": "not granted", "input": { "message": { "event": "Generic" } },
          "expected": { "failed": "POST https://elsewhere.example/ was not granted" } },
    ]);
    let report = report_on(MANIFEST, &cases).await;
    assert_eq!(report.cases.as_ref().unwrap().len(), 7);
    assert!(report.passed(), "{report:#?}");
}

#[tokio::test]
async fn whatever_differs_fails_and_is_said() {
    let other = json!({ "url": "https://api.example.com/", "body": { "recipient": "ada@example.com", "code": "1" } });
    let cases = json!([
        { "name": "another request", "input": { "message": { "code": "2" } }, "expected": { "request": other } },
        { "name": "another denial", "input": { "message": { "event": "Register" } }, "expected": { "denied": "No." } },
        { "name": "a request instead", "input": { "message": {} }, "expected": { "denied": "No." } },
        { "name": "a reserved header", "input": { "message": { "event": "ForgotPassword" } },
          "expected": { "request": { "url": "https://api.example.com/" } } },
        { "name": "another kind of input", "input": { "event": {} }, "expected": { "failed": "never called" } },
        { "name": "no input", "input": {}, "expected": { "failed": "never called" } },
    ]);
    let report = report_on(MANIFEST, &cases).await;
    let problems: Vec<_> = report.cases.as_ref().unwrap().iter().map(|case| case.problems.join("; ")).collect();
    let expected = [
        "another request (- expected, + actual):\n",
        "another denial:\n- No.\n+ Nobody registers here.",
        "expected a denial (\"No.\"), but the request is:\n{",
        "the header `host` is reserved and was dropped: no plugin can set it",
        "the plugin composes messages: its input is `message`",
        "the plugin composes messages: its input is `message`",
    ];
    for (problem, start) in problems.iter().zip(expected) {
        assert!(problem.starts_with(start), "{problem:?} is not {start:?}");
    }
    assert_eq!(problems.len(), expected.len());
    assert!(
        matches!(&report.cases.as_ref().unwrap()[0].actual, CaseAnswer::Request(request) if request.method == "POST")
    );
}

#[tokio::test]
async fn settings_of_another_kind_are_refused() {
    for (settings, key) in [
        ("on_error = \"retry\"\n", "on_error"),
        ("hooks = [\"crm\"]\n", "hooks"),
        ("applications = [\"app\"]\n", "applications"),
    ] {
        let error = report_on(settings, &json!([])).await.cases.unwrap_err();
        assert!(error.starts_with(&format!("a.toml, `{key}`: ")), "{error}");
    }
}
