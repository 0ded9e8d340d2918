//! Failures of the compiler process: uploads beyond its limits, crashes, and a full queue. Each is reported, and none
//! stops the server.

use crate::support::{Server, compiler_options, document, upload, version};
use claimsmith_runtime::{Language, MAX_COMPILED_BYTES};
use claimsmith_services::plugins::compile::{Accepted, CompileError, Finding, FindingKind, Upload};
use claimsmith_services::plugins::{Compiler, CompilerOptions, PluginsOptions, State};
use serde_json::json;
use std::{
    fs,
    io::{Read, Write},
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::Duration,
};
use tempfile::TempDir;

/// Keeps its compiler busy for as long as top-level code may run.
const BUSY: &str = "export const getCustomJwtClaims = () => ({});\nfor (;;);";

fn with(change: impl FnOnce(&mut CompilerOptions)) -> PluginsOptions {
    let mut options = compiler_options();
    change(&mut options.compiler);
    options
}

fn finding(result: Result<Accepted, CompileError>) -> Finding {
    match result {
        Err(CompileError::Refused(mut findings)) if findings.len() == 1 => findings.remove(0),
        other => panic!("{other:?}"),
    }
}

/// The binary under a name of its own, by which its process can be found.
fn named_binary() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let path = folder.path().join("compiler");
    fs::hard_link(env!("CARGO_BIN_EXE_claimsmith"), &path).unwrap();
    (folder, path)
}

/// The folder below `/proc` of the process that runs this program.
async fn process_of(program: &Path) -> PathBuf {
    loop {
        let processes = fs::read_dir("/proc").unwrap().map(|entry| entry.unwrap().path());
        let mut found = processes.filter(|path| fs::read_link(path.join("exe")).is_ok_and(|exe| exe == program));
        if let Some(process) = found.next() {
            return process;
        }
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
}

#[tokio::test]
async fn what_needs_too_much_memory_is_refused_for_it() {
    let server = Server::with(&[("a.js", &version(1))]).await;
    for mebibytes in [20, 28, 40] {
        // The runtime of a script is compiled before, by whoever asks: what is left to compile is small.
        let folder = tempfile::tempdir().unwrap();
        let mut options = with(|compiler| compiler.memory = mebibytes << 20);
        options.cache_dir = Some(folder.path().join("cache"));
        let found = finding(Compiler::new(&options).compile(&upload(Language::JavaScript, version(2))).await);
        assert_eq!(found.kind, FindingKind::Memory, "{mebibytes} MiB: {found:?}");
        assert!(found.message.contains("memory"), "{found:?}");
    }
    assert_eq!(server.claims().await, json!({ "version": 1 }));
}

#[tokio::test]
async fn what_takes_too_long_is_refused_for_it() {
    let options = with(|compiler| compiler.timeout = Duration::from_millis(1));
    let found = finding(Compiler::new(&options).compile(&upload(Language::JavaScript, BUSY)).await);
    assert_eq!(found.kind, FindingKind::Timeout);
    assert!(found.message.contains("within 0.001 s"), "{found:?}");
}

#[tokio::test]
async fn one_upload_compiles_the_next_waits_and_one_more_is_busy() {
    let compiler = Compiler::new(&with(|compiler| compiler.queue = 1));
    let (first, second) = (upload(Language::JavaScript, BUSY), upload(Language::JavaScript, version(2)));
    let (first, second, third) =
        tokio::join!(compiler.compile(&first), compiler.compile(&second), compiler.compile(&second));
    assert_eq!(finding(first).kind, FindingKind::Initialization);
    assert!(second.is_ok(), "{second:?}");
    assert!(matches!(third, Err(CompileError::Busy)), "{third:?}");
    assert!(compiler.compile(&upload(Language::JavaScript, version(2))).await.is_ok());
}

#[tokio::test]
async fn a_compiler_that_is_killed_is_a_finding_and_no_crash() {
    let server = Server::with(&[("a.js", &version(1))]).await;
    let (_folder, program) = named_binary();
    let compiler = Compiler::new(&with(|compiler| compiler.program.clone_from(&program)));
    let busy = upload(Language::JavaScript, BUSY);
    let kill = async {
        let process = process_of(&program).await;
        let id = process.file_name().unwrap().to_owned();
        assert!(Command::new("kill").arg("-KILL").arg(id).status().unwrap().success());
    };
    let (result, ()) = tokio::join!(compiler.compile(&busy), kill);
    let found = finding(result);
    assert_eq!(found.kind, FindingKind::Crash);
    assert!(found.message.starts_with("the compiler crashed"), "{found:?}");
    // Neither the server nor the compiler minds.
    assert_eq!(server.claims().await, json!({ "version": 1 }));
    assert!(compiler.compile(&upload(Language::JavaScript, version(2))).await.is_ok());
}

#[tokio::test]
async fn the_compiler_knows_no_secret_and_stands_back() {
    let (_folder, program) = named_binary();
    let compiler = Compiler::new(&with(|compiler| compiler.program.clone_from(&program)));
    let busy = upload(Language::JavaScript, BUSY);
    let look = async {
        let process = process_of(&program).await;
        let memory = (compiler_options().compiler.memory).to_string();
        loop {
            let limits = fs::read_to_string(process.join("limits")).unwrap();
            let line = |name: &str| limits.lines().find(|line| line.starts_with(name)).unwrap().to_owned();
            if line("Max data size").contains(&memory) {
                assert!(line("Max core file size").contains(" 0 "), "{limits}");
                assert!(line("Max file size").contains(&MAX_COMPILED_BYTES.to_string()), "{limits}");
                break;
            }
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        // It has shut itself in: a filter of system calls, and no privilege can come of what it starts.
        loop {
            let status = fs::read_to_string(process.join("status")).unwrap();
            if status.contains("Seccomp:\t2") {
                assert!(status.contains("NoNewPrivs:\t1"), "{status}");
                break;
            }
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        // Nothing but settings of the allocator.
        let settings = b"MIMALLOC_ARENA_EAGER_COMMIT=0\0MIMALLOC_EAGER_COMMIT=0\0";
        assert_eq!(fs::read(process.join("environ")).unwrap(), settings);
        let nice = |process: &Path| -> i32 {
            let stat = fs::read_to_string(process.join("stat")).unwrap();
            stat.split_whitespace().nth(18).unwrap().parse().unwrap()
        };
        assert_eq!(nice(&process), (nice(Path::new("/proc/self")) + 10).min(19));
        let score = fs::read_to_string(process.join("oom_score_adj")).unwrap();
        assert_eq!(score.trim(), "1000");
        process
    };
    let (_, process) = tokio::join!(compiler.compile(&busy), look);
    assert!(!process.exists(), "it outlived its job");
}

#[tokio::test]
async fn a_caller_that_gives_up_takes_the_compiler_along() {
    let (_folder, program) = named_binary();
    let compiler = Compiler::new(&with(|compiler| compiler.program.clone_from(&program)));
    let busy = upload(Language::JavaScript, BUSY);
    let process = tokio::select! {
        result = compiler.compile(&busy) => panic!("{result:?}"),
        process = process_of(&program) => process,
    };
    // A process that ended keeps its entry until it is asked how, but no program.
    while fs::read_link(process.join("exe")).is_ok() {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    assert!(compiler.compile(&upload(Language::JavaScript, version(2))).await.is_ok());
}

/// A compiler that starts a process of its own, writes its id to the file `started` beside itself, and ends so.
fn forking_compiler(folder: &Path, ends: &str) -> (PathBuf, PathBuf) {
    let (path, started) = (folder.join("compiler"), folder.join("started"));
    let note = format!("echo $! > {0}.part; mv {0}.part {0}", started.display());
    fs::write(&path, format!("#!/bin/sh\nsleep 600 > /dev/null 2>&1 &\n{note}\n{ends}\n")).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o700)).unwrap();
    (path, started)
}

#[tokio::test]
async fn what_a_compiler_started_ends_with_it() {
    for ends in ["wait", "exit 1"] {
        let folder = tempfile::tempdir().unwrap();
        let (program, started) = forking_compiler(folder.path(), ends);
        let compiler = Compiler::new(&with(|compiler| compiler.program = program));
        let until_started = async {
            while !started.exists() {
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
        };
        let upload = upload(Language::Wasm, "x");
        if ends == "wait" {
            // Its caller gives up.
            tokio::select! {
                result = compiler.compile(&upload) => panic!("{result:?}"),
                () = until_started => {}
            }
        } else {
            let failed = compiler.compile(&upload).await;
            assert!(matches!(failed, Err(CompileError::Unavailable(_))), "{failed:?}");
        }
        let process = Path::new("/proc").join(fs::read_to_string(&started).unwrap().trim());
        // Whoever adopted it may not have asked how it ended, but it has no program any more.
        while fs::read_link(process.join("exe")).is_ok() {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    }
}

#[test]
fn a_server_that_dies_takes_the_compiler_along() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_claimsmith"));
    child.env("MIMALLOC_ARENA_EAGER_COMMIT", "0").env("MIMALLOC_EAGER_COMMIT", "0");
    let mut child = child.arg("compile-plugin").stdin(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let limits = json!({ "deadline": { "secs": 1, "nanos": 0 }, "memory": 64 << 20, "output": 1024, "log": 1024 });
    let header = json!({
        "name": "tickets", "language": "javascript", "size": BUSY.len(), "digest": "sha256:0", "manifest": null,
        "cases": null, "metered": false,
        "setting": { "cache_dir": compiler_options().cache_dir, "max_source": 1024, "limits": limits, "bounds": limits,
            "memory": 1 << 30, "timeout": { "secs": 60, "nanos": 0 } },
    });
    let mut stdin = child.stdin.take().unwrap();
    write!(stdin, "{header}\n{BUSY}").unwrap();
    drop(stdin);
    let mut complaint = String::new();
    child.stderr.take().unwrap().read_to_string(&mut complaint).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(1));
    assert!(complaint.contains("the server process is gone"), "{complaint}");
}

#[tokio::test]
async fn a_compiler_that_cannot_work_is_no_fault_of_the_upload() {
    let good = upload(Language::JavaScript, version(1));
    let missing = Compiler::new(&with(|compiler| compiler.program = "/none".into())).compile(&good).await;
    assert!(matches!(missing, Err(CompileError::Unavailable(_))), "{missing:?}");
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("file"), "").unwrap();
    let options = PluginsOptions { cache_dir: Some(folder.path().join("file")), ..compiler_options() };
    let blocked = Compiler::new(&options).compile(&good).await;
    let Err(CompileError::Unavailable(why)) = blocked else { panic!("{blocked:?}") };
    assert!(why.contains("the cache folder"), "{why}");
}

/// A compiler that never answers.
fn silent_compiler(folder: &Path) -> PathBuf {
    let path = folder.join("compiler");
    fs::write(&path, "#!/bin/sh\nexec sleep 600\n").unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o700)).unwrap();
    path
}

#[tokio::test]
async fn what_the_folder_holds_is_compiled_beside_everything_else() {
    let files = [("a.js", &*version(41))];
    // Compiled and kept.
    drop(Server::with(&files).await);
    let folder = tempfile::tempdir().unwrap();
    let program = silent_compiler(folder.path());
    let server = Server::with_options(&files, |mut options| {
        options.compiler.program = program;
        options
    });
    // What is kept needs no compiler.
    let server = server.await;
    assert_eq!(server.claims().await, json!({ "version": 41 }));
    server.write("new.js", &format!("// {:?}\n{}", folder.path(), version(42)));
    server.write("a.toml", "enabled = false\n");
    server.until_plugin("a", "is disabled", |status| status.state == State::Disabled).await;
    assert!(server.status("new").is_none(), "it is being compiled");
    server.remove("a.toml");
    server.until_plugin("a", "serves again", |status| status.state == State::Active).await;
    assert!(server.status("new").is_none(), "it is being compiled still");
}

#[tokio::test]
async fn nothing_of_the_folder_is_compiled_by_the_server_itself() {
    let server = Server::with_options(&[], |mut options| {
        options.compiler.program = "/none".into();
        options
    });
    let server = server.await;
    server.write("new.js", &format!("// {:?}\n{}", server.path(""), version(43)));
    server.until_plugin("new", "is refused", |status| status.last_error.is_some()).await;
    let error = server.status("new").unwrap().last_error.unwrap();
    assert!(error.starts_with("plugins cannot be compiled"), "{error}");
}

#[tokio::test]
async fn a_report_is_never_longer_than_is_read() {
    let answer = "x".repeat(14 << 10);
    let source = format!("export const getCustomJwtClaims = () => ({{ answer: '{answer}' }});");
    let case = |n: u32| json!({ "name": n.to_string(), "input": {}, "expected": { "claims": { "n": n } } });
    let cases: Vec<_> = (0..100).map(case).collect();
    let cases = Some(document("tickets.cases.json", &serde_json::to_string(&cases).unwrap()));
    let result =
        Compiler::new(&compiler_options()).compile(&Upload { cases, ..upload(Language::JavaScript, source) }).await;
    let Err(CompileError::Refused(found)) = result else { panic!("{result:?}") };
    assert_eq!(found.len(), 21);
    assert_eq!(found[20].message, "80 more cases failed");
}
