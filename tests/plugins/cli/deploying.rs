//! `claimsmith plugin deploy`, versions and rollback, and errors of refused uploads.

use super::{BINARY, claims, plugin, write};
use claimsmith_test_support::{Home, Process, both, until};
use std::sync::Arc;

fn hello(number: u32) -> String {
    format!("export const getCustomJwtClaims = () => ({{ hello: {number} }});\n")
}

both!(from_a_file_to_all_traffic_and_back, async |home: Arc<Home>| {
    let server = Process::start(BINARY, &home, &[]).await.unwrap();
    let at = async |number: u32| assert_eq!(claims(&server).await["hello"], number);
    write(&home, "hello.js", &hello(1));
    let text = plugin(&home, &["deploy", "hello.js"]).await.ok();
    assert!(text.starts_with("hello: version 1 is new, and active\n  digest  sha256:"), "{text}");
    assert!(text.ends_with("\n  state   active\n"), "{text}");
    at(1).await;
    let text = plugin(&home, &["deploy", "hello.js"]).await.ok();
    assert!(text.starts_with("hello: nothing has changed; version 1 "), "{text}");

    // What is uploaded without being activated waits.
    write(&home, "hello.js", &hello(2));
    let text = plugin(&home, &["deploy", "hello.js", "--no-activate"]).await.ok();
    assert!(text.contains("to activate it: claimsmith plugin activate hello 2\n"), "{text}");
    at(1).await;
    assert!(plugin(&home, &["activate", "hello", "2"]).await.ok().contains("version 2 is active"));
    at(2).await;
    write(&home, "hello.js", &hello(3));
    plugin(&home, &["deploy", "hello.js"]).await.ok();
    at(3).await;

    let text = plugin(&home, &["rollback", "hello"]).await.ok();
    assert!(text.starts_with("hello: version 2 is active again, in place of 3; state: active"), "{text}");
    at(2).await;
    plugin(&home, &["rollback", "hello"]).await.ok();
    at(1).await;
    let text = plugin(&home, &["rollback", "hello"]).await.fails(1);
    assert!(text.contains("no version before the active one"), "{text}");
    plugin(&home, &["rollback", "hello", "--to", "3"]).await.ok();
    at(3).await;

    let text = plugin(&home, &["versions", "hello"]).await.ok();
    let lines: Vec<_> = text.lines().map(|line| line.split_whitespace().take(4).collect::<Vec<_>>()).collect();
    let size = hello(1).len().to_string();
    let expected = [
        ["VERSION", "STATE", "LANGUAGE", "SIZE"],
        ["3", "active", "javascript", &size],
        ["2", "-", "javascript", &size],
        ["1", "-", "javascript", &size],
    ];
    assert_eq!(lines, expected.map(Vec::from), "{text}");
    let versions = plugin(&home, &["versions", "hello", "--json"]).await.json();
    assert_eq!((&versions[0]["id"], &versions[0]["active"]), (&"3".into(), &true.into()));
});

both!(settings_and_cases_go_along, async |home: Arc<Home>| {
    let _server = Process::start(BINARY, &home, &[]).await.unwrap();
    write(&home, "hello.js", &hello(1));
    write(&home, "hello.toml", "order = 7\n");
    write(&home, "hello.cases.json", r#"[{ "name": "one", "input": {}, "expected": { "claims": { "hello": 1 } } }]"#);
    let told = plugin(&home, &["deploy", "hello.js", "--name", "greeting"]).await;
    assert_eq!(told.stderr, "with the settings of hello.toml\nwith the golden cases of hello.cases.json\n");
    assert!(told.ok().starts_with("greeting: version 1 is new, and active"));
    let shown = plugin(&home, &["show", "greeting", "--json"]).await.json();
    assert_eq!((&shown["order"], &shown["source"]), (&7.into(), &"store".into()));

    // A case that fails refuses the version: it is told what was expected and what came.
    write(&home, "hello.js", &hello(2));
    let text = plugin(&home, &["deploy", "hello.js", "--name", "greeting"]).await.fails(1);
    assert!(text.contains("claimsmith: the server refused the plugin (422 plugin.refused)\n"), "{text}");
    assert!(text.contains("case \"one\": "), "{text}");
    assert!(text.contains("\n    expected ") && text.contains("\n    actual   "), "{text}");
    // The settings too are checked.
    write(&home, "other.toml", "ordre = 7\n");
    let text = plugin(&home, &["deploy", "hello.js", "--name", "greeting", "--manifest", "other.toml"]).await.fails(1);
    assert!(text.contains("ordre"), "{text}");
    assert_eq!(plugin(&home, &["versions", "greeting", "--json"]).await.json().as_array().unwrap().len(), 1);
});

both!(compile_errors_are_reported_by_line, async |home: Arc<Home>| {
    let _server = Process::start(BINARY, &home, &[]).await.unwrap();
    write(&home, "broken.js", "const a = 1;\nexport const (\n");
    let text = plugin(&home, &["deploy", "broken.js"]).await.fails(1);
    assert!(text.contains("\nbroken.js:2:"), "{text}");
    let told = plugin(&home, &["deploy", "broken.js", "--json"]).await;
    let body: serde_json::Value = serde_json::from_str(&told.stdout).unwrap();
    assert_eq!(body["code"], "plugin.refused");
    told.fails(1);
    assert_eq!(plugin(&home, &["list", "--json"]).await.json(), serde_json::json!([]));
});

both!(an_update_is_not_lost, async |home: Arc<Home>| {
    let _server = Process::start(BINARY, &home, &[]).await.unwrap();
    write(&home, "hello.js", &hello(1));
    plugin(&home, &["deploy", "hello.js"]).await.ok();
    let shown = plugin(&home, &["show", "hello"]).await.ok();
    let etag = shown.lines().find_map(|line| line.strip_prefix("etag")).unwrap().trim().trim_matches('"').to_owned();
    write(&home, "hello.js", &hello(2));
    plugin(&home, &["deploy", "hello.js", "--if-match", &etag]).await.ok();
    write(&home, "hello.js", &hello(3));
    let text = plugin(&home, &["deploy", "hello.js", "--if-match", &etag]).await.fails(1);
    assert!(text.contains("(412 ") && text.contains("The plugin was changed in the meantime"), "{text}");

    // A name belongs to the folder or to the store.
    write(&home, "plugins/folder.js", &hello(1));
    until("the file in the list", async || {
        let list = plugin(&home, &["list", "--json"]).await.json();
        (list.as_array().unwrap().len() == 2).then_some(())
    })
    .await;
    let text = plugin(&home, &["deploy", "hello.js", "--name", "folder"]).await.fails(1);
    assert!(text.contains("(409 plugin.name_in_use)"), "{text}");
});

both!(a_too_large_file_is_an_error_that_names_the_setting, async |home: Arc<Home>| {
    let _server = Process::start(BINARY, &home, &[("CLAIMSMITH_PLUGINS_MAX_SOURCE_MIB", "1")]).await.unwrap();
    write(&home, "large.js", &(hello(1) + &" ".repeat(8 << 20)));
    write(&home, "large.toml", "order = 1\n");
    for arguments in [&["deploy", "large.js"][..], &["deploy", "large.js", "--manifest", "large.toml"]] {
        let text = plugin(&home, arguments).await.fails(1);
        assert!(text.contains("(413 request.body_too_large)\n"), "{text}");
        assert!(text.contains("\nThe server's limit is its setting plugins.max_source_mib."), "{text}");
    }
    let text = plugin(&home, &["show", "large"]).await.fails(1);
    assert!(text.contains("(404 "), "{text}");
});

both!(a_server_that_is_busy_says_when_to_come_again, async |home: Arc<Home>| {
    // One compiles, nobody waits, and top-level code may run long enough for two commands to meet.
    let changes = [("CLAIMSMITH_PLUGINS_COMPILE_QUEUE", "0"), ("CLAIMSMITH_PLUGINS_DEADLINE_MS", "3000")];
    let _server = Process::start(BINARY, &home, &changes).await.unwrap();
    write(&home, "endless.js", "export const getCustomJwtClaims = () => ({});\nfor (;;);");
    let (one, other) = tokio::join!(plugin(&home, &["deploy", "endless.js"]), plugin(&home, &["deploy", "endless.js"]));
    let told = [one.fails(1), other.fails(1)];
    let busy: Vec<_> = told.iter().filter(|text| text.contains("(503 plugin.busy)\n")).collect();
    assert_eq!(busy.len(), 1, "{told:#?}");
    assert!(busy[0].ends_with("\nTry again in 5 s.\n"), "{}", busy[0]);
    assert_eq!(told.iter().filter(|text| text.contains("(422 plugin.refused)")).count(), 1, "{told:#?}");
});
