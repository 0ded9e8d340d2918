//! Operating an uploaded plugin: enable, disable, secrets, grants, test calls, delete.

use super::{BINARY, claims, plugin, plugin_with, write};
use claimsmith_test_support::{Home, Process, both};
use serde_json::json;
use std::sync::Arc;

const GREETING: &str = "export const getCustomJwtClaims = ({ context, environmentVariables }) => {\n\
                        console.log('asked');\n\
                        if (context.user?.id === 'mallory') throw new Error('Not today.');\n\
                        return { greeting: 'hello', length: (environmentVariables.KEY ?? '').length, sub: 'me' };\n};\n";

both!(a_plugin_is_switched_off_and_on_and_taken_away, async |home: Arc<Home>| {
    let server = Process::start(BINARY, &home, &[]).await.unwrap();
    write(&home, "greeting.js", GREETING);
    plugin(&home, &["deploy", "greeting.js"]).await.ok();
    assert_eq!(claims(&server).await["greeting"], "hello");
    assert_eq!(plugin(&home, &["disable", "greeting"]).await.ok(), "greeting is disabled; state: disabled\n");
    assert!(!claims(&server).await.contains_key("greeting"));
    assert_eq!(plugin(&home, &["enable", "greeting"]).await.ok(), "greeting is enabled; state: active\n");
    assert_eq!(claims(&server).await["greeting"], "hello");

    let text = plugin(&home, &["delete", "greeting", "1"]).await.fails(1);
    assert!(text.contains("(409 plugin.version_active)"), "{text}");
    assert_eq!(plugin(&home, &["delete", "greeting"]).await.ok(), "greeting was deleted\n");
    assert!(!claims(&server).await.contains_key("greeting"));
    let text = plugin(&home, &["show", "greeting"]).await.fails(1);
    assert!(text.contains("(404 "), "{text}");
});

both!(a_secret_goes_in_and_never_comes_out, async |home: Arc<Home>| {
    let server = Process::start(BINARY, &home, &[]).await.unwrap();
    write(&home, "greeting.js", GREETING);
    plugin(&home, &["deploy", "greeting.js"]).await.ok();
    let set = ["secret", "set", "greeting", "KEY"];
    assert_eq!(plugin_with(&home, &[], &set, "four-and-more\n").await.ok(), "greeting: KEY is set\n");
    assert_eq!(claims(&server).await["length"], 13, "the newline at the end is not part of it");
    write(&home, "value", "from-file");
    plugin(&home, &["secret", "set", "greeting", "KEY", "--file", "value"]).await.ok();
    assert_eq!(claims(&server).await["length"], 9);
    for arguments in [&["secret", "list", "greeting"][..], &["show", "greeting"], &["show", "greeting", "--json"]] {
        let text = plugin(&home, arguments).await.ok();
        assert!(text.contains("KEY") && !text.contains("from-file"), "{text}");
    }
    assert_eq!(plugin(&home, &["secret", "delete", "greeting", "KEY"]).await.ok(), "greeting: KEY was deleted\n");
    assert_eq!(claims(&server).await["length"], 0);
});

both!(what_a_plugin_asks_for_is_granted_and_withdrawn, async |home: Arc<Home>| {
    let _server = Process::start(BINARY, &home, &[]).await.unwrap();
    write(&home, "greeting.js", GREETING);
    plugin(&home, &["deploy", "greeting.js"]).await.ok();
    let text = plugin(&home, &["grant", "greeting", "--declared"]).await.fails(2);
    assert!(text.contains("greeting declares no servers"), "{text}");
    write(&home, "greeting.toml", "[capabilities.http]\nhosts = [\"api.example.com\"]\nmethods = [\"POST\"]\n");
    plugin(&home, &["deploy", "greeting.js"]).await.ok();
    let granted = async || {
        let shown = plugin(&home, &["show", "greeting", "--json"]).await.json();
        shown["deployment"]["http"]["granted"].clone()
    };
    assert!(granted().await.is_null(), "nothing by default");

    let text = plugin(&home, &["grant", "greeting", "--declared"]).await.ok();
    assert!(text.starts_with("greeting\n  declared   {") && text.contains("\n  granted    {"), "{text}");
    assert_eq!(
        (&granted().await["hosts"][0], &granted().await["methods"][0]),
        (&"api.example.com".into(), &"POST".into())
    );
    let named = ["grant", "greeting", "*.example.com", "api.example.org:8443", "--method", "GET,POST", "--calls", "2"];
    let plugin_view = plugin(&home, &[&named[..], &["--json"]].concat()).await.json();
    assert_eq!(plugin_view["deployment"]["http"]["granted"], granted().await);
    assert_eq!(granted().await["hosts"], json!(["*.example.com", "api.example.org:8443"]));
    assert_eq!((&granted().await["methods"], &granted().await["calls"]), (&json!(["GET", "POST"]), &json!(2)));

    let text = plugin(&home, &["grant", "greeting", "http://x"]).await.fails(1);
    assert!(text.contains("(400 guard.invalid_input)"), "{text}");
    let text = plugin(&home, &["grant", "greeting", "a.example", "--scope", "plugins:write"]).await.fails(1);
    assert!(text.contains("This needs the scope plugins:grant (or all)"), "{text}");
    assert_eq!(plugin(&home, &["withdraw", "greeting"]).await.ok(), "greeting may send no HTTP requests\n");
    assert!(granted().await.is_null());
});

both!(a_plugin_answers_questions, async |home: Arc<Home>| {
    let _server = Process::start(BINARY, &home, &[]).await.unwrap();
    write(&home, "greeting.js", GREETING);
    write(&home, "draft.ts", "export const getCustomJwtClaims = (): object => ({ draft: true as boolean });");
    write(&home, "input.json", "{}");
    plugin(&home, &["deploy", "greeting.js"]).await.ok();

    let text = plugin(&home, &["test", "greeting", "--input", "input.json"]).await.ok();
    for part in ["outcome       ok\n", "dropped       sub\n", "log           info: asked\n", "\"greeting\": \"hello\""]
    {
        assert!(text.contains(part), "{part:?} is missing in:\n{text}");
    }
    let text = plugin(&home, &["test", "draft.ts", "--input", "input.json"]).await.ok();
    assert!(text.contains("\"draft\": true"), "{text}");
    let mallory = r#"{ "context": { "user": { "id": "mallory" } } }"#;
    let told = plugin_with(&home, &[], &["test", "greeting", "--input", "-", "--json"], mallory).await;
    let outcome: serde_json::Value = serde_json::from_str(&told.stdout).unwrap();
    assert_eq!(outcome["outcome"], "failed");
    assert!(outcome["message"].as_str().unwrap().contains("Not today."), "{outcome}");
    assert_eq!(told.fails(1), "");
});
