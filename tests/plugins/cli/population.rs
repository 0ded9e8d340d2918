//! `claimsmith plugin population-run`: a version over all users, from the start to the file of differences.

use super::{BINARY, plugin, write};
use claimsmith_test_support::{Home, Process, TOKEN_EXCHANGE, both};
use std::sync::Arc;

both!(a_version_is_run_over_all_users, async |home: Arc<Home>| {
    let server = Process::start(BINARY, &home, &[]).await.unwrap();
    let none = plugin(&home, &["population-run", "show", "team"]).await.fails(1);
    assert!(none.contains("(404 "), "{none}");
    let source = |team: &str| format!("export const getCustomJwtClaims = () => ({{ team: '{team}' }});\n");
    write(&home, "team.js", &source("red"));
    plugin(&home, &["deploy", "team.js"]).await.ok();
    let text = plugin(&home, &["population-run", "pull", "team"]).await.fails(1);
    assert!(text.contains("team was not run over all users"), "{text}");
    write(&home, "team.js", &source("blue"));
    plugin(&home, &["deploy", "team.js"]).await.ok();

    let demo = server.demo();
    let start =
        ["population-run", "start", "team", "--plugin-version", "1", "--application", demo.spa_client_id.as_str()];
    let token = ["--grant-type", TOKEN_EXCHANGE, "--token-resource", demo.resource.as_str(), "--wait"];
    let arguments: Vec<&str> = start.into_iter().chain(token).collect();
    let text = plugin(&home, &arguments).await.ok();
    assert!(text.contains("complete") && text.contains("1, compared with version 2"), "{text}");
    assert!(text.contains("CLAIM") && text.contains("team"), "{text}");
    let shown = plugin(&home, &["population-run", "show", "team", "--json"]).await.json();
    let (id, found) = (shown["id"].as_str().unwrap(), shown["differences"].as_u64().unwrap());
    assert_eq!(shown["results"]["claims"][0]["changed"], shown["compared"]);
    let text = plugin(&home, &["population-run", "pull", "team", "--to", "runs"]).await.ok();
    assert_eq!(text, format!("runs/team-{id}.differences.ndjson: {found} differences\n"));
    let file = std::fs::read_to_string(home.folder().join(format!("runs/team-{id}.differences.ndjson"))).unwrap();
    assert_eq!(u64::try_from(file.lines().count()), Ok(found));
    assert!(plugin(&home, &["population-run", "cancel", "team", id]).await.ok().contains("complete"));
    let refused = [&start[..4], &["9"], &start[5..]].concat();
    assert!(plugin(&home, &refused).await.fails(1).contains("the plugin has no such version"));
});
