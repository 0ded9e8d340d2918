//! `claimsmith login`: a person signs in for the commands by the device flow, and the commands act for them.

use crate::BINARY;
use claimsmith_domain::console::ConsoleRole::{Developer, Read};
use claimsmith_storage::{audit, sessions};
use claimsmith_test_support::{Browser, CONSOLE_PASSWORD, CommandOutput, Home, Process, TestServer, both};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, BufReader, Lines};
use tokio::process::{Child, ChildStdout, Command};
use tokio::time::timeout;

/// How often the command asks whether somebody has signed in (RFC 8628 section 3.5).
const ASKS_EVERY: Duration = Duration::from_secs(5);

/// A command of somebody on another machine: it knows the server by its address alone.
fn command(server: &TestServer, home: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(BINARY);
    command.args(arguments).current_dir(home).env_clear().env("HOME", home);
    command.env("CLAIMSMITH_SERVER", &server.origin).kill_on_drop(true);
    command
}

async fn run(server: &TestServer, home: &Path, arguments: &[&str]) -> CommandOutput {
    command(server, home, arguments).output().await.unwrap().into()
}

/// Begins to sign in; answers the command, the rest of what it prints, and the address that it names.
async fn begin(server: &TestServer, home: &Path) -> (Child, Lines<BufReader<ChildStdout>>, String) {
    let mut child = command(server, home, &["login"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let line = lines.next_line().await.unwrap().unwrap();
    (child, lines, line.strip_prefix("Open ").unwrap().to_owned())
}

/// Confirms a code in a browser.
async fn confirm(browser: &Browser, address: &str, username: &str, decision: &str) {
    let page = browser.follow(browser.visit(address).await).await.expect(200);
    let code = address.split_once("user_code=").unwrap().1;
    let page = browser.follow(browser.fill_in(&page, "/device", &[("user_code", code)]).await).await.expect(200);
    // It asks to sign in, though somebody is.
    let fields = [("identifier", username), ("password", CONSOLE_PASSWORD)];
    let page = browser.follow(browser.fill_in(&page, "/sign-in", &fields).await).await.expect(200);
    assert!(page.html().contains("Claimsmith command line"), "{}", page.body);
    browser.follow(browser.fill_in(&page, "/device/confirm", &[("decision", decision)]).await).await.expect(200);
}

/// Signs somebody in for the commands.
async fn sign_in(server: &TestServer, home: &Path, username: &str) {
    let (mut child, _lines, address) = begin(server, home).await;
    confirm(&Browser::new(server), &address, username, "allow").await;
    assert!(end(server, &mut child).await.success());
}

/// Waits for the end of a command. It asks once in five seconds, which pass on the server's clock as well.
async fn end(server: &TestServer, child: &mut Child) -> ExitStatus {
    loop {
        match timeout(ASKS_EVERY, child.wait()).await {
            Ok(status) => return status.unwrap(),
            Err(_) => server.clock.advance(ASKS_EVERY),
        }
    }
}

/// The files of sign-ins, without their locks.
fn files(home: &Path) -> Vec<PathBuf> {
    let folder = home.join(".config/claimsmith/logins");
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    files.filter(|path| path.extension().is_some_and(|extension| extension == "json")).collect()
}

both!(the_commands_act_for_whoever_signed_in, async |server: TestServer| {
    let id = server.operator("ada", &[Developer]).await;
    let home = tempfile::tempdir().unwrap();
    let text = run(&server, home.path(), &["plugin", "list"]).await.fails(2);
    assert!(text.contains("claimsmith login"), "{text}");

    sign_in(&server, home.path(), "ada").await;
    run(&server, home.path(), &["plugin", "list"]).await.ok();
    // It stays signed in, and the file is for its owner alone.
    let [file] = files(home.path()).try_into().unwrap();
    let first = std::fs::read_to_string(&file).unwrap();
    run(&server, home.path(), &["plugin", "list"]).await.ok();
    let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(&file), mode(file.parent().unwrap())), (0o600, 0o700));
    assert_ne!(std::fs::read_to_string(&file).unwrap(), first, "the token counts once");
    let issued = audit::list_by_key(&mut server.begin().await, "ExchangeTokenBy.DeviceCode", 5).await.unwrap();
    assert_eq!(issued[0].payload["userId"], id.as_str());

    // Two at once do not lose it.
    let list = ["plugin", "list"];
    let (one, two) = tokio::join!(run(&server, home.path(), &list), run(&server, home.path(), &list));
    one.ok();
    two.ok();
    run(&server, home.path(), &list).await.ok();

    // Its rights are those of the person, at this moment.
    let denied = run(&server, home.path(), &["plugin", "secret", "list", "nothing"]).await.fails(1);
    assert!(denied.contains("404"), "{denied}");
    server.hold(&id, &[Read]).await;
    let denied = run(&server, home.path(), &["plugin", "delete", "nothing"]).await.fails(1);
    assert!(denied.contains("403"), "{denied}");

    run(&server, home.path(), &["logout"]).await.ok();
    assert!(files(home.path()).is_empty());
    run(&server, home.path(), &list).await.fails(2);
    run(&server, home.path(), &["logout"]).await.fails(2);
});

both!(dangerous_operations_need_a_recent_sign_in, async |server: TestServer| {
    server.operator("ada", &[Developer]).await;
    let home = tempfile::tempdir().unwrap();
    std::fs::write(home.path().join("hello.js"), "export const getCustomJwtClaims = () => ({ hello: 1 });").unwrap();
    sign_in(&server, home.path(), "ada").await;
    let deploy = ["plugin", "deploy", "hello.js"];
    run(&server, home.path(), &deploy).await.ok();
    server.clock.advance(Duration::from_mins(11));
    std::fs::write(home.path().join("hello.js"), "export const getCustomJwtClaims = () => ({ hello: 2 });").unwrap();
    let refused = run(&server, home.path(), &deploy).await.fails(1);
    assert!(refused.contains("Sign in again: claimsmith login"), "{refused}");
    run(&server, home.path(), &["plugin", "list"]).await.ok();
    sign_in(&server, home.path(), "ada").await;
    run(&server, home.path(), &deploy).await.ok();
});

both!(what_ends_a_sign_in_ends_the_commands, async |server: TestServer| {
    let id = server.operator("ada", &[Developer]).await;
    let home = tempfile::tempdir().unwrap();
    sign_in(&server, home.path(), "ada").await;
    let mut tx = server.begin().await;
    sessions::grants::end_tokens_of_user(&mut tx, &id, server.clock.now_ms()).await.unwrap();
    tx.commit().await.unwrap();
    let ended = run(&server, home.path(), &["plugin", "list"]).await.fails(1);
    assert!(ended.contains("sign in again with `claimsmith login`"), "{ended}");
});

both!(who_says_no_or_has_no_role_is_not_signed_in, async |server: TestServer| {
    server.operator("ada", &[Developer]).await;
    server.operator("bob", &[]).await;
    for (username, decision, said) in [("ada", "deny", "refused"), ("bob", "allow", "no role of the console")] {
        let home = tempfile::tempdir().unwrap();
        let (mut child, _lines, address) = begin(&server, home.path()).await;
        confirm(&Browser::new(&server), &address, username, decision).await;
        assert_eq!(end(&server, &mut child).await.code(), Some(1));
        let mut output = String::new();
        child.stderr.take().unwrap().read_to_string(&mut output).await.unwrap();
        assert!(output.contains(said), "{username}: {output}");
        run(&server, home.path(), &["plugin", "list"]).await.fails(2);
    }
});

both!(credentials_that_are_named_come_first, async |home: Arc<Home>| {
    let process = Process::start(BINARY, &home, &[]).await.unwrap();
    let machine = process.machine().clone();
    let folder = tempfile::tempdir().unwrap();
    let mut command = Command::new(BINARY);
    command.args(["plugin", "list"]).current_dir(folder.path()).env_clear().env("HOME", folder.path());
    command.env("CLAIMSMITH_SERVER", &process.origin).env("CLAIMSMITH_RESOURCE", &machine.resource);
    command.env("CLAIMSMITH_CLIENT_ID", &*machine.client_id).env("CLAIMSMITH_CLIENT_SECRET", &machine.client_secret);
    CommandOutput::from(command.output().await.unwrap()).ok();
});
