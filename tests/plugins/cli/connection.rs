//! Server and credentials of remote commands, and errors of the connection.

use super::{BINARY, plugin, plugin_with, write};
use claimsmith_test_support::{Home, Kind, TestServer, both, until};
use std::process::Command;

both!(beside_its_data_folder_the_server_is_found, async |server: TestServer| {
    write(&server.home, "plugins/hello.js", "export const getCustomJwtClaims = () => ({ hello: 1 });");
    let text = until("a plugin in the list", async || {
        let text = plugin(&server.home, &["list"]).await.ok();
        (text.lines().count() == 2).then_some(text)
    })
    .await;
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].starts_with("NAME   SOURCE  KIND    STATE "), "{text}");
    assert!(lines[1].starts_with("hello  folder  claims  active"), "{text}");

    let own = plugin(&server.home, &["list", "--json"]).await.json();
    assert_eq!(own[0]["name"], "hello");
});

both!(a_server_elsewhere_is_named_with_credentials, async |server: TestServer| {
    let machine = server.machine();
    let elsewhere = Home::new(Kind::Sqlite).await;
    let url = [("CLAIMSMITH_SERVER", server.origin.as_str()), ("CLAIMSMITH_RESOURCE", machine.resource.as_str())];
    write(&elsewhere, "secret", &format!("{}\n", machine.client_secret));

    // The flags may stand before and after the subcommand.
    let by_file = ["--client-id", &machine.client_id, "list", "--client-secret-file", "secret"];
    plugin_with(&elsewhere, &url, &by_file, "").await.ok();
    let token = server.management_token().await;
    let by_token = [url[0], ("CLAIMSMITH_TOKEN", token.as_str())];
    plugin_with(&elsewhere, &by_token, &["list"], "").await.ok();

    let text = plugin_with(&elsewhere, &url, &["list"], "").await.fails(2);
    assert!(text.starts_with(&format!("claimsmith: no credentials for {}", server.origin)), "{text}");

    let by_id = ["list", "--client-id", machine.client_id.as_str()];
    let wrong = [url[0], url[1], ("CLAIMSMITH_CLIENT_SECRET", "a-wrong-secret")];
    let told = plugin_with(&elsewhere, &wrong, &by_id, "").await;
    assert!(!format!("{told:?}").contains("a-wrong-secret"), "{told:?}");
    let text = told.fails(1);
    assert!(text.contains("(401 oidc.invalid_client)\n") && text.contains("or the secret is wrong"), "{text}");

    let unknown = [url[0], ("CLAIMSMITH_CLIENT_SECRET", machine.client_secret.as_str())];
    let elsewhere_named = ["list", "--client-id", &machine.client_id, "--resource", "urn:nobody"];
    let text = plugin_with(&elsewhere, &unknown, &elsewhere_named, "").await.fails(1);
    assert!(text.contains("knows no resource urn:nobody") && text.contains("--resource"), "{text}");
});

both!(a_refusal_names_the_missing_scope, async |server: TestServer| {
    let text = plugin(&server.home, &["list", "--scope", "users:read"]).await.fails(1);
    assert!(text.contains("(403 auth.forbidden)"), "{text}");
    assert!(text.contains("\nThis needs the scope plugins:read (or all); the token carries"), "{text}");
    let told = plugin(&server.home, &["list", "--token", "nonsense", "--json"]).await;
    assert!(told.stdout.starts_with("{\"code\":\"auth.unauthorized\""), "the server's own words: {told:?}");
    assert!(told.fails(1).starts_with("claimsmith: "));
});

#[tokio::test]
async fn an_unreachable_server_is_named() {
    let home = Home::new(Kind::Sqlite).await;
    // A port that was free a moment ago.
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    drop(listener);
    let text = plugin(&home, &["list", "--server", &url, "--token", "t"]).await.fails(1);
    assert!(text.starts_with(&format!("claimsmith: cannot reach {url}: ")), "{text}");
}

#[tokio::test]
async fn an_invalid_command_line_sends_no_request() {
    let home = Home::new(Kind::Sqlite).await;
    write(&home, "notes.txt", "");
    let nobody = [("CLAIMSMITH_SERVER", "http://192.0.2.1"), ("CLAIMSMITH_TOKEN", "t")];
    let calls: [(&[&str], &str); 9] = [
        (&["deploy", "notes.txt"], "must end in .js, .ts or .wasm"),
        (&["show", ".."], "is not a valid name"),
        (&["secret", "set", "a", "KEY"], "the value is empty"),
        (&["grant", "a"], "--declared"),
        (&["grant", "a", "b.example", "--declared"], "cannot be used with"),
        (&["test", "a", "b", "--input", "-"], "--input tests exactly one plugin"),
        (&["test", "plugins", "--server", "http://192.0.2.1"], "golden cases run locally"),
        (&["logs", "a", "--since", "soon"], "invalid value 'soon' for '--since <TIME>'"),
        (&["list", "--token", "t", "--client-id", "x"], "cannot be used with"),
    ];
    for (arguments, expected) in calls {
        let text = plugin_with(&home, &nobody, arguments, "").await.fails(2);
        assert!(text.contains(expected), "{arguments:?}: {text}");
    }
    let text = plugin(&home, &["list"]).await.fails(2);
    assert!(text.starts_with("claimsmith: no server was named: "), "{text}");
}

#[test]
fn every_shell_gets_its_completions() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let output = Command::new(BINARY).args(["completions", shell]).env_clear().output().unwrap();
        let script = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success() && script.contains("claimsmith"), "{shell}");
        assert!(script.contains("rollback") && script.contains("client-secret-file"), "{shell}");
    }
    assert_eq!(Command::new(BINARY).args(["completions", "csh"]).output().unwrap().status.code(), Some(2));
}
