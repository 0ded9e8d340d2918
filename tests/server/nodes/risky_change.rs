//! A risky change of a plugin, from a recording to its promotion: the command line of `docs/plugins-in-production.md`,
//! line by line in a shell. On PostgreSQL there are two nodes; an SQLite database has one.

use super::start;
use crate::BINARY;
use claimsmith_test_support::{CommandOutput, Home, Kind, Process, both, until};
use serde_json::json;
use std::iter;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Arc;
use tokio::process::Command;

const PAGE: &str = include_str!("../../../docs/plugins-in-production.md");
/// The part of the page whose commands are run.
const HEADING: &str = "\n## On the command line\n";
/// Half of so many users are in the canary, more or less: that all of them are, or none, does not happen.
const USERS: usize = 24;

/// The blocks of code in a language.
fn code(text: &'static str, language: &str) -> Vec<&'static str> {
    let blocks = text.split("\n```").skip(1).step_by(2).filter_map(|block| block.split_once('\n'));
    blocks.filter(|(name, _)| *name == language).map(|(_, block)| block).collect()
}

/// Whoever follows the page: a folder, a shell, and the credentials of a server.
struct Desk {
    folder: PathBuf,
    variables: Vec<(&'static str, String)>,
    /// The commands that are still to come.
    commands: std::vec::IntoIter<&'static str>,
}

impl Desk {
    fn new(home: &Home, node: &Process) -> Self {
        let (_, part) = PAGE.split_once(HEADING).unwrap();
        // Up to the next heading, of whatever level.
        let part = part.split("\n##").next().unwrap();
        let lines = code(part, "sh").into_iter().flat_map(str::lines);
        let commands: Vec<&str> = lines.map(|line| line.split(" #").next().unwrap().trim()).collect();
        let folder = home.folder().join("desk");
        std::fs::create_dir(&folder).unwrap();
        let machine = node.machine();
        let programs = Path::new(BINARY).parent().unwrap().display();
        let variables = vec![
            ("PATH", format!("{programs}:/usr/bin:/bin")),
            ("HOME", folder.display().to_string()),
            ("CLAIMSMITH_SERVER", node.origin.clone()),
            ("CLAIMSMITH_CLIENT_ID", machine.client_id.to_string()),
            ("CLAIMSMITH_CLIENT_SECRET", machine.client_secret.clone()),
            ("CLAIMSMITH_RESOURCE", machine.resource.clone()),
        ];
        Self { folder, variables, commands: commands.into_iter() }
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.folder.join(name), text).unwrap();
    }

    /// The next command of the page, which is this one.
    #[track_caller]
    fn next(&mut self, command: &str) -> &'static str {
        let line = self.commands.next().unwrap();
        assert!(line.starts_with(&format!("claimsmith plugin {command}")), "not {command:?} but {line:?}");
        line
    }

    async fn run(&self, line: &str) -> CommandOutput {
        let mut shell = Command::new("/bin/sh");
        shell.env_clear().envs(self.variables.iter().map(|(name, value)| (*name, value.as_str())));
        shell.args(["-c", line]).current_dir(&self.folder).stdin(Stdio::null()).kill_on_drop(true);
        shell.output().await.unwrap().into()
    }

    /// Runs the next command of the page, which goes well.
    async fn follow(&mut self, command: &str) -> String {
        let line = self.next(command);
        self.run(line).await.ok()
    }
}

/// The number behind the first word of a table's row; 0 where there is none.
fn count(table: &str, row: &str) -> u64 {
    let mut rows = table.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
    let cells = rows.find(|cells| cells.first() == Some(&row));
    cells.and_then(|cells| cells.get(1)?.parse().ok()).unwrap_or_default()
}

/// For each user, whether a token that a node issues now has the claim of the new version.
async fn seats(node: &Process, users: &[String]) -> Vec<bool> {
    let mut found = Vec::new();
    for user in users {
        let token = node.exchange(&node.subject_token(user, json!({})).await).access_token().await;
        let claims = node.verify(&token, &node.demo().resource).await.claims;
        assert_eq!(claims["plan"], "team", "no token is without it: {claims}");
        found.push(claims["seats"] == 10);
    }
    found
}

both!(a_risky_change_goes_from_recording_to_promotion, async |home: Arc<Home>| {
    let one = start(&home, "one", &[]).await;
    let two = match home.kind() {
        Kind::Sqlite => None,
        Kind::Postgres => Some(start(&home, "two", &[]).await),
    };
    let nodes: Vec<&Process> = iter::once(&one).chain(&two).collect();
    let management = one.management().await;
    let mut users = Vec::new();
    for number in 0..USERS {
        let user = json!({ "username": format!("user_{number}"), "customData": { "plan": "team" } });
        users.push(management.post("/api/users", user).await.expect(200).text("id"));
    }

    let [first, second] = code(PAGE, "js")[..] else { panic!("the page has both versions of plan.js") };
    let mut desk = Desk::new(&home, &one);
    desk.write("plan.js", first);
    desk.write("plan.toml", code(PAGE, "toml")[0]);
    desk.follow("deploy plan.js --wait").await;
    for node in &nodes {
        assert_eq!(seats(node, &users[..1]).await, [false]);
    }

    // All nodes record, and the change is replayed over that.
    desk.follow("record plan --count 20").await;
    let list = desk.next("recordings list plan");
    until("twenty recorded calls", async || {
        for node in &nodes {
            seats(node, &users[..2]).await;
        }
        desk.run(list).await.ok().contains("  complete  20 ").then_some(())
    })
    .await;
    let pulled = desk.follow("recordings pull plan").await;
    assert!(pulled.ends_with(": 20 samples\n"), "{pulled}");
    desk.write("plan.js", second);
    let replayed = desk.follow("replay plan.js").await;
    let table = "\nCLAIM  ADDED  REMOVED  CHANGED\nseats  20     0        0\n";
    assert!(replayed.contains(table), "{replayed}");

    let stored = desk.follow("deploy plan.js --no-activate").await;
    assert!(stored.starts_with("plan: version 2 is new, and not active"), "{stored}");
    for node in &nodes {
        assert_eq!(seats(node, &users[..1]).await, [false]);
    }

    // A shadow answers nobody, and shows the difference.
    desk.follow("rollout start plan --plugin-version 2 --mode shadow --share 100").await;
    let show = desk.next("rollout show plan");
    let shown = until("compared answers", async || {
        for node in &nodes {
            assert_eq!(seats(node, &users[..2]).await, [false, false]);
        }
        let shown = desk.run(show).await.ok();
        (count(&shown, "seats") >= 4).then_some(shown)
    })
    .await;
    assert!(count(&shown, "different") >= 4 && count(&shown, "equal") == 0, "{shown}");
    let samples = desk.follow("rollout samples plan").await;
    assert!(samples.contains("seats") && !samples.contains("team"), "{samples}");

    // A canary answers half of the users, on every node the same ones.
    desk.follow("rollout set plan --mode canary --share 50").await;
    let chosen = seats(&one, &users).await;
    assert!(chosen.contains(&true) && chosen.contains(&false), "{chosen:?}");
    for node in &nodes {
        until("the same users at each node", async || (seats(node, &users).await == chosen).then_some(())).await;
    }
    let show = desk.next("rollout show plan");
    until("calls of the canary", async || (count(&desk.run(show).await.ok(), "candidate") > 0).then_some(())).await;

    // Nothing but a person ends it, and then it is one version for everybody.
    desk.follow("rollout promote plan").await;
    for node in &nodes {
        until("the new version for everybody", async || {
            seats(node, &users).await.iter().all(|is_new| *is_new).then_some(())
        })
        .await;
    }
    let rollout = one.management().await.get("/api/plugins/plan/rollout").await.expect(200);
    assert_eq!((&rollout["state"], &rollout["reason"]), (&json!("promoted"), &json!("byHand")));
    assert_eq!(rollout["endedBy"], json!(one.machine().client_id));
    assert_eq!(desk.commands.next(), None, "the whole path was followed");
});
