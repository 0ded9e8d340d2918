//! The binary `claimsmith-desk`: local commands without a server, and remote commands with a server's URL.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use claimsmith_test_support::{CommandOutput, Home, Kind, TestServer};
use serde_json::json;
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;

const BINARY: &str = env!("CARGO_BIN_EXE_claimsmith-desk");

/// An author's machine, which is not the server's.
struct Desk {
    folder: TempDir,
    /// What the environment says of a server.
    variables: Vec<(&'static str, String)>,
}

impl Desk {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap(), variables: Vec::new() }
    }

    /// With the credentials of an application of this server.
    fn of(server: &TestServer) -> Self {
        let machine = server.machine();
        let variables = [
            ("CLAIMSMITH_SERVER", server.origin.as_str()),
            ("CLAIMSMITH_RESOURCE", &machine.resource),
            ("CLAIMSMITH_CLIENT_ID", &machine.client_id),
            ("CLAIMSMITH_CLIENT_SECRET", &machine.client_secret),
        ];
        Self { variables: variables.map(|(name, value)| (name, value.to_owned())).into(), ..Self::new() }
    }

    /// Runs `claimsmith-desk plugin ARGUMENTS` in a folder. Nothing of the test's own environment reaches it.
    async fn plugin(&self, folder: &str, arguments: &[&str]) -> CommandOutput {
        let mut command = tokio::process::Command::new(BINARY);
        command.env_clear().envs(self.variables.iter().map(|(name, value)| (*name, value.as_str())));
        command.env("XDG_CACHE_HOME", self.folder.path().join("cache"));
        command.arg("plugin").args(arguments).current_dir(self.folder.path().join(folder)).kill_on_drop(true);
        command.output().await.unwrap().into()
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_new_plugin_goes_to_a_server_elsewhere_and_back() {
    // Uploads are compiled by the server's binary, which cargo builds with the tests of the workspace.
    let compiler = Path::new(BINARY).with_file_name("claimsmith");
    assert!(compiler.is_file(), "build it first: cargo build --release --bin claimsmith");
    let server = TestServer::start(&Home::new(Kind::Sqlite).await, &[]).await.unwrap();
    let ticket = async || {
        let answer = server.exchange(&server.customer_token().await).send().await.expect(200);
        let token = server.verify(&answer.text("access_token"), &server.demo().resource).await;
        token.claims.get("ticket_id").cloned()
    };
    let desk = Desk::of(&server);
    let rendered = desk.plugin("", &["new", "--lang", "javascript", "--example", "ticket", "ours"]).await.ok();
    assert!(rendered.starts_with("ours: a plugin in JavaScript\n"), "{rendered}");
    let rendered = desk.plugin("ours", &["test"]).await.ok();
    assert!(rendered.ends_with("\nplugins: 1; cases: 4, 4 passed, 0 failed\n"), "{rendered}");
    let found = desk.plugin("ours", &["check", "--json"]).await.json();
    assert_eq!((&found["name"], &found["problems"]), (&json!("ours"), &json!([])));
    assert_eq!(ticket().await, None);

    let rendered = desk.plugin("ours", &["deploy", "ours.js"]).await.ok();
    assert!(rendered.starts_with("ours: version 1 is new, and active\n"), "{rendered}");
    assert_eq!(ticket().await, Some(json!("TECH-1234")));
    assert_eq!(desk.plugin("", &["list", "--json"]).await.json()[0]["name"], "ours");
    desk.plugin("", &["delete", "ours"]).await.ok();
    assert_eq!(ticket().await, None);
}

#[tokio::test]
async fn a_plugin_that_is_compiled_is_built_and_tested_without_a_server() {
    let desk = Desk::new();
    let write = |file: &str, text: &str| std::fs::write(desk.folder.path().join(file), text).unwrap();
    std::fs::create_dir(desk.folder.path().join("ours")).unwrap();
    // A bundler, for short.
    write("ours/build.toml", "name = \"ours\"\ncommand = [\"cp\", \"source.mjs\", \"out.js\"]\noutput = \"out.js\"\n");
    write("ours/source.mjs", "export const getCustomJwtClaims = () => ({ a: 1 });\n");
    write("ours/ours.cases.json", r#"[{ "name": "a", "input": {}, "expected": { "claims": { "a": 1 } } }]"#);
    let built = desk.plugin("ours", &["build"]).await;
    assert_eq!((built.code, built.stderr.as_str()), (Some(0), "ours.js: 52 bytes\n"));
    assert!(desk.plugin("ours", &["test"]).await.ok().ends_with("cases: 1, 1 passed, 0 failed\n"));
}

#[tokio::test]
async fn a_server_is_named_and_not_looked_for() {
    let home = Home::new(Kind::Sqlite).await;
    let server = TestServer::start(&home, &[]).await.unwrap();
    let data_dir = home.data_dir().to_str().unwrap().to_owned();
    let desk = Desk { variables: vec![("CLAIMSMITH_DATA_DIR", data_dir)], ..Desk::new() };
    let text = desk.plugin("", &["list"]).await.fails(2);
    assert!(text.starts_with("claimsmith: no server was named: use --server or CLAIMSMITH_SERVER ("), "{text}");
    let text = desk.plugin("", &["list", "--server", &server.origin]).await.fails(2);
    assert!(text.starts_with(&format!("claimsmith: no credentials for {}: ", server.origin)), "{text}");
}

#[test]
fn it_may_be_called_claimsmith() {
    let folder = tempfile::tempdir().unwrap();
    let other = folder.path().join("claimsmith");
    std::os::unix::fs::symlink(BINARY, &other).unwrap();
    for (path, name) in [(Path::new(BINARY), "claimsmith-desk"), (&other, "claimsmith")] {
        let output = |arguments: &[&str]| Command::new(path).args(arguments).env_clear().output().unwrap();
        let script = String::from_utf8(output(&["completions", "bash"]).stdout).unwrap();
        assert!(script.trim_end().ends_with(&format!(" {name}\nfi")), "{script}");
        let help = String::from_utf8(output(&["plugin", "--help"]).stdout).unwrap();
        assert!(help.contains(&format!("Usage: {name} plugin ")), "{help}");
        let mut new = Command::new(path);
        new.args(["plugin", "new", "--lang", "javascript", &format!("of-{name}")])
            .current_dir(folder.path())
            .env_clear();
        let next = String::from_utf8(new.output().unwrap().stdout).unwrap();
        assert!(next.contains(&format!("\n  {name} plugin test ")), "{next}");
    }
}
