//! See `claimsmith_test_support::fuzzed::signature`.
#![no_main]

use claimsmith_test_support::fuzzed::signature;

libfuzzer_sys::fuzz_target!(|text: &[u8]| {
    let _accepted = signature(text);
});
