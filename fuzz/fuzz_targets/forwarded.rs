//! See `claimsmith_test_support::fuzzed::forwarded`.
#![no_main]

use claimsmith_test_support::fuzzed::forwarded;

libfuzzer_sys::fuzz_target!(|text: &[u8]| {
    let _accepted = forwarded(text);
});
