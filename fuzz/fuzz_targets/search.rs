//! See `claimsmith_test_support::fuzzed::list_search`.
#![no_main]

use claimsmith_test_support::fuzzed::list_search;

libfuzzer_sys::fuzz_target!(|text: &[u8]| {
    let _accepted = list_search(text);
});
