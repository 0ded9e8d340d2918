//! A change of code and settings is atomic for tokens: old or new on every node, never a mix.

use super::{claims, start_three};
use claimsmith_test_support::{Answer, Home, Process, in_time, on_postgres, until};
use reqwest::Method;
use reqwest::header::CONTENT_TYPE;
use serde_json::json;
use std::sync::Arc;
use tokio::sync::watch;

/// How often the plugin changes.
const CHANGES: u32 = 6;

/// The code says whether the number is odd, beside two variables that an upload sets to the number itself. Two sources
/// are enough: compiling takes longer than all the rest.
async fn upload(node: &Process, number: u32) {
    let source = format!(
        "export const getCustomJwtClaims = ({{ environmentVariables: {{ A, B }} }}) => ({{ odd: {}, A, B }});",
        number % 2 == 1,
    );
    let manifest = format!("[environment]\nA = \"{number}\"\nB = \"{number}\"\n");
    let part = |name: &str, file: &str, text: &str| {
        format!("--f\r\nContent-Disposition: form-data; name=\"{name}\"; filename=\"{file}\"\r\n\r\n{text}\r\n")
    };
    let form = part("source", "whole.js", &source) + &part("manifest", "whole.toml", &manifest) + "--f--\r\n";
    let request = node.management().await.request(Method::PUT, "/api/plugins/whole");
    Answer::of(request.header(CONTENT_TYPE, "multipart/form-data; boundary=f").body(form)).await.expect(201);
}

/// Reads tokens until one says that the last change has come.
async fn read(node: &Process, last: &str, tokens: &watch::Sender<u32>) {
    let mut newest = 0;
    loop {
        let claims = claims(node).await;
        let text = |name: &str| claims[name].as_str().unwrap().to_owned();
        let (a, b) = (text("A"), text("B"));
        assert_eq!(a, b, "half of a change: {claims:#}");
        let number: u32 = a.trim_end_matches(" patched").parse().unwrap();
        assert_eq!(claims["odd"], number % 2 == 1, "half of a change: {claims:#}");
        // Twice the number, and one more when it was patched.
        let step = 2 * number + u32::from(a.ends_with("patched"));
        assert!(step >= newest, "a change was taken back: {claims:#}");
        newest = step;
        tokens.send_modify(|count| *count += 1);
        if a == last {
            return;
        }
    }
}

on_postgres!(no_token_shows_half_of_a_change, async |home: Arc<Home>| {
    let nodes = start_three(&home).await;
    upload(&nodes[0], 0).await;
    for node in &nodes {
        until("the first version", async || claims(node).await.get("odd").cloned()).await;
    }
    let tokens = watch::Sender::new(0);
    let last = format!("{CHANGES} patched");
    let change = async {
        for number in 1..=CHANGES {
            // Not faster than somebody looks.
            let read = *tokens.borrow() + 3;
            tokens.subscribe().wait_for(|count| *count >= read).await.unwrap();
            upload(&nodes[number as usize % nodes.len()], number).await;
            let patched = format!("{number} patched");
            let management = nodes[(number as usize + 1) % nodes.len()].management().await;
            let environment = json!({ "environment": { "A": patched, "B": patched } });
            management.patch("/api/plugins/whole", environment).await.expect(200);
        }
    };
    let [one, two, three] = &nodes;
    let all = async {
        tokio::join!(change, read(one, &last, &tokens), read(two, &last, &tokens), read(three, &last, &tokens));
    };
    in_time("the last change on every node", all).await;
});
