//! `claimsmith plugin test --input`: tests a plugin on the server with one input, as tokens, webhook deliveries and
//! messages call it; or a file that is not deployed yet (a draft).

use super::deploy::{Language, stem_and_language};
use super::{Remote, Usage, WRITE, view};
use crate::case_args::CaseArgs;
use crate::terminal::{print_line, printable};
use anyhow::Context as _;
use data_encoding::BASE64;
use reqwest::Method;
use serde_json::{Value, json};
use std::io::Read as _;
use std::path::Path;
use std::process::ExitCode;

#[derive(clap::Args)]
pub(crate) struct TestArgs {
    /// Plugin files, or folders of them, whose golden cases are run here. With --input: the name of a plugin on the
    /// server, or a file to be tried there.
    #[arg(default_value = ".", value_name = "PATH|NAME")]
    pub(crate) targets: Vec<String>,
    #[command(flatten)]
    pub(crate) here: CaseArgs,
    /// The input, JSON as in a golden case: a file, or - for standard input
    #[arg(long, value_name = "FILE|-")]
    pub(crate) input: Option<String>,
    /// The version to ask [default: the active one]
    #[arg(long = "plugin-version", value_name = "VERSION")]
    pub(crate) version: Option<String>,
}

/// The request to the test route.
pub(crate) struct TestRequest {
    /// None for a draft.
    name: Option<String>,
    body: Value,
}

impl TestRequest {
    /// Reads the input, and the draft if it is one.
    pub(crate) fn read(args: &TestArgs) -> anyhow::Result<Self> {
        if args.here.is_given() {
            return Err(Usage::new(
                "--watch, --update, --coverage, --random and --junit are for golden cases, which run locally",
            )
            .into());
        }
        let [target] = args.targets.as_slice() else {
            return Err(Usage::new("--input tests exactly one plugin").into());
        };
        let input = match args.input.as_deref() {
            Some("-") | None => {
                let mut text = String::new();
                std::io::stdin().read_to_string(&mut text).context("the input cannot be read")?;
                text
            }
            Some(file) => std::fs::read_to_string(file).with_context(|| format!("{file} cannot be read"))?,
        };
        let input: Value = serde_json::from_str(&input).context("the input is not JSON")?;
        let file = Path::new(target);
        if file.extension().is_none() {
            let body = match &args.version {
                Some(version) => json!({ "input": input, "version": version }),
                None => json!({ "input": input }),
            };
            return Ok(Self { name: Some(target.clone()), body });
        }
        if args.version.is_some() {
            return Err(Usage::new("a file has no versions: --plugin-version is for a plugin on the server").into());
        }
        let (_, language) = stem_and_language(file)?;
        let bytes = std::fs::read(file).with_context(|| format!("{target} cannot be read"))?;
        let source = |bytes| String::from_utf8(bytes).with_context(|| format!("{target} is not UTF-8"));
        let body = match language {
            Language::JavaScript => json!({ "language": "javascript", "source": source(bytes)?, "input": input }),
            Language::TypeScript => json!({ "language": "typescript", "source": source(bytes)?, "input": input }),
            Language::Wasm => {
                json!({ "language": "wasm", "sourceBase64": BASE64.encode(&bytes), "input": input })
            }
        };
        Ok(Self { name: None, body })
    }
}

/// Sends the test and prints the outcome; success means that the plugin answered.
pub(crate) async fn run(remote: &Remote, question: TestRequest) -> anyhow::Result<ExitCode> {
    let parts: Vec<&str> = question.name.as_deref().into_iter().chain(["test"]).collect();
    let answer = remote.ask(WRITE, remote.request(Method::POST, &parts)?.json(&question.body)).await?;
    let outcome = answer.json()?;
    print_line(if remote.json { answer.text } else { rendered(&outcome) }.as_str());
    let is_ok = outcome.get("outcome").and_then(Value::as_str) == Some("ok");
    Ok(if is_ok { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The answer of the test route, as text.
pub(crate) fn rendered(outcome: &Value) -> String {
    let text = |pointer| view::text(outcome, pointer);
    let mut lines = vec![("outcome", text("/outcome"))];
    if outcome.get("message").is_some_and(Value::is_string) {
        lines.push(("message", text("/message")));
    }
    if outcome.get("dropped").is_some_and(|dropped| !view::items(dropped).is_empty()) {
        lines.push(("dropped", text("/dropped")));
    }
    for (name, pointer) in [("drop reason", "/dropReason"), ("path", "/path"), ("method", "/method"), ("url", "/url")] {
        if outcome.pointer(pointer).is_some_and(Value::is_string) {
            lines.push((name, text(pointer)));
        }
    }
    let headers = outcome.get("headers").and_then(Value::as_object);
    for (name, value) in headers.into_iter().flatten() {
        lines.push(("header", printable(&format!("{name}: {}", value.as_str().unwrap_or_default()))));
    }
    let cost = [("took ms", "/durationMs"), ("peak memory", "/peakMemory"), ("instructions", "/instructions")];
    lines.extend(cost.map(|(name, pointer)| (name, text(pointer))));
    for line in outcome.get("logs").map(view::items).unwrap_or_default() {
        lines.push(("log", format!("{}: {}", view::text(line, "/level"), view::text(line, "/message"))));
    }
    let mut rendered = view::pairs(&lines);
    if let Some(claims) = outcome.get("claims").filter(|claims| !claims.is_null()) {
        // Values are always written.
        append_section(&mut rendered, "claims", &serde_json::to_string_pretty(claims).unwrap_or_default());
    }
    if let Some(body) = outcome.get("body").and_then(Value::as_str) {
        let pretty = serde_json::from_str(body).and_then(|json: Value| serde_json::to_string_pretty(&json));
        append_section(&mut rendered, "body", pretty.as_deref().unwrap_or(body));
    }
    rendered
}

fn append_section(rendered: &mut String, name: &str, text: &str) {
    rendered.push('\n');
    rendered.push_str(name);
    for line in text.lines() {
        rendered.push_str("\n  ");
        rendered.push_str(&printable(line));
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may panic")]

    use super::{CaseArgs, TestArgs, TestRequest, rendered};
    use serde_json::json;

    fn question(target: &str, input: &std::path::Path, version: Option<&str>) -> anyhow::Result<TestRequest> {
        let input = Some(input.to_str().unwrap().to_owned());
        TestRequest::read(&TestArgs {
            targets: vec![target.to_owned()],
            here: CaseArgs::default(),
            input,
            version: version.map(str::to_owned),
        })
    }

    #[test]
    fn a_name_asks_what_is_deployed_and_a_file_is_a_draft() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        std::fs::write(path("input.json"), "{\"token\":{}}").unwrap();
        std::fs::write(path("a.ts"), "export {}").unwrap();
        std::fs::write(path("a.wasm"), b"\0asm").unwrap();
        let input = path("input.json");

        let asked = question("hello", &input, Some("3")).unwrap();
        assert_eq!(
            (asked.name.as_deref(), asked.body),
            (Some("hello"), json!({ "input": { "token": {} }, "version": "3" }))
        );
        let draft = question(path("a.ts").to_str().unwrap(), &input, None).unwrap();
        let expected = json!({ "language": "typescript", "source": "export {}", "input": { "token": {} } });
        assert_eq!((draft.name, draft.body), (None, expected));
        let draft = question(path("a.wasm").to_str().unwrap(), &input, None).unwrap();
        assert_eq!((&draft.body["language"], &draft.body["sourceBase64"]), (&json!("wasm"), &json!("AGFzbQ==")));
        assert!(question(path("a.ts").to_str().unwrap(), &input, Some("3")).is_err());
        assert!(question("hello", &path("a.ts"), None).is_err(), "the input is not JSON");
    }

    #[test]
    fn the_outcome_is_printed_with_cost_and_log() {
        let outcome = json!({
            "outcome": "ok", "claims": { "a": 1 }, "message": null, "dropped": ["sub"], "durationMs": 1.5,
            "peakMemory": 1024, "instructions": 99, "logs": [{ "level": "info", "message": "here" }],
        });
        let expected = "outcome       ok\ndropped       sub\ntook ms       1.5\npeak memory   1024\ninstructions  99\n\
                        log           info: here\nclaims\n  {\n    \"a\": 1\n  }";
        assert_eq!(rendered(&outcome), expected);
        let sent = rendered(&json!({
            "outcome": "ok", "claims": null, "body": "{\"a\":1}", "headers": { "x-kind": "b" }, "path": "users",
        }));
        assert!(sent.starts_with("outcome       ok\npath          users\nheader        x-kind: b\n"), "{sent}");
        assert!(sent.ends_with("\nbody\n  {\n    \"a\": 1\n  }"), "{sent}");
        let request = rendered(&json!({
            "outcome": "ok", "claims": null, "method": "POST", "url": "https://api.example.com/", "body": "a=b",
        }));
        assert!(request.starts_with("outcome       ok\nmethod        POST\nurl           https://api"), "{request}");
        assert!(request.ends_with("\nbody\n  a=b"), "{request}");
        let dropped = rendered(&json!({ "outcome": "ok", "claims": null, "dropReason": "Nobody reads it." }));
        assert!(dropped.starts_with("outcome       ok\ndrop reason   Nobody reads it.\n"), "{dropped}");
        let denied = rendered(&json!({ "outcome": "denied", "claims": null, "message": "Not today." }));
        assert!(denied.starts_with("outcome       denied\nmessage       Not today.\n"), "{denied}");
    }
}
