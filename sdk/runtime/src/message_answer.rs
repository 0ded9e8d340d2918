//! Validates the answer of a message plugin: its size, its headers, and that the request was granted.

use crate::{
    CallError, HttpCapability, MessageRequest, bindings::message::claimsmith::plugin::messages::MessageRequest as Wit,
    delivery_headers, manifest::not_granted,
};
use url::Url;

/// What counts, and the headers that were dropped.
pub(crate) struct Read {
    pub(crate) request: MessageRequest,
    pub(crate) dropped: Vec<String>,
}

/// Reads `answer`, of which at most `limit` bytes are accepted. `http` is what the plugin may send.
pub(crate) fn read(answer: Wit, limit: usize, http: Option<&HttpCapability>) -> Result<Read, CallError> {
    let Wit { method, url, headers, body } = answer;
    let size_of_headers: usize = headers.iter().map(|(name, value)| name.len() + value.len()).sum();
    let size = method.len() + url.len() + size_of_headers + body.as_ref().map_or(0, String::len);
    if size > limit {
        return Err(CallError::BadOutput(format!("the request has {size} bytes; at most {limit} are accepted")));
    }
    let url = Url::parse(&url).map_err(|error| CallError::BadOutput(format!("the URL cannot be read: {error}")))?;
    let refusal = match http {
        Some(http) => http.refusal(&method, &url),
        None => Some(not_granted(&method, &url)),
    };
    if let Some(refusal) = refusal {
        return Err(CallError::BadOutput(refusal));
    }
    if body.is_some() && matches!(method.as_str(), "GET" | "HEAD") {
        return Err(CallError::BadOutput(format!("{method} has no body")));
    }
    let headers = delivery_headers::read(headers).map_err(CallError::BadOutput)?;
    let request = MessageRequest { method, url: url.into(), headers: headers.kept, body };
    Ok(Read { request, dropped: headers.dropped })
}
