//! `claimsmith plugin apply`: a folder is the source of truth for the plugins of a server.

use super::{BINARY, claims, plugin, plugin_with, write};
use claimsmith_test_support::{Home, PluginSigner, Process, both};
use serde_json::{Value, json};
use std::fs;
use std::sync::Arc;

fn hello(number: u32) -> String {
    format!("export const getCustomJwtClaims = () => ({{ hello: {number} }});\n")
}

/// Puts a file into the folder that is applied.
fn put(home: &Home, name: &str, text: &str) {
    let path = home.folder().join("truth").join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// The actions of a plan, by plugin.
fn actions(plan: &Value) -> Vec<(String, String)> {
    let text = |step: &Value, member: &str| step[member].as_str().unwrap().to_owned();
    plan["plan"].as_array().unwrap().iter().map(|step| (text(step, "name"), text(step, "action"))).collect()
}

async fn names(home: &Home) -> Vec<String> {
    let list = plugin(home, &["list", "--json"]).await.json();
    let mut names: Vec<_> =
        list.as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap().to_owned()).collect();
    names.sort();
    names
}

fn owned(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs.iter().map(|(name, action)| ((*name).to_owned(), (*action).to_owned())).collect()
}

both!(the_server_gets_what_the_folder_has, async |home: Arc<Home>| {
    let server = Process::start(BINARY, &home, &[]).await.unwrap();
    put(&home, "hello.js", &hello(1));
    put(&home, "hello.cases.json", r#"[{ "name": "one", "input": {}, "expected": { "claims": { "hello": 1 } } }]"#);
    put(&home, "second/second.js", "export const getCustomJwtClaims = () => ({ second: true });\n");
    put(&home, "second/second.toml", "order = 7\n");

    // A plan changes nothing.
    let text = plugin(&home, &["apply", "truth", "--dry-run"]).await.ok();
    assert!(text.contains("+ hello: new\n") && text.ends_with("plan: 2 new\n"), "{text}");
    assert!(names(&home).await.is_empty());

    let text = plugin(&home, &["apply", "truth", "--label", "production=4f2c9e1", "--wait"]).await.ok();
    assert!(text.contains("hello: version 1 is active; state: active\n"), "{text}");
    let found = claims(&server).await;
    assert_eq!((&found["hello"], &found["second"]), (&json!(1), &json!(true)));
    let versions = plugin(&home, &["versions", "hello", "--json"]).await.json();
    assert_eq!(versions[0]["label"], "production=4f2c9e1");
    let shown = plugin(&home, &["show", "second", "--json"]).await.json();
    assert_eq!((&shown["order"], &shown["deployment"]["appliedBy"]), (&json!(7), &json!("production")));

    // The second time nothing is to be done, whatever the label's text.
    let plan = plugin(&home, &["apply", "truth", "--label", "production=next", "--json"]).await.json();
    assert_eq!(actions(&plan), owned(&[("hello", "unchanged"), ("second", "unchanged")]));
    assert_eq!(plugin(&home, &["versions", "hello", "--json"]).await.json().as_array().unwrap().len(), 1);

    // What changes is shown line by line.
    put(&home, "hello.js", &hello(2));
    put(&home, "hello.cases.json", r#"[{ "name": "one", "input": {}, "expected": { "claims": { "hello": 2 } } }]"#);
    put(&home, "second/second.toml", "order = 8\n");
    let text = plugin(&home, &["apply", "truth", "--label", "production=next"]).await.ok();
    for line in [
        "~ hello: changed",
        "    -export const getCustomJwtClaims = () => ({ hello: 1 });",
        "    +export const getCustomJwtClaims = () => ({ hello: 2 });",
        "~ second: settings only",
        "    -order = 7",
        "    +order = 8",
        "plan: 1 changed, 1 settings only",
    ] {
        assert!(text.lines().any(|found| found == line), "{line}\n{text}");
    }
    assert_eq!(claims(&server).await["hello"], 2);
    // Both spellings are the same command.
    let plural = tokio::process::Command::new(BINARY)
        .env_clear()
        .env("CLAIMSMITH_DATA_DIR", home.data_dir())
        .args(["plugins", "apply", "truth", "--dry-run"])
        .current_dir(home.folder())
        .output()
        .await
        .unwrap();
    assert!(String::from_utf8(plural.stdout).unwrap().ends_with("plan: 2 unchanged\n"));
});

both!(pruning_deletes_what_the_same_folder_made, async |home: Arc<Home>| {
    let _server = Process::start(BINARY, &home, &[]).await.unwrap();
    write(&home, "byhand.js", &hello(9));
    plugin(&home, &["deploy", "byhand.js"]).await.ok();
    put(&home, "hello.js", &hello(1));
    put(&home, "second.js", &hello(2));
    plugin(&home, &["apply", "truth", "--label", "staging=1"]).await.ok();
    fs::remove_file(home.folder().join("truth/second.js")).unwrap();

    // Without --prune, and for another key, it stays.
    plugin(&home, &["apply", "truth", "--label", "staging=2"]).await.ok();
    plugin(&home, &["apply", "truth", "--label", "production=2", "--prune"]).await.ok();
    assert_eq!(names(&home).await, ["byhand", "hello", "second"]);
    let plan =
        plugin(&home, &["apply", "truth", "--label", "staging=2", "--prune", "--dry-run", "--json"]).await.json();
    assert_eq!(actions(&plan), owned(&[("hello", "unchanged"), ("second", "deleted")]));
    assert_eq!(names(&home).await, ["byhand", "hello", "second"]);
    let text = plugin(&home, &["apply", "truth", "--label", "staging=2", "--prune"]).await.ok();
    assert!(text.contains("- second: deleted\n") && text.ends_with("second: deleted\n"), "{text}");
    assert_eq!(names(&home).await, ["byhand", "hello"]);
});

both!(folders_without_a_key_delete_nothing_of_each_other, async |home: Arc<Home>| {
    let _server = Process::start(BINARY, &home, &[]).await.unwrap();
    put(&home, "hello.js", &hello(1));
    fs::create_dir(home.folder().join("other")).unwrap();
    write(&home, "other/second.js", &hello(2));
    plugin(&home, &["apply", "truth"]).await.ok();
    plugin(&home, &["apply", "other", "--label", "4f2c9e1"]).await.ok();
    let shown = plugin(&home, &["show", "second", "--json"]).await.json();
    assert_eq!(shown["deployment"]["appliedBy"], Value::Null);
    let labels: [&[&str]; 3] = [&[], &["--label", "4f2c9e1"], &["--label", "4f2c9e1", "--dry-run"]];
    for label in labels {
        let arguments: Vec<&str> = ["apply", "truth", "--prune"].iter().chain(label).copied().collect();
        let text = plugin(&home, &arguments).await.fails(2);
        assert!(text.contains("--prune needs a label with a key") && text.contains("nothing was changed"), "{text}");
    }
    // With a key, it deletes only what this key made.
    plugin(&home, &["apply", "truth", "--label", "apply=1", "--prune"]).await.ok();
    assert_eq!(names(&home).await, ["hello", "second"]);
});

both!(a_folder_that_makes_no_sense_changes_nothing, async |home: Arc<Home>| {
    let _server = Process::start(BINARY, &home, &[]).await.unwrap();
    put(&home, "hello.js", &hello(1));
    put(&home, "more/hello.ts", &hello(2));
    let text = plugin(&home, &["apply", "truth"]).await.fails(2);
    assert!(text.contains("two plugins are called hello") && text.contains("nothing was changed"), "{text}");
    fs::remove_dir_all(home.folder().join("truth/more")).unwrap();
    put(&home, "hello.toml", "ordre = 1\n");
    let text = plugin(&home, &["apply", "truth"]).await.fails(1);
    assert!(text.contains("hello.toml") && text.contains("ordre"), "{text}");
    fs::create_dir(home.folder().join("empty")).unwrap();
    let text = plugin(&home, &["apply", "empty", "--label", "production=1", "--prune"]).await.fails(2);
    assert!(text.contains("contains no plugin"), "{text}");
    let text = plugin(&home, &["apply", "truth", "--label", "two words=1"]).await.fails(2);
    assert!(text.contains("is not a label key"), "{text}");
    assert!(names(&home).await.is_empty());
});

both!(each_plugin_is_applied_as_a_whole_or_not_at_all, async |home: Arc<Home>| {
    let server = Process::start(BINARY, &home, &[]).await.unwrap();
    put(&home, "hello.js", &hello(1));
    plugin(&home, &["apply", "truth"]).await.ok();
    // The new settings are right and the golden case fails: neither is taken. The other plugin is.
    put(&home, "hello.toml", "order = 7\n");
    put(&home, "hello.cases.json", r#"[{ "name": "one", "input": {}, "expected": { "claims": { "hello": 5 } } }]"#);
    put(&home, "second.js", "export const getCustomJwtClaims = () => ({ second: true });\n");
    let text = plugin(&home, &["apply", "truth"]).await.fails(1);
    assert!(text.contains("hello was not applied") && text.contains("case \"one\""), "{text}");
    assert!(text.ends_with("claimsmith: not applied: hello; all others were\n"), "{text}");
    let shown = plugin(&home, &["show", "hello", "--json"]).await.json();
    assert_eq!((&shown["order"], &shown["deployment"]["latestVersion"]), (&json!(0), &json!("1")));
    let found = claims(&server).await;
    assert_eq!((&found["hello"], &found["second"]), (&json!(1), &json!(true)));
});

both!(grants_and_secrets_are_left_to_people, async |home: Arc<Home>| {
    let _server = Process::start(BINARY, &home, &[]).await.unwrap();
    put(&home, "hello.js", &hello(1));
    let settings = "[secrets]\nAPI_KEY = { env = \"API_KEY\" }\n\n[capabilities.http]\nhosts = [\"api.example.com\"]\n";
    put(&home, "hello.toml", settings);
    let text = plugin(&home, &["apply", "truth"]).await.ok();
    assert!(text.contains("  ! it needs a grant of HTTP requests to [\"api.example.com\"]"), "{text}");
    assert!(text.contains("  ! it needs the secret API_KEY: claimsmith plugin secret set hello API_KEY"), "{text}");
    put(&home, "hello.toml", &format!("{settings}\n[capabilities.cache]\nentries = 10\n"));
    let text = plugin(&home, &["apply", "truth", "--dry-run"]).await.ok();
    assert!(text.contains("  ! it needs a grant of a cache of 10 entries and 1024 KiB: claimsmith plugin"), "{text}");
    put(&home, "hello.toml", settings);
    plugin(&home, &["grant", "hello", "--declared"]).await.ok();
    plugin_with(&home, &[], &["secret", "set", "hello", "API_KEY"], "value").await.ok();
    let plan = plugin(&home, &["apply", "truth", "--json"]).await.json();
    assert_eq!(plan["plan"][0], json!({ "name": "hello", "action": "unchanged", "changes": [], "needs": [] }));
});

both!(a_signature_alone_is_applied_once, async |home: Arc<Home>| {
    let _server = Process::start(BINARY, &home, &[]).await.unwrap();
    let signer = PluginSigner::new();
    put(&home, "hello.js", &hello(1));
    plugin(&home, &["apply", "truth"]).await.ok();
    put(&home, "hello.js.sig", &signer.sign(&hello(1)));
    for (action, versions) in [("signature only", 2), ("unchanged", 2)] {
        let plan = plugin(&home, &["apply", "truth", "--json"]).await.json();
        assert_eq!(actions(&plan), owned(&[("hello", action)]));
        let found = plugin(&home, &["versions", "hello", "--json"]).await.json();
        assert_eq!(found.as_array().unwrap().len(), versions);
    }
    // Without the file, the signature of the server stays.
    fs::remove_file(home.folder().join("truth/hello.js.sig")).unwrap();
    let plan = plugin(&home, &["apply", "truth", "--json"]).await.json();
    assert_eq!(actions(&plan), owned(&[("hello", "unchanged")]));
});

both!(a_file_of_the_servers_folder_is_said_before_anything_is_changed, async |home: Arc<Home>| {
    write(&home, "plugins/hello.js", &hello(1));
    let _server = Process::start(BINARY, &home, &[]).await.unwrap();
    put(&home, "aaa.js", &hello(2));
    put(&home, "hello.js", &hello(3));
    let text = plugin(&home, &["apply", "truth"]).await.fails(2);
    assert!(text.contains("hello is a file of the server's plugin folder"), "{text}");
    assert_eq!(names(&home).await, ["hello"]);
});

both!(waiting_for_nodes_ends_with_the_one_that_is_missing, async |home: Arc<Home>| {
    let _server = Process::start(BINARY, &home, &[]).await.unwrap();
    write(&home, "hello.js", &hello(1));
    let told = plugin(&home, &["deploy", "hello.js", "--wait", "--label", "4f2c9e1", "--note", "the first"]).await;
    assert!(told.stderr.ends_with("hello: served by all nodes (1)\n"), "{told:#?}");
    told.ok();
    let text = plugin(&home, &["versions", "hello"]).await.ok();
    assert!(text.contains("4f2c9e1  the first\n"), "{text}");
    let shown = plugin(&home, &["show", "hello"]).await.ok();
    assert!(shown.lines().any(|line| line.starts_with("serving nodes") && line.ends_with("1 of 1")), "{shown}");

    // A node that is alive and loads nothing any more.
    let db = home.db().await;
    let mut tx = db.begin().await.unwrap();
    let stuck = claimsmith_storage::nodes::Node {
        id: "stuck".to_owned(),
        version: "0".to_owned(),
        started_at: 0,
        seen_at: claimsmith_domain::clock::Clock::system().now_ms(),
    };
    claimsmith_storage::nodes::heartbeat(&mut tx, &stuck).await.unwrap();
    tx.commit().await.unwrap();
    write(&home, "hello.js", &hello(2));
    let text = plugin(&home, &["deploy", "hello.js", "--wait", "--wait-seconds", "1"]).await.fails(1);
    assert!(text.contains("hello: after 1 s, 1 of 2 nodes serve it; missing: stuck"), "{text}");
    plugin(&home, &["deploy", "hello.js", "--no-activate", "--wait"]).await.fails(2);
});
