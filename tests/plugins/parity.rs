//! The test harness and the server give the same results for a plugin: claims, log, reserved names and errors.

use claimsmith_harness::{Case, CaseAnswer, Harness, HarnessOptions};
use claimsmith_runtime::PluginFiles;
use claimsmith_test_support::{Home, Kind, Process};
use reqwest::{Method, header::CONTENT_TYPE};
use serde_json::{Map, Value, json};

const CASES: usize = 200;
/// What the plugin is told to do, in turn.
const DEEDS: [&str; 10] = ["echo", "deny", "throw", "forge", "log", "number", "huge", "reject", "promise", "nothing"];

const SOURCE: &str = r#"
export const getCustomJwtClaims = async ({ token, context, environmentVariables, api }) => {
  switch (token.deed) {
    case "deny": api.denyAccess(`not ${token.number}`);
    case "throw": throw new RangeError(`no ${token.number}`);
    case "forge": return { sub: "admin", exp: 1, iss: null, number: token.number };
    case "log":
      console.debug("one", token); console.info("two", context.user); console.warn("three"); console.error(new Error("four"));
      return {};
    case "number": return token.number;
    case "huge": return { text: "x".repeat(100000 + token.number) };
    case "reject": return Promise.reject({ code: token.number });
    case "promise": return new Promise((resolve) => resolve({ later: token.number, ü: "✓ 🧮" }));
    case "nothing": return;
    default: return { token, context, environmentVariables };
  }
};
"#;

/// The question of a number: every deed with and without each part of the context.
fn question(number: usize) -> Value {
    let has = |bit: usize| ((number / DEEDS.len()) >> bit) & 1 == 1;
    let mut context = Map::new();
    let grant = json!({ "type": "urn:example", "subjectTokenContext": { "ticketId": format!("T-{number}") } });
    for (bit, name, part) in [
        (0, "user", json!({ "id": "u", "name": "Ada \"🧮\"", "customData": { "n": number } })),
        (1, "grant", grant),
        (2, "organization", json!({ "id": "o" })),
        (3, "application", json!({ "id": "a", "customData": null })),
    ] {
        if has(bit) {
            context.insert(name.to_owned(), part);
        }
    }
    json!({
        "token": { "deed": DEEDS[number % DEEDS.len()], "number": number },
        "context": context, "environmentVariables": { "N": number.to_string() },
    })
}

#[tokio::test]
async fn the_desk_and_the_server_answer_the_same() {
    let home = Home::new(Kind::Sqlite).await;
    let server = Process::start(env!("CARGO_BIN_EXE_claimsmith"), &home, &[]).await.unwrap();
    let management = server.management().await;
    let upload = management.request(Method::PUT, "/api/plugins/parity").header(CONTENT_TYPE, "text/javascript");
    claimsmith_test_support::Answer::of(upload.body(SOURCE)).await.expect(201);

    let file = home.folder().join("parity.js");
    std::fs::write(&file, SOURCE).unwrap();
    let harness = Harness::new(HarnessOptions::default()).unwrap();
    let subject = harness.open(&PluginFiles::at(&file).unwrap()).await.unwrap();

    let mut outcomes = std::collections::BTreeMap::<String, usize>::new();
    for number in 0..CASES {
        let input = question(number);
        let there = management.post("/api/plugins/parity/test", json!({ "input": input })).await.expect(200).body;
        let case = Case {
            name: number.to_string(),
            input: serde_json::from_value(input).unwrap(),
            http: Vec::new(),
            cache: Vec::new(),
            instructions: None,
            expected: CaseAnswer::Claims(Map::new()),
        };
        let here = subject.run(&case).await;
        let (claims, message) = match &here.actual {
            CaseAnswer::Claims(claims) => (json!(claims), Value::Null),
            CaseAnswer::Denied(message) | CaseAnswer::Failed(message) => (Value::Null, json!(message)),
            other => panic!("{other:?}"),
        };
        let told = json!({
            "outcome": here.outcome, "claims": claims, "message": message, "dropped": here.dropped, "logs": here.logs,
        });
        for part in ["outcome", "claims", "message", "dropped", "logs"] {
            assert_eq!(told[part], there[part], "{part} of case {number}");
        }
        *outcomes.entry(here.outcome.to_owned()).or_default() += 1;
    }
    assert!(outcomes["ok"] >= 80 && outcomes["denied"] == 20 && outcomes["failed"] == 40, "{outcomes:?}");
    assert_eq!(outcomes.values().sum::<usize>(), CASES);
}
