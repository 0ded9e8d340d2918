//! Hot reload while tokens are issued: the short form of `cargo bench --bench hot_swap`.

use crate::BINARY;
use claimsmith_test_support::{Home, HotSwap, Process, both};
use std::sync::Arc;

both!(no_request_fails_while_plugins_change, async |home: Arc<Home>| {
    let server = Arc::new(Process::start(BINARY, &home, &[]).await.unwrap());
    let swapped = HotSwap { reloads: 24, uploads: 4, warm_up: 8, load: 4 }.run(&server, &home).await;
    assert_eq!(swapped.failures, Vec::<String>::new(), "{}", server.stderr.text());
    assert!(swapped.exchanges > 24, "{} tokens were issued meanwhile", swapped.exchanges);
    // Far above what the benchmark asks for: a process that has just started still fills its pools.
    assert!(swapped.growth() < 1.5, "memory grew from {} to {}", swapped.memory_before, swapped.memory_after);
});
