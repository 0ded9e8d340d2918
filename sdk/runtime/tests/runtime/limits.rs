//! Every limit of a call, obeyed and violated, with the error of each violation.

use crate::support::{
    MAX_MEMORY_BYTES, ample, behave, behave_with, claims, error, load, options, refusal, request, source,
};
use claimsmith_runtime::{CallError, Host, HostOptions, Language, Level, Limits, LoadError};
use serde_json::json;
use std::time::Duration;

fn deadline(millis: u64) -> Limits {
    Limits { deadline: Duration::from_millis(millis), ..Limits::default() }
}

#[tokio::test]
async fn a_call_without_end_is_ended_at_its_deadline() {
    for behaviour in ["loop", "asyncLoop", "backtrack"] {
        let call = behave_with(behaviour, &[], &deadline(60)).await;
        assert!(call.duration >= Duration::from_millis(50), "{behaviour}: {:?}", call.duration);
        assert_eq!(error(call), CallError::TimedOut(Duration::from_millis(60)), "{behaviour}");
    }
    assert!(behave_with("echo", &[], &deadline(10_000)).await.result.is_ok());
}

#[tokio::test]
async fn a_loop_does_not_hold_up_its_neighbours() {
    let limits = deadline(60_000);
    let looping = behave_with("loop", &[], &limits);
    let neighbour = async {
        for _ in 0..5 {
            assert!(behave("echo").await.result.is_ok());
        }
        "done"
    };
    tokio::select! {
        biased;
        done = neighbour => assert_eq!(done, "done"),
        call = looping => panic!("the loop ended first: {:?}", call.result),
    }
}

#[tokio::test]
async fn memory_is_counted_and_capped() {
    let limits = Limits { memory: 24 << 20, deadline: Duration::from_secs(10), ..Limits::default() };
    let call = behave_with("megabytes", &[("SIZE", "8")], &limits).await;
    assert!(call.peak_memory > 8 << 20 && call.peak_memory <= 24 << 20, "{}", call.peak_memory);
    assert_eq!(claims(call), json!({ "kept": 8 }));
    for behaviour in ["memory", "caughtMemory"] {
        let call = behave_with(behaviour, &[], &limits).await;
        assert!(call.peak_memory <= 24 << 20, "{}", call.peak_memory);
        assert_eq!(error(call), CallError::OutOfMemory(24 << 20), "{behaviour}");
    }
}

#[tokio::test]
async fn nobody_is_granted_more_memory_than_the_host_has_for_a_call() {
    let limits = Limits { memory: usize::MAX, deadline: Duration::from_secs(10), ..Limits::default() };
    assert_eq!(error(behave_with("memory", &[], &limits).await), CallError::OutOfMemory(MAX_MEMORY_BYTES));
}

#[tokio::test]
async fn an_answer_may_be_as_large_as_allowed_and_no_larger() {
    let limits = Limits { output: 1000, ..ample() };
    let fits = behave_with("size", &[("SIZE", "992")], &limits).await;
    assert!(fits.result.is_ok(), "{:?}", fits.result);
    let larger = error(behave_with("size", &[("SIZE", "993")], &limits).await);
    assert_eq!(larger, CallError::BadOutput("1001 bytes; at most 1000 are accepted".to_owned()));
    let huge = error(behave_with("size", &[("SIZE", "2000000")], &deadline(20_000)).await);
    assert_eq!(huge, CallError::BadOutput("it passed more than 131072 bytes to the host in one call".to_owned()));
}

#[tokio::test]
async fn an_answer_must_be_a_json_object() {
    for (behaviour, text) in [
        ("list", "`[1,2]`"),
        ("number", "`5`"),
        ("text_", "`\"claims\"`"),
        ("nothing", "`undefined`"),
        ("nul", "`null`"),
    ] {
        let CallError::BadOutput(error) = error(behave(behaviour).await) else { panic!("{behaviour}") };
        assert!(error.starts_with(&format!("a JSON object is expected, not {text}")), "{error}");
    }
    let CallError::BadOutput(deep) = error(behave("deepJson").await) else { panic!() };
    assert!(deep.contains("nested deeper than 64 levels"), "{deep}");
}

#[tokio::test]
async fn reserved_claims_are_dropped_and_named() {
    let call = behave("reserved").await;
    assert_eq!(call.dropped, ["sub", "iss", "act"]);
    let lines: Vec<_> = call.logs.iter().map(|line| (line.level, line.message.as_str())).collect();
    assert_eq!(lines[0], (Level::Warn, "the claim \"sub\" is reserved and was dropped"));
    assert_eq!(lines.len(), 3);
    assert_eq!(claims(call), json!({ "plan": "gold" }));
}

#[tokio::test]
async fn a_log_is_kept_up_to_its_size_and_says_when_it_was_cut() {
    let kept = behave_with("chatter", &[], &Limits { log: 200_000, ..ample() }).await;
    assert_eq!(kept.logs.len(), 1000);
    let cut = behave_with("chatter", &[], &Limits { log: 1000, ..ample() }).await;
    assert!(cut.logs.iter().map(|line| line.message.len()).sum::<usize>() < 1100);
    let last = cut.logs.last().unwrap();
    assert_eq!(
        (last.level, last.message.as_str()),
        (Level::Warn, "the log was truncated here: a call may write 1000 bytes")
    );
    assert!(cut.result.is_ok());
}

#[tokio::test]
async fn traps_are_distinguished() {
    let trapped = |text: &str| CallError::Trapped(text.to_owned());
    let overflow = trapped("its stack overflowed: is there an endless recursion?");
    assert_eq!(error(behave("dive").await), overflow);
    assert_eq!(error(behave("never").await), trapped("it awaits a promise that never settles"));
    assert!(behave("echo").await.result.is_ok());
}

#[tokio::test]
async fn top_level_code_has_limits_of_its_own() {
    let refused = |text: &'static str| async move {
        match refusal(Language::JavaScript, format!("let getCustomJwtClaims; {text}")).await {
            LoadError::Initialization(text) => text,
            error => panic!("{error:?}"),
        }
    };
    assert_eq!(refused("for (;;);").await, "top-level code ran longer than 2 s");
    let bomb = "const all = []; for (;;) all.push(new Uint8Array(1 << 20));";
    assert_eq!(refused(bomb).await, "top-level code used more than 64 MiB");
    assert!(refused("const f = () => f() + 1; f();").await.contains("its stack overflowed"));
    assert!(behave("echo").await.result.is_ok());
}

#[tokio::test]
async fn a_source_may_be_as_large_as_allowed_and_no_larger() {
    let limit = options().max_source;
    let error = refusal(Language::Wasm, vec![0; 50 << 20]).await;
    assert_eq!(error, LoadError::TooLarge { size: 50 << 20, limit });
    assert!(matches!(refusal(Language::Wasm, vec![0; limit]).await, LoadError::NotAComponent(_)));
}

#[tokio::test]
async fn calls_beyond_the_line_are_unavailable() {
    let host = Host::new(HostOptions { concurrency: 1, queue: 1, ..options() }).unwrap();
    let loop_ = wat::parse_str(crate::wasm::claims_with("(loop (br 0)) (i32.const 64)")).unwrap();
    let plugin = host.load(&source(Language::Wasm, loop_)).await.unwrap();
    let (request, long, short) = (request(&[]), deadline(3_000), deadline(100));
    // Polled in this order: the first runs, the second waits in vain, the third finds no place in line.
    let (running, waiting, third) = tokio::join!(
        biased;
        plugin.get_custom_jwt_claims(&request, &long),
        plugin.get_custom_jwt_claims(&request, &short),
        plugin.get_custom_jwt_claims(&request, &long),
    );
    assert_eq!(error(running), CallError::TimedOut(long.deadline));
    assert_eq!(error(waiting), CallError::Unavailable("no call slot became free within 2000 ms".to_owned()));
    assert_eq!(error(third), CallError::Unavailable("too many calls are waiting already".to_owned()));
    let again = plugin.get_custom_jwt_claims(&request, &short).await;
    assert_eq!(error(again), CallError::TimedOut(short.deadline));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_host_answers_while_it_compiles() {
    let text = "export const getCustomJwtClaims = () => ({ fresh: true });";
    let compiling = tokio::spawn(async move { load(Language::JavaScript, text).await.map(drop) });
    while !compiling.is_finished() {
        assert!(behave_with("echo", &[], &deadline(10_000)).await.result.is_ok());
        tokio::task::yield_now().await;
    }
    compiling.await.unwrap().unwrap();
}
