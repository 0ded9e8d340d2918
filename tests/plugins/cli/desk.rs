//! The local commands of plugin authors: from `claimsmith plugin new` to a token with the claim.

use super::{BINARY, claims, command, plugin, plugin_with, write};
use claimsmith_test_support::{CommandOutput, Home, Kind, Process};
use serde_json::{Value, json};

/// A command inside a folder of the home.
async fn inside(home: &Home, folder: &str, arguments: &[&str]) -> CommandOutput {
    let mut command = command(home, &[], arguments);
    command.current_dir(home.folder().join(folder)).output().await.unwrap().into()
}

fn read(home: &Home, file: &str) -> String {
    std::fs::read_to_string(home.folder().join(file)).unwrap()
}

#[tokio::test]
async fn a_new_plugin_passes_everything_and_serves() {
    let home = Home::new(Kind::Sqlite).await;
    let server = Process::start(BINARY, &home, &[]).await.unwrap();
    for (lang, title, file) in
        [("javascript", "JavaScript", "ours/ours.js"), ("typescript", "TypeScript", "theirs/theirs.ts")]
    {
        let name = file.split('/').next().unwrap();
        let told = plugin(&home, &["new", "--lang", lang, "--example", "ticket", name]).await.ok();
        assert!(told.starts_with(&format!("{name}: a plugin in {title}\n\n  cd {name}\n")), "{told}");

        let told = inside(&home, name, &["test", "--coverage"]).await.ok();
        assert!(told.ends_with("\nplugins: 1; cases: 4, 4 passed, 0 failed\n"), "{told}");
        assert!(told.contains(&format!("COVERAGE  {name}: no case with context.application, ")), "{told}");
        let found = inside(&home, name, &["--json", "check"]).await.json();
        assert_eq!((&found["name"], &found["world"]), (&json!(name), &json!("claimsmith:plugin/claims")));
        assert_eq!(found["problems"], json!([]));
        let built = inside(&home, name, &["build"]).await;
        assert_eq!((built.code, built.stderr.contains("there is nothing to build")), (Some(0), true), "{built:?}");

        plugin(&home, &["deploy", file]).await.ok();
        assert_eq!(claims(&server).await["ticket_id"], "TECH-1234");
        plugin(&home, &["delete", name]).await.ok();
        assert!(!claims(&server).await.contains_key("ticket_id"));
    }
}

#[tokio::test]
async fn a_plugin_begins_with_a_claim_of_the_user() {
    let home = Home::new(Kind::Sqlite).await;
    let server = Process::start(BINARY, &home, &[]).await.unwrap();
    for (lang, file) in [("javascript", "ours/ours.js"), ("typescript", "theirs/theirs.ts")] {
        let name = file.split('/').next().unwrap();
        plugin(&home, &["new", "--lang", lang, name]).await.ok();
        let told = inside(&home, name, &["test"]).await.ok();
        assert!(told.ends_with("\nplugins: 1; cases: 4, 4 passed, 0 failed\n"), "{told}");
        let found = inside(&home, name, &["--json", "check"]).await.json();
        assert_eq!(found["tokens"], json!(["access-token", "id-token"]), "everybody sees it");
        plugin(&home, &["deploy", file]).await.ok();
        assert!(claims(&server).await["display_name"].as_str().is_some_and(|name| name.starts_with("Casey")));
        plugin(&home, &["delete", name]).await.ok();
    }
}

#[tokio::test]
async fn the_check_says_what_a_plugin_is_and_asks_for() {
    let home = Home::new(Kind::Sqlite).await;
    plugin(&home, &["new", "--lang", "javascript", "ours"]).await.ok();
    let told = inside(&home, "ours", &["check"]).await.ok();
    for line in [
        "name           ours\n",
        "world          claimsmith:plugin/claims\n",
        "contract       1.",
        "export         get-custom-jwt-claims\n",
        "claims         acme_display_name, display_name\n",
        "tokens         access-token, id-token\n",
        "onError        deny\n",
        "variables      PREFIX\n",
        "cases          4 passed, 0 failed\n",
        "cost           at most ",
        "\nPASS      ours: without a name it is the username\n",
    ] {
        assert!(told.contains(line), "{line} in:\n{told}");
    }

    // A case that fails is shown with the difference, and fails the check.
    let right = read(&home, "ours/ours.js");
    write(&home, "ours/ours.js", &right.replace("display_name", "shown_name"));
    let told = inside(&home, "ours", &["check"]).await;
    assert_eq!(told.code, Some(1), "{told:?}");
    assert!(told.stdout.contains("cases          1 passed, 3 failed\n"), "{told:?}");
    assert!(told.stdout.contains("+   \"shown_name\": \"Casey Jones\""), "{told:?}");
    let found = inside(&home, "ours", &["--json", "check"]).await;
    let found: Value = serde_json::from_str(&found.stdout).unwrap();
    assert_eq!(
        (&found["claims"], &found["cases"][0]["passed"]),
        (&json!(["acme_shown_name", "shown_name"]), &json!(false))
    );
    assert!(
        found["cost"]["instructions"].as_u64() > Some(0) && found["cost"]["peakMemory"].as_u64() > Some(0),
        "{found}"
    );

    // What it asks for beyond its input.
    plugin(&home, &["new", "--lang", "javascript", "--example", "lookup", "asks"]).await.ok();
    let told = inside(&home, "asks", &["check"]).await.ok();
    assert!(told.contains("http           plans.example.com\n") && told.contains("methods        GET\n"), "{told}");
    plugin(&home, &["new", "--lang", "typescript", "--example", "cached", "keeps"]).await.ok();
    let found = inside(&home, "keeps", &["--json", "check"]).await.json();
    let headers = json!({ "plans.example.com": { "authorization": "Bearer {secret:API_KEY}" } });
    assert_eq!((&found["filledHeaders"], &found["problems"]), (&headers, &json!([])));
    assert_eq!(found["cache"], json!({ "entries": 1000, "kib": 1024, "everybody": false }));
}

#[tokio::test]
async fn an_example_in_every_language_keeps_an_answer_and_never_sees_the_key() {
    let home = Home::new(Kind::Sqlite).await;
    for lang in ["javascript", "typescript"] {
        plugin(&home, &["new", "--lang", lang, "--example", "cached", lang]).await.ok();
        let told = inside(&home, lang, &["test"]).await.ok();
        assert!(told.ends_with("\nplugins: 1; cases: 6, 6 passed, 0 failed\n"), "{told}");
    }
    // A call finds what it stored itself, and what its case says was stored before; the key is nowhere.
    let source = r#"
export const getCustomJwtClaims = async ({ context, environmentVariables, api }) => {
  const before = api.cache.get("user", "plan") ?? null;
  api.cache.set("user", "plan", context.user.id, 60);
  return { before, after: api.cache.get("user", "plan"), key: environmentVariables.API_KEY ?? null };
};
"#;
    write(&home, "javascript/javascript.js", source);
    let input = r#"{ "input": { "context": { "user": { "id": "u1" } } },
                     "cache": [{ "owner": "user", "key": "plan", "value": [1, null] }] }"#;
    let told = plugin_with(&home, &[], &["--json", "run", "javascript", "--input", "-"], input).await.json();
    assert_eq!(told["claims"], json!({ "before": [1, null], "after": "u1", "key": null }), "{told}");

    // What the other languages are given; tests/languages/run compiles it.
    for (lang, file, part) in [
        ("rust", "claimsmith/src/cache.rs", "pub fn get<T: DeserializeOwned>("),
        ("rust", "claimsmith/wit/cache.wit", "interface cache {"),
        ("python", "claimsmith/cache.py", "def get(owner: Owner,"),
        ("python", "wit/cache.wit", "interface cache {"),
        ("go", "claimsmith/cache/host.go", "//go:wasmimport claimsmith:plugin/cache@1.2.0 get"),
        ("c", "bindings/plugin.h", "plugin_string_t *key, plugin_option_list_u8_t *ret, plugin_string_t *err);"),
        ("cpp", "bindings/plugin.h", "plugin_list_u8_t *value, uint32_t seconds, plugin_string_t *err);"),
        ("cpp", "bindings/plugin.h", "#define CLAIMSMITH_PLUGIN_CACHE_OWNER_USER 0"),
    ] {
        let name = format!("{lang}-cached");
        if !home.folder().join(&name).exists() {
            plugin(&home, &["new", "--lang", lang, "--example", "cached", &name]).await.ok();
        }
        let text = read(&home, &format!("{name}/{file}"));
        assert!(text.contains(part), "{part} in {file} of {lang}:\n{text}");
    }
}

#[tokio::test]
async fn what_cannot_be_made_is_refused_and_leaves_nothing() {
    let home = Home::new(Kind::Sqlite).await;
    for (arguments, said) in [
        (["new", "--lang", "javascript", "Hello World"], "is not a valid plugin name"),
        (["new", "--lang", "javascript", "test"], "cannot be the name of a plugin"),
        (["new", "--lang", "cobol", "hello"], "invalid value 'cobol'"),
        (["new", "--lang", "javascript", "."], "is not a valid plugin name"),
    ] {
        let told = plugin(&home, &arguments).await.fails(2);
        assert!(told.contains(said), "{told}");
    }
    plugin(&home, &["new", "--lang", "javascript", "hello"]).await.ok();
    write(&home, "hello/hello.js", "mine");
    let told = plugin(&home, &["new", "--lang", "typescript", "hello"]).await.fails(2);
    assert!(told.contains("hello exists already"), "{told}");
    assert_eq!(read(&home, "hello/hello.js"), "mine");

    std::fs::create_dir(home.folder().join("empty")).unwrap();
    for command in ["check", "build", "test"] {
        let told = inside(&home, "empty", &[command]).await;
        assert_ne!(told.code, Some(0), "{told:?}");
    }
    let told = inside(&home, "empty", &["check"]).await.fails(2);
    assert!(told.contains("contains no plugin, and no build.toml"), "{told}");
}

#[tokio::test]
async fn a_compiler_that_fails_leaves_what_was_there() {
    let home = Home::new(Kind::Sqlite).await;
    std::fs::create_dir(home.folder().join("built")).unwrap();
    let build = |command: &str| {
        write(&home, "built/build.toml", &format!("name = \"built\"\ncommand = {command}\noutput = \"out/main.js\"\n"));
    };
    write(&home, "built/source.js", "export const getCustomJwtClaims = () => ({ built: true });");
    let told = {
        build("[\"false\"]");
        inside(&home, "built", &["build"]).await.fails(1)
    };
    assert!(told.contains("`false` failed"), "{told}");
    build("[\"no-such-compiler\"]");
    assert!(inside(&home, "built", &["build"]).await.fails(1).contains("could not be started"));
    build("[\"true\"]");
    assert!(inside(&home, "built", &["build"]).await.fails(1).contains("did not write"));

    // A bundler, for short.
    build("[\"sh\", \"-c\", \"mkdir -p out && cp source.js out/main.js\"]");
    let told = inside(&home, "built", &["build"]).await;
    assert_eq!((told.code, told.stderr.trim_end()), (Some(0), "built.js: 58 bytes"));
    let asked = plugin_with(&home, &[], &["--json", "run", "built", "--input", "-"], "{}").await.json();
    assert_eq!(asked["claims"], json!({ "built": true }));

    build("[\"sh\", \"-c\", \"echo broken > out/main.js; exit 3\"]");
    inside(&home, "built", &["build"]).await.fails(1);
    assert!(read(&home, "built/built.js").contains("built: true"));

    write(&home, "built/build.toml", "name = \"built\"\ncommand = []\noutput = \"a.wasm\"\nwhat = 1\n");
    assert!(inside(&home, "built", &["build"]).await.fails(1).contains("unknown field `what`"));
    write(
        &home,
        "built/build.toml",
        "name = \"built\"\ncommand = [\"sh\", \"-c\", \"echo no > a.wasm\"]\noutput = \"a.wasm\"\n",
    );
    let told = inside(&home, "built", &["build"]).await.fails(1);
    assert!(told.contains("the file is not WebAssembly"), "{told}");

    // A file of another kind is refused by its name, when it is built and when it is checked.
    let extism = r#"(module (import "extism:host/env" "input_length" (func (result i64))))"#;
    std::fs::write(home.folder().join("other.wasm"), wat::parse_str(extism).unwrap()).unwrap();
    let told = plugin(&home, &["check", "other.wasm"]).await.fails(1);
    assert!(told.contains("an Extism plugin, not a component"), "{told}");
    let command = "[\"cp\", \"../other.wasm\", \"a.wasm\"]";
    write(&home, "built/build.toml", &format!("name = \"built\"\ncommand = {command}\noutput = \"a.wasm\"\n"));
    let told = inside(&home, "built", &["build"]).await.fails(1);
    assert!(told.contains("an Extism plugin, not a component"), "{told}");
}

#[tokio::test]
async fn a_plugin_that_sets_reserved_claims_does_not_pass_the_check() {
    let home = Home::new(Kind::Sqlite).await;
    write(&home, "forge.js", "export const getCustomJwtClaims = () => ({ sub: 'admin', fine: 1 });");
    write(&home, "forge.cases.json", r#"[{ "name": "a", "input": {}, "expected": { "claims": { "fine": 1 } } }]"#);
    let found = plugin(&home, &["check", "forge.js"]).await;
    assert_eq!(found.code, Some(1), "{found:?}");
    assert!(found.stdout.ends_with("FAIL      it sets `sub`, which is reserved and will be dropped\n"), "{found:?}");
}

#[tokio::test]
async fn one_call_is_printed_with_answer_log_and_cost() {
    let home = Home::new(Kind::Sqlite).await;
    let source = "export const getCustomJwtClaims = ({ token, api }) => {
        console.log('asked about', token.aud);
        if (token.aud === 'no') api.denyAccess('Not that one.');
        return { sub: 1, aud_seen: token.aud };
    };";
    write(&home, "seen.js", source);
    let ask = async |input: &str| plugin_with(&home, &[], &["--json", "run", "seen.js", "--input", "-"], input).await;
    let told = ask(r#"{"token": {"aud": "yes"}}"#).await.json();
    assert_eq!((&told["claims"], &told["dropped"]), (&json!({ "aud_seen": "yes" }), &json!(["sub"])));
    assert_eq!(told["logs"][0]["message"], "asked about yes");
    let again = ask(r#"{"token": {"aud": "yes"}}"#).await.json();
    assert!(told["instructions"].as_u64().unwrap() > 0);
    assert_eq!(told["instructions"], again["instructions"], "the same question takes the same instructions");

    let denied = ask(r#"{"token": {"aud": "no"}}"#).await;
    let outcome: Value = serde_json::from_str(&denied.stdout).unwrap();
    assert_eq!(
        (denied.code, &outcome["outcome"], &outcome["message"]),
        (Some(1), &json!("denied"), &json!("Not that one."))
    );
    for refused in ["", "[1]", r#"{"tokens": {}}"#] {
        ask(refused).await.fails(1);
    }
    ask(r#"[{"token": {}}, {"token": {}}]"#).await.fails(2);
}

#[tokio::test]
async fn two_versions_are_compared_over_inputs() {
    let home = Home::new(Kind::Sqlite).await;
    write(&home, "old.js", "export const getCustomJwtClaims = ({ token }) => ({ aud: 1, n: token.n });");
    write(&home, "new.js", "export const getCustomJwtClaims = ({ token }) => ({ n: token.n > 1 ? 0 : token.n });");
    write(&home, "inputs.json", "{\"token\": {\"n\": 1}}\n{\"token\": {\"n\": 2}}\n");
    let told = plugin(&home, &["diff", "old.js", "new.js", "--inputs", "inputs.json"]).await;
    assert_eq!(told.code, Some(1), "{told:?}");
    let expected = "DIFFERS   input 2\n              {\n            -   \"n\": 2\n            +   \"n\": 0\n              }\n\
                    inputs: 2; 1 the same, 1 differ\n";
    assert_eq!(told.stdout, expected);
    let told = plugin(&home, &["diff", "old.js", "old.js", "--inputs", "inputs.json"]).await.ok();
    assert_eq!(told, "inputs: 2; 2 the same, 0 differ\n");
}

#[tokio::test]
async fn calls_are_measured() {
    let home = Home::new(Kind::Sqlite).await;
    plugin(&home, &["new", "--lang", "javascript", "--example", "ticket", "hello"]).await.ok();
    let costs = inside(&home, "hello", &["--json", "bench", "--calls", "5"]).await.json();
    let costs = costs.as_array().unwrap();
    assert_eq!((costs.len(), &costs[2]["outcome"]), (4, &json!("denied")));
    for cost in costs {
        assert!(cost["p50Us"].as_f64().unwrap() > 0.0 && cost["peakMemory"].as_u64().unwrap() > 0, "{cost}");
        assert!(cost["instructions"].as_u64().unwrap() > 0, "{cost}");
    }
    let told = inside(&home, "hello", &["bench", "--calls", "1"]).await.ok();
    assert!(told.starts_with("INPUT ") && told.contains("the ticket becomes a claim"), "{told}");
}

#[tokio::test]
async fn failing_cases_can_be_updated_and_written_as_junit() {
    let home = Home::new(Kind::Sqlite).await;
    write(
        &home,
        "a.js",
        "export const getCustomJwtClaims = ({ token }) => { if (token.no) throw Error('no'); return { a: 2 }; };",
    );
    let cases = r#"[
  { "name": "right", "input": { "token":   {} }, "expected": { "claims": { "a": 2 } } },
  { "name": "wrong", "input": {}, "expected": { "claims": { "a": 1 } } },
  { "name": "fails", "input": { "token": { "no": 1 } }, "expected": { "claims": {} } }
]"#;
    write(&home, "a.cases.json", cases);
    let failed = plugin(&home, &["test", "a.js", "--junit", "report.xml"]).await;
    assert_eq!(failed.code, Some(1), "{failed:?}");
    let report = read(&home, "report.xml");
    assert!(report.contains("<testsuite name=\"a\" tests=\"3\"") && report.contains("failures=\"2\""), "{report}");

    plugin(&home, &["test", "a.js", "--update"]).await.ok();
    let updated = read(&home, "a.cases.json");
    assert!(updated.contains(r#""input": { "token":   {} }"#), "{updated}");
    let values: Value = serde_json::from_str(&updated).unwrap();
    assert_eq!(values[1]["expected"], json!({ "claims": { "a": 2 } }));
    assert_eq!(values[2]["expected"], json!({ "failed": "Error: no" }));
    plugin(&home, &["test", "a.js"]).await.ok();
    let told = plugin_with(&home, &[], &["test", "a.js", "--input", "-", "--update"], "{}").await.fails(2);
    assert!(told.contains("are for golden cases"), "{told}");
}

#[tokio::test]
async fn made_up_inputs_find_what_no_case_asks() {
    let home = Home::new(Kind::Sqlite).await;
    let examples =
        [("ticket", "javascript", "ticket"), ("mask", "typescript", "mask"), ("courier", "typescript", "message")];
    for (name, lang, example) in examples {
        plugin(&home, &["new", "--lang", lang, "--example", example, name]).await.ok();
        let told = inside(&home, name, &["test", "--random", "60", "--seed", "1"]).await.ok();
        assert!(told.contains(&format!("RANDOM    {name}: 60 random inputs of seed 1\n")), "{told}");
    }
    for (name, source, found) in [
        ("leaks", "({ context }) => context.organization ? { sub: context.organization.id } : {}", "reserved: sub"),
        ("shape", "({ context }) => context.user?.roles?.length ? 'roles' : {}", "bad_output"),
        ("loops", "({ token }) => { while (token.gty === '') {} return {}; }", "timed_out"),
    ] {
        write(&home, &format!("{name}.js"), &format!("export const getCustomJwtClaims = {source};"));
        write(&home, &format!("{name}.toml"), "[limits]\ndeadline_ms = 1000\n");
        let file = format!("{name}.js");
        let failed = plugin(&home, &["test", &file, "--random", "2000", "--seed", "1"]).await;
        assert_eq!(failed.code, Some(1), "{failed:?}");
        assert!(failed.stdout.contains("random input") && failed.stdout.contains(found), "{failed:?}");
        let again = plugin(&home, &["test", &file, "--random", "2000", "--seed", "1"]).await;
        let first =
            |told: &CommandOutput| told.stdout.lines().find(|line| line.contains("random input")).map(str::to_owned);
        assert_eq!(first(&failed), first(&again));
    }
}
