//! See `claimsmith_test_support::fuzzed::json_text`.
#![no_main]

use claimsmith_test_support::fuzzed::json_text;

libfuzzer_sys::fuzz_target!(|text: &[u8]| {
    let _accepted = json_text(text);
});
