//! Subcommands beside a server that was started with another base URL than they have by default: they follow that server,
//! refuse to act for another one, and change nothing that is built in.

use crate::BINARY;
use claimsmith_domain::console::{ConsoleRole, built_in};
use claimsmith_domain::id::{ApplicationId, ResourceId, RoleId};
use claimsmith_storage::{Tx, applications, resources, roles, settings};
use claimsmith_test_support::{CommandOutput, Home, Kind, Process, TestServer, both, on_postgres};
use data_encoding::BASE64URL_NOPAD;
use serde_json::Value;
use std::collections::BTreeSet;
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;
use tokio::process::Command;

const BASE_URL: &str = "https://id.example.com:8443";
const SERVED: (&str, &str) = ("CLAIMSMITH_BASE_URL", BASE_URL);
/// What a command names that is given another one.
const ANOTHER: &str = "http://localhost:9999";

/// How a subcommand ends in the test of all of them.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ending {
    /// It opens the data of the server, and goes well.
    Well,
    /// It does not open the data; how it ends depends on its arguments, and is tested elsewhere.
    AnyHow,
    /// It goes on until it is stopped.
    Never,
}

use Ending::{AnyHow, Never, Well};

/// Every subcommand but `serve`, with arguments. `USER` and `CLIENT` stand for the demo's engineer and application.
const COMMANDS: &[(&str, &str, Ending)] = &[
    ("demo", "", Well),
    ("config check", "", AnyHow),
    ("config keys", "", AnyHow),
    ("migrate", "", Well),
    ("doctor", "--offline", Well),
    ("health", "", AnyHow),
    ("keys rotate", "", Well),
    ("keys list", "", Well),
    ("keys rekey", "", Well),
    ("admin recover", "customer", Well),
    ("admin invite", "--email ada@example.com", Well),
    ("breached-passwords build", "--from absent --to absent", AnyHow),
    ("breached-passwords check", "absent", AnyHow),
    ("tokens mint", "--user USER --client CLIENT", Well),
    ("plugin new", "--lang javascript made", AnyHow),
    ("plugin convert", "--from auth0 absent", AnyHow),
    ("plugin build", "absent", AnyHow),
    ("plugin check", "absent", AnyHow),
    ("plugin run", "absent --input absent", AnyHow),
    ("plugin bench", "absent", AnyHow),
    ("plugin diff", "absent absent --inputs absent", AnyHow),
    ("plugin replay", "absent --recordings absent", AnyHow),
    ("plugin dev", "absent", AnyHow),
    ("plugin list", "", AnyHow),
    ("plugin show", "absent", AnyHow),
    ("plugin deploy", "absent", AnyHow),
    ("plugin apply", "absent", AnyHow),
    ("plugin push", "oci://localhost:1/absent:1 absent", AnyHow),
    ("plugin pull", "oci://localhost:1/absent:1", AnyHow),
    ("plugin versions", "absent", AnyHow),
    ("plugin activate", "absent 1", AnyHow),
    ("plugin rollback", "absent", AnyHow),
    ("plugin rollout start", "absent --plugin-version 1 --mode canary --share 1", AnyHow),
    ("plugin rollout show", "absent", AnyHow),
    ("plugin rollout samples", "absent", AnyHow),
    ("plugin rollout set", "absent --share 1", AnyHow),
    ("plugin rollout pause", "absent", AnyHow),
    ("plugin rollout resume", "absent", AnyHow),
    ("plugin rollout promote", "absent", AnyHow),
    ("plugin rollout abort", "absent", AnyHow),
    ("plugin logs", "absent", AnyHow),
    ("plugin test", "absent", AnyHow),
    ("plugin enable", "absent", AnyHow),
    ("plugin disable", "absent", AnyHow),
    ("plugin close-breaker", "absent", AnyHow),
    ("plugin grant", "absent --declared", AnyHow),
    ("plugin withdraw", "absent", AnyHow),
    ("plugin secret set", "absent KEY", AnyHow),
    ("plugin secret list", "absent", AnyHow),
    ("plugin secret delete", "absent KEY", AnyHow),
    ("plugin record", "absent", AnyHow),
    ("plugin population-run start", "absent --plugin-version 1 --application absent", AnyHow),
    ("plugin population-run show", "absent", AnyHow),
    ("plugin population-run cancel", "absent", AnyHow),
    ("plugin population-run pull", "absent", AnyHow),
    ("plugin recordings list", "absent", AnyHow),
    ("plugin recordings show", "absent absent", AnyHow),
    ("plugin recordings pull", "absent absent", AnyHow),
    ("plugin recordings stop", "absent absent", AnyHow),
    ("plugin recordings delete", "absent absent", AnyHow),
    ("plugin delete", "absent", AnyHow),
    ("login", "", Never),
    ("logout", "", AnyHow),
    ("openapi", "", AnyHow),
    ("completions", "bash", AnyHow),
    ("compile-plugin", "", AnyHow),
];

/// The names of all subcommands that have none themselves.
fn leaves(command: &clap::Command, above: &str, found: &mut BTreeSet<String>) {
    for sub in command.get_subcommands() {
        let name = format!("{above} {}", sub.get_name()).trim_start().to_owned();
        if sub.has_subcommands() {
            leaves(sub, &name, found);
        } else {
            found.insert(name);
        }
    }
}

#[test]
fn every_subcommand_is_run() {
    let mut found = BTreeSet::new();
    leaves(&claimsmith::cli::command(), "", &mut found);
    let listed: Vec<String> = COMMANDS.iter().map(|(name, ..)| (*name).to_owned()).collect();
    assert_eq!(found, listed.into_iter().chain(["serve".to_owned()]).collect());
}

/// What a build script tells the compiler, `cargo run` also gives to the server, which refuses settings that it does not know.
#[tokio::test]
async fn no_variable_of_the_build_is_refused_as_a_setting() {
    let script = include_str!("../../build.rs");
    let names = script.split("cargo::rustc-env=").skip(1).filter_map(|rest| rest.split('=').next());
    let variables: Vec<(&str, &str)> = names.map(|name| (name, "0123456789ab")).collect();
    assert!(!variables.is_empty());
    let home = Home::new(Kind::Sqlite).await;
    let output = run(&home, &variables, &["config", "check"]).await;
    assert_eq!(output.code, Some(0), "{output:?}");
}

/// An option of a subcommand with the name of one that all have would be taken for that one as well.
#[test]
fn no_option_hides_one_that_all_subcommands_have() {
    fn check(command: &clap::Command, mut above: Vec<String>) {
        let named = |arg: &clap::Arg| arg.get_long().map(str::to_owned);
        let (global, own): (Vec<_>, Vec<_>) = command.get_arguments().partition(|arg| arg.is_global_set());
        for name in own.into_iter().filter_map(named) {
            assert!(!above.contains(&name), "--{name} of {}", command.get_name());
        }
        above.extend(global.into_iter().filter_map(named));
        command.get_subcommands().for_each(|sub| check(sub, above.clone()));
    }
    check(&claimsmith::cli::command(), Vec::new());
}

/// Runs a command in the home of a server, with default configuration but for `changes`.
async fn run(home: &Home, changes: &[(&str, &str)], words: &[&str]) -> CommandOutput {
    let mut command = Command::new(BINARY);
    command.env_clear().envs(home.environment(changes)).env("HOME", home.folder()).current_dir(home.folder());
    command.args(words).stdin(Stdio::null()).kill_on_drop(true);
    command.output().await.unwrap().into()
}

/// A line of the table as arguments.
fn words(line: &str, people: (&str, &str)) -> Vec<String> {
    line.split_whitespace().map(|word| word.replace("USER", people.0).replace("CLIENT", people.1)).collect()
}

/// Everything that only a server may write.
async fn built_in_rows(home: &Home) -> String {
    let db = home.db().await;
    let mut tx = db.begin().await.unwrap();
    let rows = rows(&mut tx).await;
    drop(tx);
    db.close().await;
    rows
}

async fn rows(tx: &mut Tx) -> String {
    let mut rows = Vec::new();
    for id in ["claimsmith-console", "claimsmith-cli"].map(ApplicationId::from) {
        rows.push(format!("{:?}", applications::find(tx, &id).await.unwrap()));
    }
    let demo = settings::demo(tx).await.unwrap();
    if let Some(demo) = demo {
        rows.push(format!("{:?}", applications::find(tx, &demo.client_id).await.unwrap()));
    }
    let console = ResourceId::from(built_in::RESOURCE_ID);
    rows.push(format!("{:?}", resources::find(tx, &console).await.unwrap()));
    rows.push(format!("{:?}", resources::scopes_of(tx, &console).await.unwrap()));
    for url in [BASE_URL, "http://localhost:3001", ANOTHER] {
        let management = resources::find_by_indicator(tx, &format!("{url}/api")).await.unwrap();
        rows.push(format!("{management:?}"));
        if let Some(management) = management {
            rows.push(format!("{:?}", resources::scopes_of(tx, &management.id).await.unwrap()));
        }
    }
    for role in ConsoleRole::ALL {
        let id = RoleId::from(role.role_id());
        rows.push(format!("{:?}", roles::find(tx, &id).await.unwrap()));
        rows.push(format!("{:?}", resources::scopes_of_role(tx, &id).await.unwrap()));
    }
    for key in ["server.base_url", "tokens.management_resource", "tokens.signing_algorithm", "bootstrap", "demo"] {
        rows.push(format!("{key} {:?}", settings::get(tx, key).await.unwrap()));
    }
    rows.join("\n")
}

async fn expect_unchanged(home: &Home, (name, arguments, ending): (&str, &str, Ending), people: (&str, &str)) {
    let before = built_in_rows(home).await;
    let line = words(&format!("{name} {arguments}"), people);
    let line: Vec<&str> = line.iter().map(String::as_str).collect();
    let ended = tokio::time::timeout(Duration::from_secs(if ending == Never { 5 } else { 300 }), run(home, &[], &line));
    match (ending, ended.await) {
        (Well, Ok(output)) => assert_eq!(output.code, Some(0), "{name}: {output:?}"),
        (AnyHow, Ok(_)) | (Never, _) => {}
        (_, Err(_)) => panic!("{name} does not end"),
    }
    assert_eq!(built_in_rows(home).await, before, "{name}");
}

both!(no_subcommand_changes_what_is_built_in, async |home: Arc<Home>| {
    let mut server = Process::start(BINARY, &home, &[SERVED]).await.unwrap();
    let (engineer, client) = (server.demo().engineer_user_id.to_string(), server.demo().spa_client_id.to_string());
    let people = (engineer.as_str(), client.as_str());
    assert!(built_in_rows(&home).await.contains(&format!("{BASE_URL}/console/callback")));
    for command in COMMANDS {
        expect_unchanged(&home, *command, people).await;
    }
    assert!(server.terminate().await.success());
    for command in COMMANDS.iter().filter(|(_, _, ending)| *ending == Well) {
        expect_unchanged(&home, *command, people).await;
    }
    // And it starts as before.
    let server = Process::start(BINARY, &home, &[SERVED]).await.unwrap();
    let known = server.get("/oidc/.well-known/openid-configuration").await.expect(200);
    assert_eq!(known["issuer"], format!("{BASE_URL}/oidc"));
});

both!(links_and_tokens_are_for_the_server, async |home: Arc<Home>| {
    let mut server = Process::start(BINARY, &home, &[SERVED]).await.unwrap();
    let (engineer, client) = (server.demo().engineer_user_id.to_string(), server.demo().spa_client_id.to_string());
    for running in [true, false] {
        if !running {
            assert!(server.terminate().await.success());
        }
        for words in [&["admin", "invite"][..], &["admin", "recover", "customer"]] {
            let text = run(&home, &[], words).await.ok();
            assert!(text.contains(&format!("Open {BASE_URL}/console/")), "{words:?} {running}: {text}");
        }
        let mint =
            ["tokens", "mint", "--user", &engineer, "--client", &client, "--resource", "https://api.example.com"];
        let token = run(&home, &[], &mint).await.ok();
        let payload = BASE64URL_NOPAD.decode(token.trim().split('.').nth(1).unwrap().as_bytes()).unwrap();
        let payload: Value = serde_json::from_slice(&payload).unwrap();
        assert_eq!(payload["iss"], format!("{BASE_URL}/oidc"), "{running}");
        let story = run(&home, &[], &["demo"]).await.ok();
        assert!(story.contains(&format!("\"iss\": \"{BASE_URL}/oidc\"")), "{running}: {story}");
    }
});

both!(another_base_url_is_refused, async |home: Arc<Home>| {
    let mut server = Process::start(BINARY, &home, &[SERVED]).await.unwrap();
    let (engineer, client) = (server.demo().engineer_user_id.to_string(), server.demo().spa_client_id.to_string());
    assert!(server.terminate().await.success());
    let before = built_in_rows(&home).await;
    // `migrate` prepares the start of a server, which may be the one with another base URL.
    let opening = COMMANDS.iter().filter(|(name, _, ending)| *ending == Well && *name != "migrate");
    for (name, arguments, _) in opening {
        let line = words(&format!("{name} {arguments}"), (&engineer, &client));
        let mut by_flag: Vec<&str> = line.iter().map(String::as_str).collect();
        let by_variable = run(&home, &[("CLAIMSMITH_BASE_URL", ANOTHER)], &by_flag).await;
        by_flag.extend(["--base-url", ANOTHER]);
        for output in [by_variable, run(&home, &[], &by_flag).await] {
            // What the doctor finds is its result.
            let text = if *name == "doctor" { &output.stdout } else { &output.stderr };
            assert_eq!(output.code, Some(2), "{name}: {output:?}");
            assert!(text.contains(ANOTHER) && text.contains(BASE_URL), "{name}: {text}");
        }
    }
    let resource = [("CLAIMSMITH_MANAGEMENT_RESOURCE", "https://other.example.com/api")];
    let text = run(&home, &resource, &["admin", "recover", "--bootstrap"]).await.fails(2);
    assert!(text.contains("tokens.management_resource"), "{text}");
    assert_eq!(built_in_rows(&home).await, before);
    // The same one may be given.
    run(&home, &[SERVED], &["admin", "invite"]).await.ok();
});

both!(a_database_of_an_older_version_says_its_base_url_by_the_console, async |home: Arc<Home>| {
    let server = TestServer::start(&home, &[SERVED]).await.unwrap();
    let mut tx = server.begin().await;
    for key in ["server.base_url", "tokens.management_resource", "tokens.signing_algorithm"] {
        settings::remove(&mut tx, key).await.unwrap();
    }
    tx.commit().await.unwrap();
    server.stop().await;
    let text = run(&home, &[], &["admin", "invite"]).await.ok();
    assert!(text.contains(&format!("Open {BASE_URL}/console/")), "{text}");
});

both!(a_command_sets_nothing_up, async |home: Arc<Home>| {
    let home = Home::new(home.kind()).await;
    let mint = ["tokens", "mint", "--user", "ada", "--client", "shop"];
    for words in [&mint[..], &["admin", "recover", "ada"]] {
        let text = run(&home, &[], words).await.fails(1);
        assert!(text.contains("the database is not set up yet"), "{text}");
    }
    let rows = built_in_rows(&home).await;
    assert!(!rows.contains("Some("), "{rows}");
});

both!(a_server_with_another_base_url_takes_everything_along, async |home: Arc<Home>| {
    let server = TestServer::start(&home, &[]).await.unwrap();
    let earlier = server.machine().clone();
    server.stop().await;
    let server = TestServer::start(&home, &[SERVED]).await.unwrap();
    let machine = server.machine().clone();
    assert_eq!((&machine.client_id, machine.resource), (&earlier.client_id, format!("{BASE_URL}/api")));
    // The application of the first start still has access to the Management API.
    server.management().await.get("/api/roles").await.expect(200);
    let rows = built_in_rows(&home).await;
    assert!(rows.contains(&format!("{BASE_URL}/console/callback")) && !rows.contains("http://localhost:3001/console"));
    // The command line finds it.
    run(&home, &[], &["plugin", "list"]).await.ok();
});

on_postgres!(the_nodes_of_a_server_have_one_base_url, async |home: Arc<Home>| {
    let folders = ["one", "two", "three"].map(|name| home.folder().join(name).to_str().unwrap().to_owned());
    let node =
        async |folder: &str| Process::start(BINARY, &home, &[SERVED, ("CLAIMSMITH_DATA_DIR", folder)]).await.unwrap();
    let _nodes = tokio::join!(node(&folders[0]), node(&folders[1]));
    let before = built_in_rows(&home).await;
    // A machine that shares nothing but the database with the nodes.
    let elsewhere = [("CLAIMSMITH_DATA_DIR", folders[2].as_str())];
    let text = run(&home, &elsewhere, &["admin", "invite"]).await.ok();
    assert!(text.contains(&format!("Open {BASE_URL}/console/")), "{text}");
    let other = [("CLAIMSMITH_DATA_DIR", folders[2].as_str()), ("CLAIMSMITH_BASE_URL", ANOTHER)];
    run(&home, &other, &["admin", "invite"]).await.fails(2);
    assert_eq!((home.kind(), built_in_rows(&home).await), (Kind::Postgres, before));
});
