//! `claimsmith plugin logs`, with and without `--follow`.

use super::{BINARY, claims, command, plugin, write};
use claimsmith_test_support::{Home, Process, both, in_time, until};
use std::process::Stdio;
use std::sync::Arc;
use tokio::io::{AsyncBufReadExt as _, BufReader, Lines};
use tokio::process::ChildStdout;

const TALKER: &str = "export const getCustomJwtClaims = ({ token }) => {\n\
                      console.log('token', token.jti); console.error('oops');\n\
                      return { said: token.jti };\n};\n";

async fn next(lines: &mut Lines<BufReader<ChildStdout>>) -> String {
    in_time("a line of the log", lines.next_line()).await.unwrap().unwrap()
}

both!(the_log_is_shown_and_followed, async |home: Arc<Home>| {
    let server = Process::start(BINARY, &home, &[]).await.unwrap();
    write(&home, "talker.js", TALKER);
    plugin(&home, &["deploy", "talker.js"]).await.ok();
    claims(&server).await;
    // Lines are written behind the answer.
    let past = until("two lines of the log", async || {
        let past = plugin(&home, &["logs", "talker", "--json"]).await.json();
        (past.as_array().unwrap().len() >= 2).then_some(past)
    })
    .await;
    let text = plugin(&home, &["logs", "talker", "--since", "1h"]).await.ok();
    let lines: Vec<_> = text.lines().collect();
    assert!(lines[0].contains("  info   token") && lines[1].contains("  error  oops  request "), "{text}");
    let errors = plugin(&home, &["logs", "talker", "--level", "error", "--limit", "1"]).await.ok();
    assert_eq!(errors.trim_end(), lines[1]);
    let id = past[0]["requestId"].as_str().unwrap();
    assert_eq!(plugin(&home, &["logs", "talker", "--request-id", id]).await.ok(), text);
    assert_eq!(plugin(&home, &["logs", "talker", "--request-id", "nobody"]).await.ok(), "");

    let mut follow = command(&home, &[], &["logs", "talker", "--follow", "--level", "error"]);
    let mut child = follow.stdout(Stdio::piped()).spawn().unwrap();
    let mut followed = BufReader::new(child.stdout.take().unwrap()).lines();
    assert_eq!(next(&mut followed).await, lines[1], "the past first");
    claims(&server).await;
    let line = next(&mut followed).await;
    assert!(line.contains("  error  oops  request ") && line != lines[1], "{line}");

    // With nobody who reads, it ends.
    drop(followed);
    let ended = async {
        while child.try_wait().unwrap().is_none() {
            claims(&server).await;
        }
    };
    in_time("the end of the command", ended).await;
});
