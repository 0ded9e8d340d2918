//! See `claimsmith_test_support::fuzzed::manifest`.
#![no_main]

use claimsmith_test_support::fuzzed::manifest;

libfuzzer_sys::fuzz_target!(|text: &[u8]| {
    let _accepted = manifest(text);
});
