//! An HTTP response, read whole, with assertions.

use reqwest::header::{CACHE_CONTROL, HeaderMap};
use serde_json::Value;
use std::ops::Index;

/// An answer of the server.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The status code.
    pub status: u16,
    /// The headers.
    pub headers: HeaderMap,
    /// The body when it is JSON, else its text; null when it is empty.
    pub body: Value,
}

impl Answer {
    /// Sends a request and reads the answer.
    pub async fn of(request: reqwest::RequestBuilder) -> Self {
        Self::try_of(request).await.unwrap()
    }

    /// The same; the error is the connection's.
    pub async fn try_of(request: reqwest::RequestBuilder) -> reqwest::Result<Self> {
        let response = request.send().await?;
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        let text = response.text().await?;
        let body = match serde_json::from_str(&text) {
            Ok(value) => value,
            Err(_) if text.is_empty() => Value::Null,
            Err(_) => Value::String(text),
        };
        Ok(Self { status, headers, body })
    }

    /// Asserts the status.
    #[expect(clippy::must_use_candidate, clippy::return_self_not_must_use, reason = "often the assertion is all")]
    #[track_caller]
    pub fn expect(self, status: u16) -> Self {
        assert_eq!(self.status, status, "{:#}", self.body);
        self
    }

    /// Asserts a refusal of an OIDC endpoint, in all that `docs/decisions/token-endpoint-errors.md` says of its form.
    #[track_caller]
    pub fn expect_oauth_error(&self, status: u16, error: &str) {
        assert_eq!((self.status, &self["error"]), (status, &Value::from(error)), "{:#}", self.body);
        assert_eq!(self["code"], format!("oidc.{error}"), "{:#}", self.body);
        // RFC 6749 section 5.2; the message keeps the letters that no description may have.
        let is_allowed = |text: &str| text.chars().all(|letter| matches!(letter, ' '..='!' | '#'..='[' | ']'..='~'));
        let (description, message) = (self["error_description"].as_str(), self["message"].as_str());
        assert!(description.is_some_and(|text| !text.is_empty() && is_allowed(text)), "{:#}", self.body);
        assert!(message == description || !message.is_none_or(is_allowed), "{:#}", self.body);
        assert_eq!(self.header(CACHE_CONTROL.as_str()), Some("no-store"), "{:#}", self.body);
    }

    /// Asserts a refusal of the Management API.
    #[track_caller]
    pub fn expect_api_error(&self, status: u16, code: &str) {
        assert_eq!((self.status, &self["code"]), (status, &Value::from(code)), "{:#}", self.body);
        assert!(self["message"].as_str().is_some_and(|text| !text.is_empty()), "{:#}", self.body);
    }

    /// A header that is text.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(|value| value.to_str().unwrap())
    }

    /// A member of the body that is text.
    #[must_use]
    #[track_caller]
    pub fn text(&self, name: &str) -> String {
        self[name].as_str().unwrap_or_else(|| panic!("no text {name} in {:#}", self.body)).to_owned()
    }
}

impl Index<&str> for Answer {
    type Output = Value;

    fn index(&self, name: &str) -> &Value {
        &self.body[name]
    }
}
