//! A message as a request to an operator's own service.

use super::SendFailure;
use crate::delivery_queue::backoff;
use crate::egress::{Budget, Egress, Excess, Incoming, OutgoingRequest};
use crate::messages::outgoing::Outgoing;
use bytes::Bytes;
use claimsmith_domain::connector::HttpConfig;
use claimsmith_domain::documents::text::Text;
use serde_json::{Value, json};
use std::time::Duration;

/// Bytes of a response that are read; nothing of it is kept.
const MAX_RESPONSE_BYTES_READ: usize = 64 << 10;

/// Sends it.
pub(super) async fn send(
    egress: &Egress,
    config: &HttpConfig,
    message: &Outgoing,
    time: Duration,
) -> Result<(), SendFailure> {
    let mut headers = vec![
        ("content-type".to_owned(), "application/json".to_owned()),
        // The same for every attempt, so that the service can detect a repeated message.
        ("idempotency-key".to_owned(), message.id.clone()),
    ];
    headers.extend(
        config
            .authorization
            .as_ref()
            .map(|value: &Text<1, 4096>| ("authorization".to_owned(), value.as_str().to_owned())),
    );
    let request = OutgoingRequest {
        method: "POST".to_owned(),
        url: config.endpoint.as_str().to_owned(),
        headers,
        body: Some(Bytes::from(body(message).to_string())),
    };
    let budget = Budget { time, response_bytes: MAX_RESPONSE_BYTES_READ, excess: Excess::CutOff };
    let answer = egress.send(request, &budget).await?;
    if (200..300).contains(&answer.status) {
        return Ok(());
    }
    Err(wants_to_be_asked_again(&answer, message.at, format!("the service answered {}", answer.status)))
}

/// A failure after which the message is retried, at the time that the response names, if it does.
pub(super) fn wants_to_be_asked_again(answer: &Incoming, at: i64, error: String) -> SendFailure {
    let retry_after = answer.headers.iter().find(|(name, _)| name == "retry-after");
    let hold = retry_after.and_then(|(_, value)| backoff::retry_after(value, at));
    SendFailure { hold, ..SendFailure::later(error) }
}

/// `{to, type, payload: {code, link?, locale?, application?, organization?, user?}, ip?}`.
fn body(message: &Outgoing) -> Value {
    let mut payload = message.values();
    let ip = payload.as_object_mut().and_then(|members| members.remove("ip"));
    let mut body = json!({ "to": message.recipient, "type": message.template.as_str(), "payload": payload });
    if let (Some(members), Some(ip)) = (body.as_object_mut(), ip) {
        members.insert("ip".to_owned(), ip);
    }
    body
}
