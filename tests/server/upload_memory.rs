//! Memory of uploads: how often a large plugin is held at once, while it arrives, is stored and compiled.

use crate::BINARY;
use claimsmith_test_support::{Answer, Home, Process, both};
use reqwest::{Method, header::CONTENT_TYPE};
use std::sync::Arc;

/// Bytes of the plugin, near the limit (`plugins.max_source_mib`, 40).
const SIZE: usize = 39 << 20;
/// The most that one upload adds to the server's memory, in sizes of the plugin: its body, and the copies that a
/// database and its driver make to write it (of 24 beside a compiler, at most 4.2).
const MAX_COPIES: u64 = 6;
/// The same for the first upload (4.1 to 4.3): the server is still starting, and what that takes is counted too.
const MAX_COPIES_AT_START: u64 = 8;

both!(a_large_upload_is_held_in_few_copies, async |home: Arc<Home>| {
    let server = Process::start(BINARY, &home, &[]).await.unwrap();
    let management = server.management().await;
    let text = include_str!("../../sdk/runtime/tests/guests/claims.wat");
    for round in 0..=3 {
        // A custom section, which nobody reads, makes it as large as it is to be, and another one in each round.
        let padding = format!("(component (@custom \"round {round}\" \"{}\")", "x".repeat(SIZE));
        let component = wat::parse_str(text.replacen("(component", &padding, 1)).unwrap();
        server.reset_peak_memory();
        let before = server.resident_memory();
        let request = management.request(Method::PUT, "/api/plugins/large").header(CONTENT_TYPE, "application/wasm");
        Answer::of(request.body(component)).await.expect(201);
        let added = server.peak_memory().saturating_sub(before);
        println!("upload {round} added {} MiB", added >> 20);
        let copies = if round == 0 { MAX_COPIES_AT_START } else { MAX_COPIES };
        assert!(added <= copies * SIZE as u64, "upload {round} added {} MiB", added >> 20);
    }
});
