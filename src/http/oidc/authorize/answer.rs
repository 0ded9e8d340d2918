//! Answers to applications, through the browser: in the query, the fragment or a form, each with `iss` (RFC 9207); and
//! what is told to the person instead, where no application can be trusted with an answer.

use crate::app::App;
use crate::domain::authorization::request::ResponseMode;
use crate::http::error::OAuthError;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use url::Url;

/// Where an answer goes.
#[derive(Clone, Debug)]
pub(super) struct ReplyTo {
    pub redirect_uri: String,
    pub response_mode: ResponseMode,
    pub state: Option<String>,
}

/// Why a request is refused.
#[derive(Debug)]
pub(super) enum Refused {
    /// The person is told: nothing is known of the application, or not where it wants its answer.
    Page(OAuthError),
    /// The application is told.
    Application(ReplyTo, OAuthError),
}

impl Refused {
    pub(super) fn page(error: OAuthError) -> Self {
        Self::Page(error)
    }

    /// The browser shows no interaction, or another one.
    pub(super) fn no_interaction() -> Self {
        Self::Page(OAuthError::invalid_request("there is no sign-in under way in this browser, or it took too long"))
    }

    pub(super) fn answer(self, app: &App) -> Response {
        match self {
            Self::Page(error) => error.into_response(),
            Self::Application(to, error) => {
                tracing::info!(error = error.error, description = %error.description, "authorization request refused");
                reply(app, &to, &[("error", error.error), ("error_description", &error.description)])
            }
        }
    }
}

impl<E: std::error::Error> From<E> for Refused {
    fn from(error: E) -> Self {
        Self::Page(error.into())
    }
}

/// Sends an answer to the application.
pub(super) fn reply(app: &App, to: &ReplyTo, members: &[(&str, &str)]) -> Response {
    let state = to.state.as_deref().map(|state| ("state", state));
    let members: Vec<(&str, &str)> = members.iter().copied().chain(state).chain([("iss", app.issuer.name())]).collect();
    let Ok(mut url) = Url::parse(&to.redirect_uri) else {
        return OAuthError::invalid_request("the redirect URI is not a URI").into_response();
    };
    match to.response_mode {
        ResponseMode::Query => {
            url.query_pairs_mut().extend_pairs(members);
            see_other(url.as_str())
        }
        ResponseMode::Fragment => {
            let encoded = form_urlencoded::Serializer::new(String::new()).extend_pairs(members).finish();
            url.set_fragment(Some(&encoded));
            see_other(url.as_str())
        }
        ResponseMode::FormPost => form_post(&to.redirect_uri, &members),
    }
}

/// Sends the browser elsewhere, by GET.
pub(super) fn see_other(location: &str) -> Response {
    match HeaderValue::from_str(location) {
        Ok(location) => {
            let headers = [(header::LOCATION, location), (header::CACHE_CONTROL, HeaderValue::from_static("no-store"))];
            (StatusCode::SEE_OTHER, headers).into_response()
        }
        Err(_) => OAuthError::invalid_request("the redirect URI is not a URI").into_response(),
    }
}

/// A page whose form is posted to the application.
fn form_post(action: &str, members: &[(&str, &str)]) -> Response {
    let escape =
        |text: &str| text.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;").replace('>', "&gt;");
    let inputs: String = members
        .iter()
        .map(|(name, value)| format!("<input type=\"hidden\" name=\"{name}\" value=\"{}\">", escape(value)))
        .collect();
    let page = format!(
        "<!doctype html><title>…</title><form method=\"post\" action=\"{}\">{inputs}<button>→</button></form>",
        escape(action)
    );
    ([(header::CONTENT_TYPE, "text/html; charset=utf-8"), (header::CACHE_CONTROL, "no-store")], page).into_response()
}
