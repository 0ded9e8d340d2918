//! Error messages for what stopped a guest, written for the plugin's author.

use crate::LoadError;
use wasmtime::{OutOfMemory, Trap};

/// Bytes that are kept of an error message from a guest, or about one.
const MAX_TEXT_BYTES: usize = 8 << 10;

/// What the engine's error says when more bytes crossed to the host than are allowed; its type is private.
const HOSTCALL_FUEL_EXHAUSTED: &str = "fuel allocated for hostcalls has been exhausted";

/// What the system's error says when it refuses memory (`ENOMEM`).
const ENOMEM_TEXT: &str = "(os error 12)";

/// Why the guest did not go on.
pub(crate) fn describe(error: &wasmtime::Error) -> String {
    match error.downcast_ref::<Trap>() {
        Some(Trap::StackOverflow) => "its stack overflowed: is there an endless recursion?".to_owned(),
        Some(Trap::NoAsyncResult) => "it awaits a promise that never settles".to_owned(),
        Some(trap) => trap.to_string().trim_start_matches("wasm trap: ").to_owned(),
        None => truncate_text(error.root_cause().to_string()),
    }
}

/// Whether it passed more bytes to the host in one host call than it may.
pub(crate) fn is_hostcall_fuel_exhausted(error: &wasmtime::Error) -> bool {
    error.root_cause().to_string().contains(HOSTCALL_FUEL_EXHAUSTED)
}

/// Whether the system refused memory, not the limit of a call.
pub(crate) fn is_out_of_memory(error: &wasmtime::Error) -> bool {
    error.chain().any(|cause| cause.is::<OutOfMemory>() || cause.to_string().ends_with(ENOMEM_TEXT))
}

/// A failure of the host, which no guest caused.
pub(crate) fn host_failure(error: &wasmtime::Error) -> LoadError {
    let text = format!("{error:#}");
    if is_out_of_memory(error) { LoadError::OutOfMemory(text) } else { LoadError::Internal(text) }
}

/// The beginning of `text`, if it is longer than anyone reads; without NUL, which not every database keeps.
pub(crate) fn truncate_text(mut text: String) -> String {
    if text.contains('\0') {
        text = text.replace('\0', "\u{fffd}");
    }
    if text.len() > MAX_TEXT_BYTES {
        text.truncate(text.floor_char_boundary(MAX_TEXT_BYTES));
        text.push('…');
    }
    text
}
