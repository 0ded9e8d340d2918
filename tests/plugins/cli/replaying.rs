//! From recorded tokens to a change that was replayed: `claimsmith plugin record`, `recordings` and `replay`.

use super::{BINARY, claims, plugin, write};
use claimsmith_test_support::{Home, Process, both, until};
use std::sync::Arc;

const PLUGIN: &str = "export const getCustomJwtClaims = ({ context }) => \
                      ({ who: typeof context.user?.id, grant: context.grant?.type ?? null });\n";

both!(a_change_is_replayed_over_recorded_tokens, async |home: Arc<Home>| {
    let server = Process::start(BINARY, &home, &[]).await.unwrap();
    write(&home, "team.js", PLUGIN);
    plugin(&home, &["deploy", "team.js"]).await.ok();
    let started = plugin(&home, &["record", "team", "--count", "2", "--json"]).await.json();
    let id = started["id"].as_str().unwrap();
    for _ in 0..2 {
        claims(&server).await;
    }
    until("the recording is complete", async || {
        let shown = plugin(&home, &["recordings", "show", "team", id, "--json"]).await.json();
        (shown["state"] == "complete").then_some(())
    })
    .await;
    assert!(plugin(&home, &["recordings", "list", "team"]).await.ok().contains("  complete  2 "));
    let text = plugin(&home, &["recordings", "pull", "team", "--to", "recordings"]).await.ok();
    assert_eq!(text, format!("recordings/team-{id}.ndjson: 2 samples\n"));

    let replay = async |more: &[&str]| {
        let arguments: Vec<&str> =
            ["replay", "team.js", "--recordings", "recordings"].iter().chain(more).copied().collect();
        plugin(&home, &arguments).await
    };
    let text = replay(&["--as-cases", "1"]).await.ok();
    let equal = text.lines().find(|line| line.starts_with("equal ")).unwrap().split_whitespace();
    assert_eq!(equal.collect::<Vec<_>>(), ["equal", "2", "100", "%"], "{text}");
    assert!(text.contains("golden cases added: 1"), "{text}");
    let output = plugin(&home, &["deploy", "team.js"]).await;
    assert!(output.stderr.contains("with the golden cases of team.cases.json"), "{output:?}");
    assert!(output.code == Some(0), "{output:?}");

    write(&home, "team.js", &PLUGIN.replace(", grant: context.grant?.type ?? null", ""));
    let output = replay(&[]).await;
    assert_eq!(output.code, Some(1), "{output:?}");
    let table = "\nCLAIM  ADDED  REMOVED  CHANGED\ngrant  0      2        0\n";
    assert!(output.stdout.contains(table), "{output:?}");

    assert!(plugin(&home, &["recordings", "stop", "team", id]).await.ok().contains("complete"));
    plugin(&home, &["recordings", "delete", "team", id]).await.ok();
    let text = plugin(&home, &["recordings", "pull", "team"]).await.fails(1);
    assert_eq!(text, "claimsmith: team has no recordings: claimsmith plugin record team\n");
    assert!(plugin(&home, &["recordings", "pull", "team", id]).await.fails(1).contains("(404 "));
});
