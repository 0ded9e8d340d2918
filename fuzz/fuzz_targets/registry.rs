//! See `claimsmith_test_support::fuzzed::registry`.
#![no_main]

use claimsmith_test_support::fuzzed::registry;

libfuzzer_sys::fuzz_target!(|text: &[u8]| {
    let _accepted = registry(text);
});
