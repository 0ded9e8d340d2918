//! Parses and validates the answer of a webhook transform: its size, its headers and its path.

use crate::{
    CallError, Transformed,
    bindings::transform::claimsmith::plugin::webhooks::{Changed, Outcome},
    delivery_headers, delivery_path, trap,
};

/// What counts, and the headers that were dropped.
pub(crate) struct Read {
    pub(crate) transformed: Transformed,
    pub(crate) dropped: Vec<String>,
}

/// Reads `outcome`, of which at most `limit` bytes are accepted.
pub(crate) fn read(outcome: Outcome, limit: usize) -> Result<Read, CallError> {
    let Changed { body, headers, path } = match outcome {
        Outcome::Send(changed) => changed,
        Outcome::Drop(reason) => {
            return Ok(Read { transformed: Transformed::Drop(trap::truncate_text(reason)), dropped: vec![] });
        }
    };
    let size_of_headers: usize = headers.iter().map(|(name, value)| name.len() + value.len()).sum();
    let size = body.as_ref().map_or(0, String::len) + size_of_headers + path.as_ref().map_or(0, String::len);
    if size > limit {
        let message = format!("body, headers and path have {size} bytes; at most {limit} are accepted");
        return Err(CallError::BadOutput(message));
    }
    if body.as_ref().is_some_and(|body| body.contains('\0')) {
        // Not every database keeps one, and what is sent is kept.
        return Err(CallError::BadOutput("the body contains a NUL character, which is not accepted".to_owned()));
    }
    let headers = delivery_headers::read(headers).map_err(CallError::BadOutput)?;
    let normalized = path.map(|path| {
        delivery_path::normalized(&path)
            .map_err(|why| CallError::BadOutput(format!("the path {path:?} is not accepted: {why}")))
    });
    let path = normalized.transpose()?.filter(|path| !path.is_empty());
    Ok(Read { transformed: Transformed::Send { body, headers: headers.kept, path }, dropped: headers.dropped })
}
