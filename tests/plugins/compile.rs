//! Compiling uploads in a child process: accepted plugins, and the findings of refused ones.

use crate::support::{compiler_options, document, upload};
use claimsmith_runtime::{CacheUse, Host, HostOptions, Kind, Language};
use claimsmith_services::plugins::compile::{Accepted, CompileError, Finding, FindingKind, Upload};
use claimsmith_services::plugins::{Compiler, CompilerOptions, PluginsOptions};
use claimsmith_test_support::{Home, Kind as Database, TestServer};
use serde_json::json;

const JAVASCRIPT: &str = "export const getCustomJwtClaims = ({ context }) => ({ user: context.user.id });";
const TYPESCRIPT: &str = "export const getCustomJwtClaims = ({ token }: { token: object }): object => ({ ...token });";
const COMPONENT: &str = include_str!("../../sdk/runtime/tests/guests/claims.wat");

async fn accepted(options: &PluginsOptions, upload: &Upload) -> Accepted {
    Compiler::new(options).compile(upload).await.unwrap()
}

async fn findings(upload: &Upload) -> Vec<Finding> {
    match Compiler::new(&compiler_options()).compile(upload).await {
        Err(CompileError::Refused(findings)) => findings,
        other => panic!("{other:?}"),
    }
}

fn component(text: &str) -> Upload {
    upload(Language::Wasm, wat::parse_str(text).unwrap())
}

#[tokio::test]
async fn what_the_child_compiled_the_server_finds_in_its_cache() {
    let folder = tempfile::tempdir().unwrap();
    let options = PluginsOptions { cache_dir: Some(folder.path().join("cache")), ..compiler_options() };
    let uploads =
        [upload(Language::JavaScript, JAVASCRIPT), upload(Language::TypeScript, TYPESCRIPT), component(COMPONENT)];
    // Those that are tried come last, and with them an engine that counts instructions.
    let metered = [upload(Language::JavaScript, JAVASCRIPT), component(COMPONENT)];
    let all = uploads.map(|upload| (upload, false)).into_iter().chain(metered.map(|upload| (upload, true)));
    for (upload, metered) in all {
        let compiler = Compiler::new(&options);
        let facts =
            if metered { compiler.compile_metered(&upload).await } else { compiler.compile(&upload).await }.unwrap();
        // Nothing that a server may set differently keeps it from finding the code.
        let host = Host::new(HostOptions {
            cache_dir: options.cache_dir.clone(),
            concurrency: 7,
            queue: 3,
            max_memory: 32 << 20,
            max_source: 1 << 20,
            parallel_compilation: true,
            metered,
        });
        let host = host.unwrap();
        let plugin = host.load(&upload.source).await.unwrap();
        // The code of a script is its runtime's, and kept apart.
        let hits = if upload.source.language == Language::Wasm { 1 } else { 2 };
        assert_eq!(
            host.cache_use(),
            CacheUse { hits, misses: 0, write_failures: 0 },
            "{:?} {metered}",
            upload.source.language
        );
        assert_eq!((facts.kind, facts.world.as_str()), (Kind::Claims, "claimsmith:plugin/claims"));
        assert_eq!((facts.digest.as_str(), facts.wasm_size), (plugin.digest(), plugin.component_size()));
        assert_eq!(facts.imports, plugin.imports());
    }
}

#[tokio::test]
async fn a_server_has_a_compiler_of_its_own() {
    let home = Home::new(Database::Sqlite).await;
    let server = TestServer::start(&home, &[]).await.unwrap();
    let facts = server.app.plugins.compiler().compile(&upload(Language::JavaScript, JAVASCRIPT)).await.unwrap();
    assert_eq!(facts.kind, Kind::Claims);
    // Unless it is told otherwise, it is the program that runs.
    let own = CompilerOptions::own_program().canonicalize().unwrap();
    assert_eq!(own, std::env::current_exe().unwrap().canonicalize().unwrap());
}

#[tokio::test]
async fn golden_cases_that_pass_are_counted() {
    let cases = r#"[{ "name": "who", "input": { "context": { "user": { "id": "u1" } } },
        "expected": { "claims": { "user": "u1" } } }]"#;
    let manifest = Some(document("tickets.toml", "order = 3\n"));
    let cases = Some(document("tickets.cases.json", cases));
    let facts =
        accepted(&compiler_options(), &Upload { manifest, cases, ..upload(Language::JavaScript, JAVASCRIPT) }).await;
    assert_eq!(facts.cases, 1);
}

#[tokio::test]
async fn transforms_are_compiled_and_tested_like_other_uploads() {
    let javascript =
        "export const transformWebhook = ({ event }) => ({ body: event, headers: { 'x-id': 'msg_test' } });";
    let typescript = "export const transformWebhook = ({ event }: { event: object }) => \
                      ({ body: event, headers: { 'x-id': 'msg_test' as string } });";
    let component_text = include_str!("../../sdk/runtime/tests/guests/transform.wat");
    let uploads =
        [upload(Language::JavaScript, javascript), upload(Language::TypeScript, typescript), component(component_text)];
    let cases = r#"[{ "name": "stamps", "input": { "event": { "a": 1 } },
        "expected": { "sent": { "body": { "a": 1 }, "headers": { "x-id": "msg_test" } } } }]"#;
    for upload in uploads {
        let manifest = Some(document("tickets.toml", "events = [\"User.*\"]\non_error = \"drop\"\n"));
        let upload = Upload { manifest, cases: Some(document("tickets.cases.json", cases)), ..upload };
        let facts = accepted(&compiler_options(), &upload).await;
        assert_eq!((facts.kind, facts.cases), (Kind::WebhookTransform, 1), "{:?}", upload.source.language);
        assert_eq!(facts.world, "claimsmith:plugin/webhook-transform");
        let manifest = Some(document("tickets.toml", "\ntoken_kinds = [\"id-token\"]\n"));
        let found = findings(&Upload { manifest, ..upload }).await;
        let [Finding { kind: FindingKind::Manifest, key: Some(key), .. }] = &*found else { panic!("{found:?}") };
        assert_eq!(key, "token_kinds");
    }
}

#[tokio::test]
async fn errors_of_syntax_come_with_line_and_column() {
    let found = findings(&upload(Language::TypeScript, "const a = 1;\nconst a = 2;\n  const a = 3;\n")).await;
    let found = serde_json::to_value(found).unwrap();
    let message = "Identifier `a` has already been declared";
    let expected = json!({
        "kind": "syntax", "message": message, "file": "tickets.ts",
        "line": 1, "column": 7, "endLine": 1, "endColumn": 8,
    });
    assert_eq!(found[0], expected);
    assert_eq!(found.as_array().unwrap().len(), 2, "{found:#}");
}

#[tokio::test]
async fn top_level_errors_are_reported_with_their_line() {
    let found = findings(&upload(Language::JavaScript, "\nthrow new Error('early');\nlet getCustomJwtClaims;")).await;
    let [Finding { kind: FindingKind::Initialization, line: Some(2), message, .. }] = &*found else {
        panic!("{found:?}")
    };
    assert!(message.contains("Error: early"), "{message}");
}

#[tokio::test]
async fn a_component_of_another_world_gets_an_error_that_names_the_mismatch() {
    let imports = r#"(component (import "evil:host/files" (instance)) (import "run" (func)))"#;
    let found = findings(&component(imports)).await;
    let told: Vec<_> = found.iter().map(|found| (found.kind, found.message.as_str())).collect();
    let import = |name: &str| format!("it imports an interface that no plugin is given: {name}");
    let (files, run) = (import("evil:host/files"), import("run"));
    assert_eq!(told, [(FindingKind::WrongWorld, files.as_str()), (FindingKind::WrongWorld, run.as_str())]);

    let found = findings(&component("(component)")).await;
    assert_eq!(found[0].kind, FindingKind::WrongWorld);
    assert!(found[0].message.contains("`get-custom-jwt-claims`"), "{found:?}");

    let found = findings(&upload(Language::Wasm, "no component")).await;
    assert_eq!(found[0].kind, FindingKind::NotAComponent);
}

#[tokio::test]
async fn a_failing_case_comes_with_expected_and_actual() {
    let cases = r#"[
      { "name": "right", "input": { "context": { "user": { "id": "u" } } }, "expected": { "claims": { "user": "u" } } },
      { "name": "wrong", "input": { "context": { "user": { "id": "u" } } }, "expected": { "claims": { "user": "v" } } },
      { "name": "denied", "input": {}, "expected": { "denied": "no" } }
    ]"#;
    let cases = Some(document("tickets.cases.json", cases));
    let found = findings(&Upload { cases, ..upload(Language::JavaScript, JAVASCRIPT) }).await;
    let found = serde_json::to_value(found).unwrap();
    assert_eq!(found.as_array().unwrap().len(), 2, "{found:#}");
    assert_eq!((&found[0]["kind"], &found[0]["case"]), (&json!("case"), &json!("wrong")));
    assert_eq!(found[0]["expected"], json!({ "claims": { "user": "v" } }));
    assert_eq!(found[0]["actual"], json!({ "claims": { "user": "u" } }));
    assert_eq!(found[1]["expected"], json!({ "denied": "no" }));
    assert!(found[1]["actual"]["failed"].as_str().unwrap().contains("tickets.js:1:"), "{found:#}");
}

#[tokio::test]
async fn all_problems_of_an_upload_are_reported_together() {
    let manifest = Some(document("tickets.toml", "order = 1\nordr = 2\n"));
    let cases = Some(document("tickets.cases.json", "[\n{ \"name\": 4 }]"));
    let found = findings(&Upload { manifest, cases, ..upload(Language::JavaScript, "const (") }).await;
    let told: Vec<_> = found.iter().map(|found| (found.kind, found.file.as_deref(), found.line)).collect();
    let expected = [
        (FindingKind::Manifest, Some("tickets.toml"), Some(2)),
        (FindingKind::Case, Some("tickets.cases.json"), Some(2)),
        (FindingKind::Syntax, Some("tickets.js"), Some(1)),
    ];
    assert_eq!(told, expected);
    assert_eq!(found[0].key.as_deref(), Some("ordr"));

    let manifest = Some(document("tickets.json", r#"{ "limits": { "memory_mib": 0 } }"#));
    let found = findings(&Upload { manifest, ..upload(Language::JavaScript, JAVASCRIPT) }).await;
    assert_eq!((found[0].kind, found[0].key.as_deref()), (FindingKind::Manifest, Some("limits.memory_mib")));
}

#[tokio::test]
async fn an_upload_that_is_too_large_starts_no_process() {
    let mut options = PluginsOptions { max_source: 10, ..compiler_options() };
    options.compiler.program = "/none".into();
    let result = Compiler::new(&options).compile(&upload(Language::JavaScript, JAVASCRIPT)).await;
    let Err(CompileError::Refused(found)) = result else { panic!("{result:?}") };
    assert_eq!(found[0].kind, FindingKind::TooLarge);
}
