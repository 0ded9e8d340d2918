//! Golden cases: what passes, what fails, and the messages.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use claimsmith_harness::{CaseAnswer, Harness, HarnessOptions, PluginReport, load_cases};
use std::{fs, path::Path};
use tempfile::TempDir;

const PLUGIN: &str = r#"
export const getCustomJwtClaims = ({ token, context, environmentVariables, api }) => {
  switch (token.do) {
    case "deny": api.denyAccess("Not today.");
    case "throw": throw new Error("no luck");
    case "forge": return { sub: "admin", fine: 1 };
    case "environment": return environmentVariables;
    default: return { context };
  }
};
"#;

fn folder_with(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

async fn report_on(folder: &Path) -> PluginReport {
    Harness::new(HarnessOptions::default()).unwrap().run_file(&folder.join("a.js")).await.unwrap()
}

#[tokio::test]
async fn every_kind_of_answer_can_be_expected() {
    let cases = r#"[
      { "name": "denied", "input": { "token": { "do": "deny" } }, "expected": { "denied": "Not today." } },
      { "name": "failed", "input": { "token": { "do": "throw" } }, "expected": { "failed": "no luck" } },
      { "name": "variables", "input": { "token": { "do": "environment" }, "environmentVariables": { "B": "mine" } },
        "expected": { "claims": { "A": "manifest", "B": "mine", "KEY": "secret:KEY" } } },
      { "name": "a secret's value may be set", "input": { "token": { "do": "environment" },
        "environmentVariables": { "KEY": "mine" } }, "expected": { "claims": { "A": "manifest", "B": "too", "KEY": "mine" } } },
      { "name": "context", "input": { "context": { "grant": { "type": "g", "subjectTokenContext": { "t": 1 } },
        "user": { "id": "u" }, "application": { "id": "a" }, "organization": { "id": "o" }, "interaction": {
        "interactionEvent": "SignIn", "userId": "u", "verificationRecords": [{ "id": "v", "type": "Password",
        "identifier": { "type": "username", "value": "ada" }, "verified": true }] } } },
        "expected": { "claims": { "context": { "grant": { "type": "g", "subjectTokenContext": { "t": 1 } },
        "user": { "id": "u" }, "application": { "id": "a" }, "organization": { "id": "o" }, "interaction": {
        "interactionEvent": "SignIn", "userId": "u", "verificationRecords": [{ "id": "v", "type": "Password",
        "identifier": { "type": "username", "value": "ada" }, "verified": true }] } } } } },
      { "name": "a sign-in of which little is known", "input": { "context": { "interaction": {} } },
        "expected": { "claims": { "context": { "interaction": {} } } } }
    ]"#;
    // The secret's file does not exist: no case needs it. Nor does it matter that the plugin is switched off.
    let manifest =
        "enabled = false\n[environment]\nA = \"manifest\"\nB = \"too\"\n[secrets]\nKEY = { file = \"/none\" }\n";
    let folder = folder_with(&[("a.js", PLUGIN), ("a.toml", manifest), ("a.cases.json", cases)]);
    let report = report_on(folder.path()).await;
    assert_eq!(report.cases.as_ref().unwrap().len(), 6);
    assert!(report.passed(), "{report:#?}");
}

#[tokio::test]
async fn whatever_differs_fails_and_is_said() {
    let cases = r#"[
      { "name": "a reserved claim", "input": { "token": { "do": "forge" } }, "expected": { "claims": { "fine": 1 } } },
      { "name": "another message", "input": { "token": { "do": "deny" } }, "expected": { "denied": "Not" } },
      { "name": "another failure", "input": { "token": { "do": "throw" } }, "expected": { "failed": "luckily" } },
      { "name": "a denial is no failure", "input": { "token": { "do": "deny" } }, "expected": { "failed": "Not today" } },
      { "name": "claims instead", "input": {}, "expected": { "denied": "Not today." } },
      { "name": "other claims", "input": {}, "expected": { "claims": { "context": { "user": {} } } } }
    ]"#;
    let folder = folder_with(&[("a.js", PLUGIN), ("a.cases.json", cases)]);
    let report = report_on(folder.path()).await;
    let problems: Vec<_> = report.cases.as_ref().unwrap().iter().map(|case| case.problems.join("; ")).collect();
    let expected = [
        "the claim `sub` is reserved and was dropped: no plugin can set it",
        "another denial:\n- Not\n+ Not today.",
        "another failure, without \"luckily\":\n",
        "expected a failure (\"Not today\"), but the plugin denied access: Not today.",
        "expected a denial (\"Not today.\"), but the plugin answered claims:\n{",
        "other claims (- expected, + actual):\n",
    ];
    for (problem, start) in problems.iter().zip(expected) {
        assert!(problem.starts_with(start), "{problem:?} is not {start:?}");
    }
    let (denial, claims) = (&report.cases.as_ref().unwrap()[4], &report.cases.as_ref().unwrap()[5]);
    assert_eq!(denial.expected, CaseAnswer::Denied("Not today.".to_owned()));
    assert_eq!(serde_json::to_value(&claims.actual).unwrap(), serde_json::json!({ "claims": { "context": {} } }));
    assert_eq!(problems.len(), expected.len());
    assert!(!report.passed());
}

#[tokio::test]
async fn other_servers_answer_what_the_case_says() {
    let plugin = r#"export const getCustomJwtClaims = async ({ token: { url } }) => {
        const answer = await fetch(url);
        return { status: answer.status, type: answer.headers.get("content-type"), text: await answer.text() };
    };"#;
    let cases = r#"[
      { "name": "json", "input": { "token": { "url": "https://api.example.com/a" } },
        "http": [{ "url": "https://api.example.com/a", "body": { "b": 1 } }],
        "expected": { "claims": { "status": 200, "type": "application/json", "text": "{\"b\":1}" } } },
      { "name": "a text and a status", "input": { "token": { "url": "https://api.example.com" } },
        "http": [{ "url": "https://api.example.com", "status": 503, "body": "later" }],
        "expected": { "claims": { "status": 503, "type": null, "text": "later" } } },
      { "name": "unlisted", "input": { "token": { "url": "https://api.example.com/a" } },
        "expected": { "failed": "GET https://api.example.com/a: the case does not say what is answered" } },
      { "name": "not granted", "input": { "token": { "url": "https://example.com/a" } },
        "http": [{ "url": "https://example.com/a" }],
        "expected": { "failed": "GET https://example.com/a was not granted to this plugin" } }
    ]"#;
    let manifest = "[capabilities.http]\nhosts = [\"api.example.com\"]\n";
    let folder = folder_with(&[("a.js", plugin), ("a.toml", manifest), ("a.cases.json", cases)]);
    let report = report_on(folder.path()).await;
    assert_eq!(report.cases.as_ref().unwrap().len(), 4);
    assert!(report.passed(), "{report:#?}");
}

#[tokio::test]
async fn every_plugin_of_a_folder_is_reported() {
    let one = r#"[{ "name": "one", "input": {}, "expected": { "claims": { "context": {} } } }]"#;
    let files = [("a.js", PLUGIN), ("a.cases.json", one), ("b.ts", "const ("), ("c.js", PLUGIN), ("d.cases.json", one)];
    let folder = folder_with(&files);
    let harness = Harness::new(HarnessOptions::default()).unwrap();
    let report = harness.run_folder(folder.path()).await.unwrap();
    let passed: Vec<_> = report.plugins.iter().map(|plugin| (plugin.name.as_str(), plugin.passed())).collect();
    assert_eq!(passed, [("a", true), ("b", false), ("c", true)]);
    assert!(report.plugins[1].cases.as_ref().unwrap_err().contains("b.ts"), "{report:#?}");
    assert_eq!(report.orphans, ["d.cases.json"]);
    assert!(!report.passed());
}

#[test]
fn a_file_that_holds_no_cases_says_where() {
    let table = [
        ("{}", "x.cases.json, `.`: invalid type: map"),
        (r#"[{ "name": "a", "input": {}, "expected": {}, "more": 1 }]"#, "x.cases.json, `[0].expected`: "),
        (
            r#"[{ "name": "a", "input": { "tokens": {} }, "expected": { "claims": {} } }]"#,
            "x.cases.json, `[0].input.tokens`: unknown field",
        ),
        (
            r#"[{ "name": "a", "input": { "context": { "grants": {} } } }]"#,
            "x.cases.json, `[0].input.context.grants`: unknown field",
        ),
        (
            r#"[{ "name": "a", "input": {}, "expected": { "claim": {} } }]"#,
            "x.cases.json, `[0].expected`: unknown variant `claim`",
        ),
        (r#"[{ "name": "a", "input": {} }]"#, "x.cases.json, `[0]`: missing field `expected`"),
        ("[] []", "x.cases.json, `end`: trailing characters"),
    ];
    for (text, start) in table {
        let folder = folder_with(&[("x.cases.json", text)]);
        let shown = load_cases(&folder.path().join("x.cases.json")).unwrap_err().to_string();
        assert!(shown.starts_with(start), "{text} gave {shown:?}, not {start:?}");
    }
    let twice = r#"{ "name": "a", "input": {}, "expected": { "claims": {} } }"#;
    let folder = folder_with(&[("x.cases.json", &format!("[{twice}, {twice}]"))]);
    let shown = load_cases(&folder.path().join("x.cases.json")).unwrap_err().to_string();
    assert_eq!(shown, "x.cases.json: two cases are called `a`");
    assert!(load_cases(&folder.path().join("y.cases.json")).unwrap().is_none());
}

#[tokio::test]
async fn a_case_says_what_is_in_the_cache() {
    let plugin = r#"
export const getCustomJwtClaims = ({ api }) => {
  const before = api.cache.get("user", "plan");
  api.cache.set("user", "plan", { is: "new" }, 60);
  return { before: before ?? "nothing", after: api.cache.get("user", "plan").is };
};
"#;
    let cases = r#"[
      { "name": "known", "input": { "context": { "user": { "id": "u1" } } },
        "cache": [{ "owner": "user", "key": "plan", "value": { "is": "gold" } }],
        "expected": { "claims": { "before": { "is": "gold" }, "after": "new" } } },
      { "name": "each case has its own", "input": { "context": { "user": { "id": "u1" } } },
        "expected": { "claims": { "before": "nothing", "after": "new" } } },
      { "name": "without a user", "input": {}, "expected": { "failed": "there is no user in this call" } }
    ]"#;
    let manifest = "[capabilities.cache]\n";
    let folder = folder_with(&[("a.js", plugin), ("a.toml", manifest), ("a.cases.json", cases)]);
    let report = report_on(folder.path()).await;
    assert!(report.passed() && report.cases.as_ref().unwrap().len() == 3, "{report:#?}");

    let nobody = r#"[{ "name": "a", "input": {}, "cache": [{ "owner": "user", "key": "k", "value": 1 }],
        "expected": { "claims": {} } }]"#;
    for (manifest, part) in
        [("", "the settings declare no cache"), (manifest, "the entry \"k\" of the case is refused")]
    {
        let folder = folder_with(&[("a.js", plugin), ("a.toml", manifest), ("a.cases.json", nobody)]);
        let report = report_on(folder.path()).await;
        let problems = &report.cases.as_ref().unwrap()[0].problems;
        assert!(problems[0].contains(part), "{problems:?}");
    }
}

#[tokio::test]
async fn a_case_or_the_settings_bound_the_instructions() {
    let plugin = "export const getCustomJwtClaims = () => ({});";
    let case = |more: &str| format!(r#"[{{ "name": "a", "input": {{}}, {more} "expected": {{ "claims": {{}} }} }}]"#);
    let settings = "[limits]\ninstructions = 100\n";
    for (settings, more, passes) in [
        ("", "", true),
        ("", "\"instructions\": 100,", false),
        ("", "\"instructions\": 1000000000,", true),
        (settings, "", false),
        (settings, "\"instructions\": 1000000000,", true),
    ] {
        let folder = folder_with(&[("a.js", plugin), ("a.toml", settings), ("a.cases.json", &case(more))]);
        let report = report_on(folder.path()).await;
        let case = &report.cases.as_ref().unwrap()[0];
        assert_eq!(case.passed(), passes, "{settings:?}, {more:?}: {case:#?}");
        if !passes {
            assert!(case.problems[0].ends_with("instructions; at most 100 are allowed"), "{:?}", case.problems);
        }
    }
}

#[tokio::test]
async fn a_secret_of_a_header_is_filled_in_for_stub_servers() {
    let plugin = r#"
export const getCustomJwtClaims = async ({ environmentVariables }) => {
  const answer = await fetch("https://api.example.com/plan");
  return { plan: (await answer.json()).plan, variables: Object.keys(environmentVariables) };
};
"#;
    let settings = "[capabilities.http]\nhosts = [\"api.example.com\"]\n\
                    [capabilities.http.headers.\"api.example.com\"]\nauthorization = \"Bearer {secret:API_KEY}\"\n";
    let cases = r#"[{ "name": "a", "input": {},
        "http": [{ "url": "https://api.example.com/plan", "body": { "plan": "secret:API_KEY" } }],
        "expected": { "claims": { "plan": "***", "variables": [] } } }]"#;
    let folder = folder_with(&[("a.js", plugin), ("a.toml", settings), ("a.cases.json", cases)]);
    let report = report_on(folder.path()).await;
    assert!(report.passed(), "{report:#?}");
}
