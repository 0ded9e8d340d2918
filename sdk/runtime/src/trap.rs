//! Words for what stopped a guest, as its author reads them.

use crate::LoadError;
use wasmtime::{OutOfMemory, Trap};

/// Bytes of a text from a guest, or about one, that are kept.
const LONGEST: usize = 8 << 10;

/// How the engine words that more bytes crossed to the host than are allowed; its type for it is private.
const TOO_MUCH_AT_ONCE: &str = "fuel allocated for hostcalls has been exhausted";

/// How the system words that it has no more memory, or that this process may have no more (`ENOMEM`).
const NO_MEMORY: &str = "(os error 12)";

/// Why the guest did not go on.
pub(crate) fn describe(error: &wasmtime::Error) -> String {
    match error.downcast_ref::<Trap>() {
        Some(Trap::StackOverflow) => "its stack overflowed: is there a recursion without end?".to_owned(),
        Some(Trap::NoAsyncResult) => "it awaits a promise that never settles".to_owned(),
        Some(trap) => trap.to_string().trim_start_matches("wasm trap: ").to_owned(),
        None => cut(error.root_cause().to_string()),
    }
}

/// Whether it passed more bytes to the host at once than it may.
pub(crate) fn is_too_much_at_once(error: &wasmtime::Error) -> bool {
    error.root_cause().to_string().contains(TOO_MUCH_AT_ONCE)
}

/// Whether the system refused memory, not the limit of a call.
pub(crate) fn is_out_of_memory(error: &wasmtime::Error) -> bool {
    error.chain().any(|cause| cause.is::<OutOfMemory>() || cause.to_string().ends_with(NO_MEMORY))
}

/// What stopped the host where no guest has a part.
pub(crate) fn host_failure(error: &wasmtime::Error) -> LoadError {
    let text = format!("{error:#}");
    if is_out_of_memory(error) { LoadError::OutOfMemory(text) } else { LoadError::Internal(text) }
}

/// The beginning of `text`, if it is longer than anyone reads; without NUL, which not every database keeps.
pub(crate) fn cut(mut text: String) -> String {
    if text.contains('\0') {
        text = text.replace('\0', "\u{fffd}");
    }
    if text.len() > LONGEST {
        text.truncate(text.floor_char_boundary(LONGEST));
        text.push('…');
    }
    text
}
