//! What `claimsmith serve` prints when it starts, what `--version` says, and the health check of containers.

use crate::BINARY;
use claimsmith_test_support::{CommandOutput, Home, Kind, Process, both};
use serde_json::{Value, json};
use std::process::Stdio;
use std::sync::Arc;
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::process::Command;

const READY: &str = "Claimsmith listens on http://";

async fn run(home: &Home, changes: &[(&str, &str)], words: &[&str]) -> CommandOutput {
    Process::run(BINARY, home, changes, words).await.into()
}

both!(the_banner_says_what_runs_here, async |home: Arc<Home>| {
    let server = Process::start(BINARY, &home, &[]).await.unwrap();
    let text = server.stdout.text();
    assert!(text.starts_with(concat!("Claimsmith ", env!("CARGO_PKG_VERSION"), " (")), "{text}");
    for line in [
        "  Base URL     http://localhost:3001\n".to_owned(),
        "  Console      http://localhost:3001/console\n".to_owned(),
        format!("  Data folder  {}\n", home.data_dir().display()),
        "Demo mailbox (email and SMS): http://localhost:3001/demo/mailbox?code=".to_owned(),
        "\n  Open http://localhost:3001/console/setup?code=".to_owned(),
        format!("\nClaimsmith listens on {}; base URL http://localhost:3001", server.origin),
    ] {
        assert!(text.contains(&line), "{line} in:\n{text}");
    }
    let database = text.lines().find(|line| line.starts_with("  Database ")).unwrap();
    let shown = if home.kind() == Kind::Sqlite { "sqlite://" } else { "postgres://" };
    assert!(database.contains(shown), "{database}");
    if let Some(url) = home.environment(&[]).get("CLAIMSMITH_DATABASE_URL") {
        let password = url.split_once("://").and_then(|(_, rest)| rest.split_once('@')?.0.split_once(':'));
        assert!(password.is_none_or(|(_, password)| !text.contains(&format!(":{password}@"))), "{database}");
    }
});

#[tokio::test]
async fn log_lines_come_after_the_banner() {
    let home = Home::new(Kind::Sqlite).await;
    let variables = home.environment(&[("CLAIMSMITH_LOG_FILTER", "info")]);
    // Both streams go to one place, as in a terminal and in a journal.
    let mut command = Command::new("sh");
    command.args(["-c", "exec \"$0\" serve 2>&1", BINARY]).env_clear().envs(variables).current_dir(home.folder());
    let mut child = command.stdout(Stdio::piped()).kill_on_drop(true).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut before = Vec::new();
    loop {
        let line = lines.next_line().await.unwrap().unwrap();
        let is_ready = line.starts_with(READY);
        before.push(line);
        if is_ready {
            break;
        }
    }
    let logged = before.iter().filter(|line| line.contains(" INFO ")).count();
    assert_eq!(logged, 0, "{before:#?}");
    // What was logged during the start is not lost: the metrics listener is one of the first.
    let mut is_there = false;
    while !is_there {
        is_there = lines.next_line().await.unwrap().unwrap().contains("metrics");
    }
}

#[tokio::test]
async fn a_start_that_fails_shows_its_log() {
    let home = Home::new(Kind::Sqlite).await;
    let first = Process::start(BINARY, &home, &[]).await.unwrap();
    let taken = first.origin.trim_start_matches("http://").to_owned();
    let output = run(&home, &[("CLAIMSMITH_LISTEN", &taken), ("CLAIMSMITH_LOG_FILTER", "debug")], &["serve"]).await;
    assert_eq!((output.code, output.stdout.as_str()), (Some(1), ""), "{output:?}");
    let is_told = output.stderr.lines().any(|line| line.starts_with("claimsmith: cannot listen on "));
    assert!(is_told, "{output:?}");
    assert!(output.stderr.lines().count() > 1, "{output:?}");
}

both!(with_a_log_of_json_the_banner_is_json, async |home: Arc<Home>| {
    let mut server = Process::start(BINARY, &home, &[("CLAIMSMITH_LOG_FORMAT", "json")]).await.unwrap();
    assert!(server.terminate().await.success());
    let text = server.stdout.text();
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let [banner] = &lines[..] else { panic!("{text}") };
    assert_eq!((&banner["baseUrl"], &banner["listen"]), (&json!("http://localhost:3001"), &json!(server.origin)));
    assert_eq!(banner["console"], "http://localhost:3001/console");
    assert!(banner["message"].as_str().unwrap().starts_with(READY), "{banner}");
    assert!(banner["setup"].as_str().unwrap().starts_with("http://localhost:3001/console/setup?code="), "{banner}");
    assert_eq!(banner["bootstrapReport"], home.data_dir().join("bootstrap.json").to_str().unwrap());
    let (machine, demo) = (server.machine(), server.demo());
    for secret in [&machine.client_secret, &demo.web_client_secret, demo.customer_password.as_ref().unwrap()] {
        assert!(!text.contains(secret.as_str()), "{text}");
    }
    for line in server.stderr.text().lines() {
        serde_json::from_str::<Value>(line).unwrap();
    }
});

#[tokio::test]
async fn the_version_names_schema_and_contract() {
    let home = Home::new(Kind::Sqlite).await;
    let text = run(&home, &[], &["--version"]).await.ok();
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/migrations/sqlite");
    let names = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let schema = names.filter_map(|name| name.split('_').next()?.parse::<u32>().ok()).max().unwrap();
    let wit = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/wit/types.wit")).unwrap();
    let contract = wit.lines().next().unwrap().trim_end_matches(';').split_once('@').unwrap().1.to_owned();
    let version = env!("CARGO_PKG_VERSION");
    let expected = format!(
        r"^claimsmith {version} \((commit [0-9a-f]{{7,12}}, )?schema {schema}, plugin contract {contract}\)\n$"
    );
    assert!(regex::Regex::new(&expected).unwrap().is_match(&text), "{text} is not {expected}");
    assert_eq!(
        run(&home, &[], &["admin", "--version"]).await.ok().split_once(' ').unwrap().1,
        text.split_once(' ').unwrap().1
    );
}

both!(health_asks_the_server_of_the_configuration, async |home: Arc<Home>| {
    let text = run(&home, &[], &["health"]).await.fails(1);
    assert!(text.contains("no server was started here yet"), "{text}");
    let mut server = Process::start(BINARY, &home, &[]).await.unwrap();
    let listen = server.origin.trim_start_matches("http://").to_owned();
    let port = listen.rsplit_once(':').unwrap().1;
    for listen in ["127.0.0.1:0".to_owned(), listen.clone(), format!("0.0.0.0:{port}")] {
        let text = run(&home, &[("CLAIMSMITH_LISTEN", &listen)], &["health"]).await.ok();
        assert!(text.contains("is ready"), "{text}");
    }
    // It reaches this machine whatever proxies the environment names.
    let variables = [
        ("CLAIMSMITH_LISTEN", listen.as_str()),
        ("HTTP_PROXY", "http://127.0.0.1:9"),
        ("http_proxy", "http://127.0.0.1:9"),
    ];
    run(&home, &variables, &["health"]).await.ok();
    assert!(server.terminate().await.success());
    let text = run(&home, &[("CLAIMSMITH_LISTEN", &listen)], &["health"]).await.fails(1);
    assert!(text.contains("no server answers at"), "{text}");
    let text = run(&home, &[("CLAIMSMITH_LISTEN", "nowhere")], &["health"]).await.fails(1);
    assert!(text.contains("the configuration is refused"), "{text}");
});

#[tokio::test]
async fn completion_scripts_know_the_commands() {
    let home = Home::new(Kind::Sqlite).await;
    for shell in ["bash", "zsh", "fish"] {
        let script = run(&home, &[], &["completion", shell]).await.ok();
        assert!(script.contains("claimsmith") && script.contains("breached-passwords"), "{shell}: {script}");
        assert_eq!(script, run(&home, &[], &["completions", shell]).await.ok());
    }
}
