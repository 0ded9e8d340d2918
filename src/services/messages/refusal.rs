//! Reasons why a message is refused before it is queued.

use claimsmith_domain::api_code::ApiCode;
use claimsmith_domain::documents::message::MessageChannel;
use std::borrow::Cow;
use std::error::Error;

/// The reason that there is no message.
#[derive(Debug)]
pub enum MessageRefusal {
    /// There is no connector for this channel: 501 `connector.not_found`.
    NoConnector(MessageChannel),
    /// The recipient got too many; retry after so many milliseconds: 429 `request.message_rate_limited`.
    RateLimited(i64),
    /// The server failed.
    Failed(Box<dyn Error + Send + Sync>),
}

crate::from_failures!(MessageRefusal, |error| Self::Failed(Box::new(error)));

impl MessageRefusal {
    /// The error code.
    #[must_use]
    pub const fn code(&self) -> ApiCode {
        match self {
            Self::NoConnector(_) => ApiCode::ConnectorNotFoundChannel,
            Self::RateLimited(_) => ApiCode::RequestMessageRateLimited,
            Self::Failed(_) => ApiCode::ServerError,
        }
    }

    /// For developers of clients; the pages have their own texts.
    #[must_use]
    pub fn message(&self) -> Cow<'static, str> {
        match self {
            Self::NoConnector(MessageChannel::Email) => "There is no connector that sends emails.".into(),
            Self::NoConnector(MessageChannel::Sms) => "There is no connector that sends text messages.".into(),
            Self::RateLimited(wait) => {
                let minutes = wait.unsigned_abs().div_ceil(60_000);
                format!("Too many messages were sent to this recipient. Try again in {minutes} minutes.").into()
            }
            Self::Failed(_) => "Internal server error.".into(),
        }
    }
}
