//! Commands that watch files: `claimsmith plugin dev`, `test --watch` and `replay --watch`.

use super::{BINARY, claims, plugin, plugin_with, write};
use claimsmith_test_support::{Home, Kind, Process, in_time, until};
use serde_json::{Value, json};
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::{ExitStatus, Stdio};
use tokio::io::{AsyncBufReadExt as _, BufReader, Lines};
use tokio::process::{Child, ChildStdout, Command};

const WITHOUT_CASES: &str = "export const getCustomJwtClaims = () => ({ version: 2 });";

/// The number of the signal that a terminal sends at Ctrl-C.
const INTERRUPT: i32 = 2;

/// A command that runs inside a plugin's folder until it is dropped.
struct Running {
    child: Child,
    lines: Lines<BufReader<ChildStdout>>,
}

impl Running {
    fn start(home: &Home, folder: &str, arguments: &[&str]) -> Self {
        // Whoever runs the tests may ignore SIGINT, as shells do for jobs in the background: a child would ignore it too.
        let mut command = Command::new("/usr/bin/env");
        command.env_clear().env("CLAIMSMITH_DATA_DIR", home.data_dir()).kill_on_drop(true);
        command.args(["--default-signal=INT", BINARY, "plugin"]).args(arguments);
        let folder = home.folder().join(folder);
        let mut child = command.current_dir(folder).stdout(Stdio::piped()).spawn().unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        Self { child, lines }
    }

    /// Ends it as Ctrl-C does.
    async fn interrupt(mut self) -> ExitStatus {
        let id = self.child.id().unwrap().to_string();
        assert!(Command::new("kill").args(["-INT", &id]).status().await.unwrap().success());
        in_time("the end of the command", self.child.wait()).await.unwrap()
    }

    /// Reads until a line holds this.
    async fn says(&mut self, part: &str) {
        let read = async { while !self.lines.next_line().await.unwrap().unwrap().contains(part) {} };
        in_time(part, read).await;
    }
}

#[tokio::test]
async fn cases_are_run_at_every_save() {
    let home = Home::new(Kind::Sqlite).await;
    plugin(&home, &["new", "--lang", "javascript", "--example", "ticket", "ours"]).await.ok();
    let right = std::fs::read_to_string(home.folder().join("ours/ours.js")).unwrap();
    let mut watching = Running::start(&home, "ours", &["test", "--watch"]);
    watching.says("cases: 4, 4 passed, 0 failed").await;
    write(&home, "ours/ours.js", &right.replace("ticket_id", "ticket_number"));
    watching.says("cases: 4, 2 passed, 2 failed").await;
    write(&home, "ours/ours.js", "export const getCustomJwtClaims = (");
    watching.says("1 cannot be tested").await;
    write(&home, "ours/ours.js", &right);
    watching.says("cases: 4, 4 passed, 0 failed").await;
    write(&home, "ours/ours.cases.json", "[]");
    watching.says("1 without cases").await;
}

/// Puts a component into a folder as builds do, as a whole.
fn put_component(home: &Home, name: &str, file: &str) {
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("wit/published/1.0.0/components").join(name);
    let new = home.folder().join("new.wasm");
    std::fs::copy(kept, &new).unwrap();
    std::fs::rename(new, home.folder().join(file)).unwrap();
}

#[tokio::test]
async fn a_component_is_replayed_at_every_change_until_ctrl_c() {
    let home = Home::new(Kind::Sqlite).await;
    for folder in ["ours", "recordings"] {
        std::fs::create_dir(home.folder().join(folder)).unwrap();
    }
    let sample = |number: u32, ticket: &str| {
        let grant = json!({
            "type": "urn:ietf:params:oauth:grant-type:token-exchange", "subjectTokenContext": { "ticketId": ticket }
        });
        let answer = json!({ "outcome": "ok", "answer": { "ticket_id": ticket }, "message": null });
        json!({
            "number": number, "at": 1_760_000_000_000_u64, "kind": "claims", "contract": "1.0.0", "version": "1",
            "digest": "sha256:ab", "input": { "token": {}, "context": { "grant": grant } }, "outcome": "ok",
            "answer": {}, "message": null, "durationUs": 1, "instructions": 1, "redactedAnswer": answer, "http": [],
            "dropped": false,
        })
    };
    write(&home, "recordings/ours-q3v8.ndjson", &format!("{}\n{}\n", sample(1, "T-1"), sample(2, "T-2")));
    let settings = |prefix: &str| {
        format!("[environment]\nPREFIX = \"{prefix}\"\n\n[capabilities.http]\nhosts = [\"plans.example.com\"]\n")
    };
    write(&home, "ours/ours.toml", &settings(""));
    put_component(&home, "rust-ticket.wasm", "ours/ours.wasm");
    let arguments = ["replay", "ours.wasm", "--recordings", "../recordings", "--watch"];
    let mut watching = Running::start(&home, "ours", &arguments);
    watching.says("equal              2        100 %").await;
    watching.says("ours: 2 samples of 1 recordings").await;

    // Another component: it knows no tickets.
    put_component(&home, "rust-lookup.wasm", "ours/ours.wasm");
    watching.says("different          2        100 %").await;
    watching.says("ticket_id  0      2        0").await;
    put_component(&home, "rust-ticket.wasm", "ours/ours.wasm");
    watching.says("equal              2        100 %").await;

    // Settings count as well.
    write(&home, "ours/ours.toml", &settings("acme_"));
    watching.says("acme_ticket_id  2      0        0").await;
    assert_eq!(watching.interrupt().await.signal(), Some(INTERRUPT));
}

#[tokio::test]
async fn what_is_saved_serves_unless_it_is_wrong() {
    let home = Home::new(Kind::Sqlite).await;
    let server = Process::start(BINARY, &home, &[]).await.unwrap();
    plugin(&home, &["new", "--lang", "javascript", "--example", "ticket", "ours"]).await.ok();
    let mut developing = Running::start(&home, "ours", &["dev"]);
    until("the plugin on the server", async || claims(&server).await.get("ticket_id").cloned()).await;
    // The log is followed from then on: what it says may come before somebody listens.
    let heard = async {
        tokio::select! {
            () = developing.says("acting for") => {}
            () = async { loop { claims(&server).await; } } => {}
        }
    };
    in_time("a line of the server's log", heard).await;

    // Its golden cases do not pass: what serves goes on serving.
    write(&home, "ours/ours.js", WITHOUT_CASES);
    developing.says("FAIL ").await;
    assert_eq!(claims(&server).await["ticket_id"], "TECH-1234");

    std::fs::remove_file(home.folder().join("ours/ours.cases.json")).unwrap();
    until("the next version", async || (claims(&server).await.get("version") == Some(&json!(2))).then_some(())).await;
    assert!(!claims(&server).await.contains_key("ticket_id"));
}

#[tokio::test]
async fn what_a_build_writes_begins_no_other_round() {
    let home = Home::new(Kind::Sqlite).await;
    let _server = Process::start(BINARY, &home, &[]).await.unwrap();
    std::fs::create_dir(home.folder().join("built")).unwrap();
    // A bundler that writes its output and a log beside the sources, and counts how often it runs.
    let build = "cp source.js main.js; date +%N >build.log; echo run >>../runs";
    let build = format!("name = \"built\"\ncommand = [\"sh\", \"-c\", \"{build}\"]\noutput = \"main.js\"\n");
    write(&home, "built/build.toml", &build);
    write(&home, "built/source.js", "export const getCustomJwtClaims = () => ({ version: 1 });");
    let mut developing = Running::start(&home, "built", &["dev"]);
    developing.says("built: version 1 is new").await;
    let runs = || std::fs::read_to_string(home.folder().join("runs")).unwrap().lines().count();
    // The log begins a few rounds, until it is known that every round writes it.
    let quiet = async {
        loop {
            let before = runs();
            tokio::time::sleep(std::time::Duration::from_secs(3)).await;
            if runs() == before {
                break before;
            }
        }
    };
    let before = in_time("no further round", quiet).await;
    assert!(before < 10, "{before} rounds");
    write(&home, "built/source.js", "export const getCustomJwtClaims = () => ({ version: 2 });");
    developing.says("built: version 2 is new").await;
    assert!(runs() > before);
}

#[tokio::test]
async fn questions_are_answered_line_by_line() {
    let home = Home::new(Kind::Sqlite).await;
    write(
        &home,
        "aud.js",
        "export const getCustomJwtClaims = ({ token, api }) => token.aud ? { seen: token.aud } : api.denyAccess('Whose?');",
    );
    let asked = "{\"token\": {\"aud\": \"a\"}}\n{\"name\": \"a case\", \"input\": {}}\n\nno\n[{}, {}]\n{\"event\": {}}\n{\"token\": {\"aud\": \"b\"}}\n";
    let told = plugin_with(&home, &[], &["run", "aud.js", "--lines"], asked).await.ok();
    let answers: Vec<Value> = told.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(answers.len(), 7, "{told}");
    assert_eq!((&answers[0]["outcome"], &answers[0]["claims"]), (&json!("ok"), &json!({ "seen": "a" })));
    assert_eq!((&answers[1]["outcome"], &answers[1]["message"]), (&json!("denied"), &json!("Whose?")));
    for refused in &answers[2..5] {
        assert!(refused["error"].is_string(), "{refused}");
    }
    assert_eq!(answers[5]["outcome"], "failed", "{}", answers[5]);
    assert_eq!(answers[6]["claims"], json!({ "seen": "b" }));
    assert_eq!(answers[0]["instructions"], answers[6]["instructions"], "the same work");

    write(&home, "broken.js", "export const getCustomJwtClaims = (");
    let told = plugin_with(&home, &[], &["run", "broken.js", "--lines"], "{}\n").await;
    assert_eq!((told.code, told.stdout.as_str()), (Some(1), ""), "{told:?}");
    plugin(&home, &["run", "aud.js", "--lines", "--input", "-"]).await.fails(2);
    plugin(&home, &["run", "aud.js"]).await.fails(2);
}
