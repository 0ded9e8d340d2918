//! WebAssembly plugins: components and core modules of the plugin worlds, and the errors of all other files.

use crate::support::{ample, claims, error, load, refusal, request};
use claimsmith_runtime::{Call, CallError, Kind, Language, Level, Limits, LoadError, componentize};
use serde_json::json;
use std::time::Duration;
use wit_component::{StringEncoding, embed_component_metadata};

const CLAIMS: &str = include_str!("../guests/claims.wat");

/// The hand-written component with another body.
pub(crate) fn claims_with(body: &str) -> String {
    let changed = CLAIMS.replace("(i32.const 64) ;; body", body);
    assert_ne!(changed, CLAIMS);
    changed
}

async fn call(text: &str, limits: &Limits) -> Call {
    let plugin = load(Language::Wasm, wat::parse_str(text).unwrap()).await.unwrap();
    plugin.get_custom_jwt_claims(&request(&[]), limits).await
}

async fn call_with(body: &str) -> Call {
    call(&claims_with(body), &ample()).await
}

async fn wrong_world(text: &str) -> String {
    match refusal(Language::Wasm, wat::parse_str(text).unwrap()).await {
        error @ (LoadError::WrongWorld(_) | LoadError::UnknownImports(_)) => error.to_string(),
        error => panic!("{error:?}"),
    }
}

async fn not_a_component(bytes: impl Into<Vec<u8>>) -> String {
    match refusal(Language::Wasm, bytes).await {
        LoadError::NotAComponent(text) => text,
        error => panic!("{error:?}"),
    }
}

#[tokio::test]
async fn a_component_answers() {
    let bytes = wat::parse_str(CLAIMS).unwrap();
    let plugin = load(Language::Wasm, bytes).await.unwrap();
    assert_eq!(plugin.kind(), Kind::Claims);
    assert!(plugin.digest().starts_with("sha256:") && plugin.digest().len() == 71);
    assert_eq!(plugin.imports(), ["claimsmith:plugin/types", "claimsmith:plugin/log", "claimsmith:plugin/random"]);
    let call = plugin.get_custom_jwt_claims(&request(&[("A", "b")]), &ample()).await;
    assert_eq!(call.peak_memory, 2 << 16);
    assert_eq!(claims(call), json!({ "answer": 42.5 }));
    assert_eq!(error(call_with("(i32.const 80)").await), CallError::Denied("no ticket".to_owned()));
}

#[tokio::test]
async fn a_component_that_misbehaves_is_ended() {
    let trapped = |text: &str| CallError::Trapped(text.to_owned());
    assert_eq!(error(call_with("unreachable").await), trapped("wasm `unreachable` instruction executed"));
    let overflow = trapped("its stack overflowed: is there an endless recursion?");
    assert_eq!(error(call_with("(call $deep (i32.const 0))").await), overflow);
    let limits = Limits { deadline: Duration::from_millis(200), ..Limits::default() };
    let timed_out = CallError::TimedOut(limits.deadline);
    assert_eq!(error(call(&claims_with("(loop (br 0)) (i32.const 64)"), &limits).await), timed_out);
    let grow = "(drop (memory.grow (i32.const 2000))) (i32.const 64)";
    assert_eq!(error(call_with(grow).await), CallError::OutOfMemory(64 << 20));
    assert_eq!(call_with("(drop (memory.grow (i32.const 100))) (i32.const 64)").await.peak_memory, 102 << 16);
}

#[tokio::test]
async fn an_answer_that_is_not_one_is_refused() {
    let out_of_bounds = error(call_with("(i32.store (i32.const 72) (i32.const 0x7fffffff)) (i32.const 64)").await);
    assert!(matches!(out_of_bounds, CallError::Trapped(_) | CallError::BadOutput(_)), "{out_of_bounds:?}");
    let whole_page =
        "(i32.store (i32.const 68) (i32.const 0x10000)) (i32.store (i32.const 72) (i32.const 0x10000)) (i32.const 64)";
    let page = error(call_with(whole_page).await);
    assert!(matches!(page, CallError::BadOutput(_)), "{page:?}");
    let not_utf8 = "(i32.store8 (i32.const 1026) (i32.const 255)) (i32.const 64)";
    assert!(matches!(error(call_with(not_utf8).await), CallError::Trapped(text) if text.contains("utf-8")));
    let not_json = "(i32.store8 (i32.const 1024) (i32.const 120)) (i32.const 64)";
    assert!(matches!(error(call_with(not_json).await), CallError::BadOutput(_)));
}

#[tokio::test]
async fn host_functions_are_bounded() {
    let logged = call_with("(call $write (i32.const 2) (i32.const 2048) (i32.const 9)) (i32.const 64)").await;
    assert_eq!((logged.logs[0].level, logged.logs[0].message.as_str()), (Level::Warn, "no ticket"));
    let flood = "(loop (call $write (i32.const 0) (i32.const 0) (i32.const 0)) (br 0)) (i32.const 64)";
    let limits = Limits { deadline: Duration::from_millis(200), log: 100, ..Limits::default() };
    let flooded = call(&claims_with(flood), &limits).await;
    assert_eq!(flooded.logs.len(), 4, "two empty lines of 64 bytes around them, the one that was cut, and the remark");
    assert!(call_with("(call $bytes (i32.const 4096) (i32.const 128)) (i32.const 64)").await.result.is_ok());
    let CallError::Trapped(text) =
        error(call_with("(call $bytes (i32.const 4097) (i32.const 128)) (i32.const 64)").await)
    else {
        panic!()
    };
    assert_eq!(text, "random.bytes gives at most 4096 bytes a call, not 4097");
}

#[tokio::test]
async fn a_core_module_that_carries_its_wit_is_a_plugin() {
    let module = r#"(module
      (memory (export "memory") 1)
      (func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) (i32.const 4096))
      (func (export "get-custom-jwt-claims") (param i32) (result i32) (i32.const 64))
      (data (i32.const 64) "\00\00\00\00\00\04\00\00\0a\00\00\00")
      (data (i32.const 1024) "{\"ok\":true}"))"#;
    let module = module.replace("\\0a\\00", "\\0b\\00");
    let mut bytes = wat::parse_str(module).unwrap();
    let bare = not_a_component(bytes.clone()).await;
    assert!(bare.contains("a core module without its WIT"), "{bare}");
    let mut resolve = wit_parser::Resolve::default();
    let (package, _) = resolve.push_path("../../wit").unwrap();
    let world = resolve.select_world(&[package], Some("claims")).unwrap();
    embed_component_metadata(&mut bytes, &resolve, world, StringEncoding::UTF8).unwrap();
    let plugin = load(Language::Wasm, bytes).await.unwrap();
    let call = plugin.get_custom_jwt_claims(&request(&[]), &ample()).await;
    assert_eq!(claims(call), json!({ "ok": true }));
}

#[tokio::test]
async fn what_a_core_module_prints_is_logged_as_text() {
    // "a", half a character, "é€😀", a surrogate, "/" written too long, "z", and the beginning of a character.
    let printed = r"a\c3b\c3\a9\e2\82\ac\f0\9f\98\80\ed\a0\80\c0\afz\e2\82";
    let module = format!(
        r#"(module
          (import "wasi_snapshot_preview1" "fd_write" (func $write (param i32 i32 i32 i32) (result i32)))
          (memory (export "memory") 1)
          (func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) (i32.const 4096))
          (func (export "get-custom-jwt-claims") (param i32) (result i32)
            (drop (call $write (i32.const 2) (i32.const 32) (i32.const 2) (i32.const 48)))
            (i32.const 64))
          (data (i32.const 32) "\00\08\00\00\14\00\00\00\00\00\00\00\00\00\00\00")
          (data (i32.const 64) "\00\00\00\00\00\04\00\00\02\00\00\00")
          (data (i32.const 1024) "{{}}")
          (data (i32.const 2048) "{printed}"))"#
    );
    let component = componentize(&wat::parse_str(module).unwrap(), Kind::Claims).unwrap();
    let plugin = load(Language::Wasm, component).await.unwrap();
    let call = plugin.get_custom_jwt_claims(&request(&[]), &ample()).await;
    let logged: Vec<_> = call.logs.iter().map(|line| (line.level, line.message.as_str())).collect();
    assert_eq!(logged, ["a", "bé€😀", "z"].map(|text| (Level::Error, text)));
    assert_eq!(claims(call), json!({}));
}

#[tokio::test]
async fn a_component_of_another_world_is_refused_by_name() {
    let nothing = wrong_world("(component)").await;
    assert_eq!(nothing, "it exports none of `get-custom-jwt-claims`, `transform` and `compose`; it exports nothing");
    let foreign = r#"(component (import "wasi:cli/stdin@0.2.0" (instance)) (import "evil:host/files" (instance)) (import "run" (func)))"#;
    assert_eq!(wrong_world(foreign).await, "it imports interfaces that no plugin is given: evil:host/files, run");
    let loader = r#"(component (import "local:init/module-loader" (instance)))"#;
    assert_eq!(wrong_world(loader).await, "it imports interfaces that no plugin is given: local:init/module-loader");
    let handler = r#"(component (import "wasi:http/types@0.2.3" (instance)))"#;
    let told = wrong_world(handler).await;
    assert!(told.starts_with("it imports `wasi:http/types`, which no plugin is given. ComponentizeJS"), "{told}");
    let exporting = |name: &str| format!(r#"(component (instance $i) (export "{name}" (instance $i)))"#);
    let told = wrong_world(&exporting("wasi:http/incoming-handler@0.2.3")).await;
    assert!(told.starts_with("it is an HTTP handler") && told.contains("--disable http"), "{told}");
    let told = wrong_world(&exporting("wasi:cli/run@0.2.0")).await;
    assert!(told.starts_with("it is a WASI command"), "{told}");
    let unknown = CLAIMS
        .replace("(component\n", "(component (import \"wasi:unknown/thing@0.2.0\" (instance (export \"f\" (func)))) ");
    assert!(wrong_world(&unknown).await.contains("wasi:unknown/thing@0.2.0"));
    let other_type = r#"(component
      (core module $m (func (export "f")))
      (core instance $i (instantiate $m))
      (func $f (canon lift (core func $i "f")))
      (export "get-custom-jwt-claims" (func $f)))"#;
    assert!(wrong_world(other_type).await.starts_with("it does not fit the world `claims`"));
}

#[tokio::test]
async fn what_is_not_webassembly_is_refused() {
    for bytes in [&b""[..], b"\0as", b"export const getCustomJwtClaims", CLAIMS.as_bytes(), &[0; 4096]] {
        assert!(not_a_component(bytes).await.starts_with("the file is not WebAssembly"));
    }
    assert!(not_a_component(&b"\0asm\x02\0\0\0"[..]).await.contains("a version of WebAssembly"));
    let mut cut = wat::parse_str(CLAIMS).unwrap();
    cut.truncate(cut.len() / 2);
    let told = not_a_component(cut).await;
    assert!(told.starts_with("the component is not valid (it ends too early, or was changed)"), "{told}");
    let extism = r#"(module (import "extism:host/env" "input_length" (func (result i64))))"#;
    let told = not_a_component(wat::parse_str(extism).unwrap()).await;
    assert!(told.contains("an Extism plugin, not a component"), "{told}");
    // Tools that make a component of a core module refuse the same files with the same words.
    let LoadError::NotAComponent(built) = componentize(&wat::parse_str(extism).unwrap(), Kind::Claims).unwrap_err()
    else {
        panic!()
    };
    assert_eq!(built, told);
    let command =
        r#"(module (import "wasi_snapshot_preview1" "proc_exit" (func (param i32))) (func (export "_start")))"#;
    let built = componentize(&wat::parse_str(command).unwrap(), Kind::Claims).unwrap_err().to_string();
    assert!(built.contains("a WASI command") && built.contains("without `main`"), "{built}");
}

#[tokio::test]
async fn a_component_that_does_not_start_is_refused() {
    let start = |body: &str| CLAIMS.replace("(func $deep", &format!("(start $start) (func $start {body}) (func $deep"));
    let refused = |text: String| async move {
        match refusal(Language::Wasm, wat::parse_str(text).unwrap()).await {
            LoadError::Initialization(text) => text,
            error => panic!("{error:?}"),
        }
    };
    assert_eq!(refused(start("unreachable")).await, "it does not start: wasm `unreachable` instruction executed");
    assert_eq!(refused(start("(loop (br 0))")).await, "it does not start within 2 s");
    let sum =
        CLAIMS.replace("(func $deep", "(memory $second 600) (func $deep").replace("\"memory\") 2)", "\"memory\") 600)");
    assert_eq!(refused(sum).await, "it needs more than 64 MiB of memory to start");
}
