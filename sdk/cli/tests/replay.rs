//! Recordings at an author's desk: they are downloaded from a server, replayed, and become golden cases.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use claimsmith_runtime::contract_version;
use claimsmith_test_support::{CommandOutput, Receiver, Reply};
use serde_json::{Value, json};
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use tempfile::TempDir;
use tokio::process::Command;

const BINARY: &str = env!("CARGO_BIN_EXE_claimsmith-desk");

const PLUGIN: &str = r#"export const getCustomJwtClaims = ({ context: { user }, api }) => {
  if (user.blocked) api.denyAccess("Blocked.");
  return { plan: user.plan, drawn: Math.random() };
};
"#;

/// A folder with the plugin `team`, and the recordings in `recordings`.
struct Desk(TempDir);

impl Desk {
    fn new() -> Self {
        let desk = Self(tempfile::tempdir().unwrap());
        fs::create_dir_all(desk.0.path().join("recordings")).unwrap();
        fs::create_dir_all(desk.0.path().join("team")).unwrap();
        desk.write("team/team.js", PLUGIN);
        desk
    }

    fn write(&self, file: &str, text: &str) {
        fs::write(self.0.path().join(file), text).unwrap();
    }

    fn read(&self, file: &str) -> String {
        fs::read_to_string(self.0.path().join(file)).unwrap()
    }

    fn record(&self, id: &str, samples: &[Value]) {
        let lines: Vec<_> = samples.iter().map(|sample| format!("{sample}\n")).collect();
        self.write(&format!("recordings/team-{id}.ndjson"), &lines.concat());
    }

    /// `claimsmith-desk plugin ARGUMENTS`, for this server if there is one.
    async fn plugin(&self, server: Option<&Receiver>, arguments: &[&str]) -> CommandOutput {
        let mut command = Command::new(BINARY);
        command.env_clear().env("XDG_CACHE_HOME", self.0.path().join("cache")).current_dir(self.0.path());
        if let Some(server) = server {
            let origin = server.url().trim_end_matches("/hook").to_owned();
            command.env("CLAIMSMITH_SERVER", origin).env("CLAIMSMITH_TOKEN", "a-token");
        }
        command.arg("plugin").args(arguments).kill_on_drop(true);
        command.output().await.unwrap().into()
    }

    async fn replay(&self, arguments: &[&str]) -> CommandOutput {
        let all: Vec<&str> =
            ["replay", "team", "--recordings", "recordings"].iter().chain(arguments).copied().collect();
        self.plugin(None, &all).await
    }
}

fn sample(number: u32, user: &Value, answer: &Value) -> Value {
    json!({
        "number": number, "at": 1_760_000_000_000_u64, "kind": "claims", "contract": contract_version(),
        "version": "3", "digest": "sha256:ab", "input": { "token": {}, "context": { "user": user } },
        "outcome": "ok", "answer": {}, "message": null, "durationUs": 1, "instructions": 1, "redactedAnswer": answer,
        "http": [], "dropped": false,
    })
}

fn ok(answer: &Value) -> Value {
    json!({ "outcome": "ok", "answer": answer, "message": null })
}

fn denied(text: &str) -> Value {
    json!({ "outcome": "denied", "answer": null, "message": text })
}

#[tokio::test]
async fn a_change_is_replayed_before_it_is_deployed() {
    let desk = Desk::new();
    let text = desk.replay(&[]).await.fails(2);
    assert!(text.contains("recordings contains no recording of team: "), "{text}");
    let pro = json!({ "plan": "pro" });
    desk.record(
        "q3v8",
        &[
            sample(1, &pro, &ok(&json!({ "plan": "pro", "drawn": 0.5 }))),
            sample(2, &json!({ "blocked": true }), &denied("Blocked.")),
            sample(3, &pro, &Value::Null),
        ],
    );
    let text = desk.replay(&[]).await.ok();
    assert!(text.starts_with("ANSWER             SAMPLES  SHARE\nequal              2        100 %\n"), "{text}");
    assert!(text.contains("\nmore instructions  2\n"), "{text}");
    assert!(text.contains("\nteam: 2 samples of 1 recordings\n"), "{text}");
    assert!(text.contains("\nnoise, from the clock or random bytes: /drawn (1)\n"), "{text}");
    assert!(text.ends_with("\nwithout an answer to compare with: 1\n"), "{text}");

    desk.write("team/team.js", &PLUGIN.replace("plan: user.plan", "plan: \"free\", new: 1").replace("Blocked.", "No."));
    let output = desk.replay(&[]).await;
    let text = output.stdout.as_str();
    assert_eq!(output.code, Some(1), "{output:?}");
    assert!(text.starts_with("DIFFERENT       team-q3v8.ndjson:1\n"), "{text}");
    assert!(text.contains("-   \"plan\": \"pro\"\n") && text.contains("+   \"plan\": \"free\"\n"), "{text}");
    assert!(
        text.contains("\nCLAIM  ADDED  REMOVED  CHANGED\nnew    1      0        0\nplan   0      0        1\n"),
        "{text}"
    );
    let found = desk.replay(&["--json", "--allow-different"]).await.json();
    assert_eq!((&found["samples"], &found["skipped"], &found["versions"]), (&json!(3), &json!(1), &json!(["3"])));
    assert_eq!(found["comparison"]["classes"]["different"]["count"], 2);
    assert_eq!(found["comparison"]["claims"]["plan"], json!({ "added": 0, "removed": 0, "changed": 1 }));
}

#[tokio::test]
async fn samples_become_golden_cases_beside_those_that_are_there() {
    let desk = Desk::new();
    desk.write("team/team.js", &PLUGIN.replace(", drawn: Math.random()", ""));
    let own = r#"  { "name":   "mine", "input": { "context": { "user": { "plan": "x" } } },
    "expected": { "claims": { "plan": "x" } } }"#;
    desk.write("team/team.cases.json", &format!("[\n{own}\n]\n"));
    let (free, pro) = (json!({ "plan": "free" }), json!({ "plan": "pro" }));
    desk.record(
        "1",
        &[
            sample(1, &free, &ok(&free)),
            sample(2, &free, &ok(&free)),
            sample(3, &pro, &ok(&pro)),
            sample(4, &json!({ "blocked": true }), &denied("Blocked.")),
        ],
    );
    let text = desk.replay(&["--as-cases", "2"]).await.ok();
    assert!(text.ends_with("\ngolden cases added: 2\n"), "{text}");
    let written = desk.read("team/team.cases.json");
    assert!(written.starts_with(&format!("[\n{own},\n")), "the author's text stays: {written}");
    let cases: Value = serde_json::from_str(&written).unwrap();
    let names: Vec<_> = cases.as_array().unwrap().iter().map(|case| case["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["mine", "recorded: team-1 4", "recorded: team-1 1"], "of each outcome");
    assert_eq!(cases[1]["expected"], json!({ "denied": "Blocked." }));
    // What is there already is not added again; of equal inputs, one is enough.
    for added in [1, 0] {
        let text = desk.replay(&["--as-cases", "9"]).await.ok();
        assert!(text.ends_with(&format!("\ngolden cases added: {added}\n")), "{text}");
    }
    let tested = desk.plugin(None, &["test", "team"]).await.ok();
    assert!(tested.contains(" passed, 0 failed"), "{tested}");
}

#[tokio::test]
async fn files_that_cannot_be_replayed_say_where() {
    let desk = Desk::new();
    let answer = ok(&json!({ "plan": "pro" }));
    let good = sample(1, &json!({ "plan": "pro" }), &answer);
    let mut other = good.clone();
    other["kind"] = json!("webhook-transform");
    other["input"] = json!({ "event": {} });
    desk.write("recordings/team-1.ndjson", &format!("{good}\n{{\n"));
    let text = desk.replay(&[]).await.fails(1);
    assert_eq!(text, "claimsmith: team-1.ndjson, line 2: EOF while parsing an object (column 1)\n");
    desk.record("1", &[good, other]);
    let text = desk.replay(&[]).await.fails(1);
    assert!(text.starts_with("claimsmith: team-1.ndjson:2: it was recorded of the world "), "{text}");
    desk.record("1", &[]);
    assert!(desk.replay(&[]).await.fails(1).contains("recordings contains no sample: nothing was recorded yet"));
    let text = desk.plugin(None, &["replay", "team", "--recordings", "none"]).await.fails(1);
    assert!(text.starts_with("claimsmith: none cannot be read: "), "{text}");
}

#[tokio::test]
async fn a_recording_is_downloaded_page_by_page_and_goes_on_where_it_broke_off() {
    let desk = Desk::new();
    let server = Receiver::answering(|_, request| {
        let page = |numbers: &[u32], next: Option<&str>| {
            let lines: Vec<_> = numbers.iter().map(|number| format!("{}\n", json!({ "number": number }))).collect();
            let link = next.map(|query| ("link", format!("<https://id.example.com{query}>; rel=\"next\"")));
            Reply::Status(200, link, lines.concat())
        };
        match request.path.as_str() {
            "/api/plugins/team/recordings" => {
                let list = json!([{ "id": "old", "createdAt": 1 }, { "id": "q3v8", "createdAt": 2 }]);
                Reply::Status(200, None, list.to_string())
            }
            "/api/plugins/team/recordings/q3v8/samples" => page(&[1, 2], Some("?after=2")),
            "/api/plugins/team/recordings/q3v8/samples?after=2" => page(&[4], Some("?after=4")),
            "/api/plugins/team/recordings/q3v8/samples?after=4" => page(&[5], None),
            _ => Reply::Status(404, None, json!({ "code": "entity.not_found", "message": "No." }).to_string()),
        }
    })
    .await;
    // The first page was there already, and half of a line.
    desk.write("recordings/.team-q3v8.ndjson.part", "{\"number\":1}\n{\"number\":2}\n{\"num");
    let output = desk.plugin(Some(&server), &["recordings", "pull", "team", "--to", "recordings"]).await;
    assert_eq!(output.stderr, "2 samples are there from a download that broke off\n", "{output:?}");
    assert_eq!(output.ok(), "recordings/team-q3v8.ndjson: 4 samples\n");
    assert_eq!(
        desk.read("recordings/team-q3v8.ndjson"),
        "{\"number\":1}\n{\"number\":2}\n{\"number\":4}\n{\"number\":5}\n"
    );
    let mode = |file: &str| fs::metadata(desk.0.path().join(file)).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode("recordings/team-q3v8.ndjson"), 0o600);
    assert!(!desk.0.path().join("recordings/.team-q3v8.ndjson.part").exists());
    let asked = server.received();
    assert_eq!(asked.len(), 3, "each request is audited: none beyond the last page");
    assert_eq!(asked[1].path, "/api/plugins/team/recordings/q3v8/samples?after=2", "not from the beginning");
    assert_eq!(asked[1].header("authorization"), "Bearer a-token");

    let text = desk.plugin(Some(&server), &["recordings", "pull", "team", "none", "--to", "recordings"]).await.fails(1);
    assert!(text.starts_with("claimsmith: No. (404 entity.not_found)"), "{text}");
    assert!(!desk.0.path().join("recordings/.team-none.ndjson.part").exists(), "nothing is left of it");
    let text = desk.plugin(Some(&server), &["recordings", "pull", "team", "../a"]).await.fails(2);
    assert_eq!(text, "claimsmith: \"../a\" is not the id of a recording\n");
    let text = desk.plugin(Some(&server), &["recordings", "pull", "../team", "a"]).await.fails(2);
    assert!(text.contains("is not a valid plugin name"), "{text}");
}

#[tokio::test]
async fn samples_of_a_rollout_become_golden_cases() {
    let desk = Desk::new();
    let case = |number: u32, plan: &str| {
        json!({
            "name": format!("rollout of version 3: different {number}"),
            "input": { "token": {}, "context": { "user": { "plan": "free", "number": number } } },
            "expected": { "claims": { "plan": plan } },
        })
    };
    let sample = |number: u32| {
        json!({
            "id": format!("id-{number}"), "class": "different", "createdAt": 0,
            "content": { "active": { "answer": { "plan": "free" } }, "candidate": { "answer": { "plan": "basic" } } },
            "cases": { "active": case(number, "free"), "candidate": case(number, "basic") },
        })
    };
    let samples = json!([sample(1), sample(2)]).to_string();
    let server = Receiver::answering(move |_, request| match request.path.as_str() {
        "/api/plugins/team/rollout/samples" => Reply::Status(200, None, samples.clone()),
        _ => Reply::Status(404, None, json!({ "code": "entity.not_exists", "message": "No." }).to_string()),
    })
    .await;
    let text = desk.plugin(Some(&server), &["rollout", "samples", "team"]).await.ok();
    assert!(text.contains("different       id-1  ") && text.ends_with("team: 2 samples\n"), "{text}");
    assert!(text.contains("free") && text.contains("basic"), "{text}");
    assert!(!desk.0.path().join("team.cases.json").exists(), "nothing is written without --as-cases");

    let asked = |expect: &'static str| ["rollout", "samples", "team", "--as-cases", "1", "--expect", expect];
    let output = desk.plugin(Some(&server), &asked("candidate")).await;
    assert_eq!(output.stderr, "team.cases.json: golden cases added: 1\n", "{output:?}");
    output.ok();
    // The first one is there already.
    desk.plugin(Some(&server), &asked("active")).await.ok();
    let cases: Value = serde_json::from_str(&desk.read("team.cases.json")).unwrap();
    assert_eq!(cases, json!([case(1, "basic"), case(2, "free")]));
    let text = desk.plugin(Some(&server), &["rollout", "samples", "none"]).await.fails(1);
    assert!(text.starts_with("claimsmith: No. (404 entity.not_exists)"), "{text}");
}

#[tokio::test]
async fn a_recording_is_started_and_waited_for() {
    let desk = Desk::new();
    let recording = |recorded: u32, ended: bool| {
        let (at, state) = if ended { (json!(60_000), "complete") } else { (Value::Null, "recording") };
        let view = json!({
            "id": "q3v8", "count": 2, "recorded": recorded, "dropped": 0, "until": 60_000, "createdAt": 0,
            "createdBy": "ada", "endedAt": at, "state": state, "expiresAt": 604_800_000,
        });
        view.to_string()
    };
    let server = Receiver::answering(move |number, _| match number {
        0 => Reply::Status(201, None, recording(0, false)),
        1 => Reply::Status(200, None, recording(1, false)),
        _ => Reply::Status(200, None, recording(2, true)),
    })
    .await;
    let arguments =
        ["record", "team", "--count", "2", "--until", "10m", "--outcome", "denied", "--keep-http", "--wait"];
    let output = desk.plugin(Some(&server), &arguments).await;
    assert!(output.stderr.ends_with("To download it: claimsmith plugin recordings pull team q3v8\n"), "{output:?}");
    let text = output.ok();
    assert!(text.contains("state    complete\n") && text.contains("samples  2 of 2\n"), "{text}");
    let asked = server.received();
    assert_eq!((asked.len(), asked[2].path.as_str()), (3, "/api/plugins/team/recordings/q3v8"));
    let body = asked[0].json();
    assert_eq!((&body["count"], &body["outcomes"], &body["keepHttp"]), (&json!(2), &json!(["denied"]), &json!(true)));
    assert!(body["until"].as_u64().is_some() && body.get("users").is_none());
    desk.plugin(Some(&server), &["record", "team", "--count", "0"]).await.fails(2);
}

#[tokio::test]
async fn a_profile_says_what_it_shows() {
    let desk = Desk::new();
    desk.write("input.json", r#"{ "context": { "user": { "plan": "pro" } } }"#);
    let output = desk.plugin(None, &["run", "team", "--input", "input.json", "--profile", "profile.json"]).await;
    assert!(output.stderr.starts_with("profile.json: "), "{output:?}");
    assert!(output.stderr.contains("The functions in it are those of the JavaScript interpreter;"), "{output:?}");
    assert!(output.ok().starts_with("outcome       ok\n"));
    let profile: Value = serde_json::from_str(&desk.read("profile.json")).unwrap();
    assert!(profile["threads"].as_array().is_some_and(|threads| !threads.is_empty()));
    let text = desk.plugin(None, &["run", "team", "--lines", "--profile", "profile.json"]).await.fails(2);
    assert!(text.contains("cannot be used with"), "{text}");
}
