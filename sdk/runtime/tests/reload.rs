//! Reloading plugins does not leak memory. A test binary of its own, since it reads the process's memory.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use claimsmith_runtime::{ClaimsRequest, Context, Host, HostOptions, Language, Limits, Source};
use std::fs;
use std::time::Duration;

const LOADS: usize = 2000;
const MAX_GROWTH_BYTES: usize = 48 << 20;

/// Bytes of this process that are in memory.
fn resident() -> usize {
    let pages = fs::read_to_string("/proc/self/statm").unwrap();
    pages.split(' ').nth(1).unwrap().parse::<usize>().unwrap() * 4096
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn thousands_of_loads_leave_memory_flat() {
    let options = HostOptions {
        cache_dir: None,
        concurrency: 4,
        queue: 4,
        max_memory: 64 << 20,
        max_source: 1 << 20,
        parallel_compilation: true,
        metered: false,
    };
    let host = Host::new(options).unwrap();
    let (token, context, environment) = ("{}".into(), Context::default(), [].into());
    let request = ClaimsRequest { token, context, environment, http: None, cache: None };
    let limits = Limits { deadline: Duration::from_mins(1), ..Limits::default() };
    let shell = include_str!("guests/claims.wat");
    let load_all = async |from: usize, count: usize| {
        for version in from..from + count {
            // Every version is other code, so that nothing is found to be the same.
            let body = format!("(drop (i32.const {version})) (i32.const 64)");
            let bytes = wat::parse_str(shell.replace("(i32.const 64) ;; body", &body)).unwrap();
            let source = Source::new("tickets", Language::Wasm, bytes);
            let plugin = host.load(&source).await.unwrap();
            assert!(plugin.get_custom_jwt_claims(&request, &limits).await.result.is_ok());
        }
    };
    load_all(0, 200).await;
    let before = resident();
    load_all(200, LOADS).await;
    let after = resident();
    assert!(after < before + MAX_GROWTH_BYTES, "{} MiB became {} MiB", before >> 20, after >> 20);
}
