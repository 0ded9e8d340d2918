//! Merges the claims of the plugins of one token, within their size.

use claimsmith_runtime::CallError;
use serde_json::{Map, Value};
use std::io;

/// A later plugin's claim wins over an earlier one's.
pub(super) fn merge(
    earlier: &Map<String, Value>,
    later: Map<String, Value>,
    most: usize,
) -> Result<Map<String, Value>, CallError> {
    let merged = if earlier.is_empty() {
        later
    } else {
        let mut merged = earlier.clone();
        merged.extend(later);
        merged
    };
    let size = size_of(&merged);
    if size > most {
        let message = format!("with this plugin's, the claims have {size} bytes; at most {most} are accepted");
        return Err(CallError::BadOutput(message));
    }
    Ok(merged)
}

/// Bytes of the JSON text, without building it.
fn size_of(claims: &Map<String, Value>) -> usize {
    struct Count(usize);
    impl io::Write for Count {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0 += bytes.len();
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let mut count = Count(0);
    // A map of JSON values always serializes.
    if serde_json::to_writer(&mut count, claims).is_err() { usize::MAX } else { count.0 }
}
