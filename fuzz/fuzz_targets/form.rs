//! See `claimsmith_test_support::fuzzed::form`.
#![no_main]

use claimsmith_test_support::fuzzed::form;

libfuzzer_sys::fuzz_target!(|text: &[u8]| {
    let _accepted = form(text);
});
