//! Answers to applications through the browser: in the query, the fragment or a form, each with `iss` (RFC 9207); and
//! the error page that the user gets if no application can be trusted with an answer.

use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use claimsmith_domain::authorization::request::ResponseMode;
use claimsmith_domain::id::InteractionId;
use claimsmith_domain::origin::RequestOrigin;
use claimsmith_identity::grants::GrantRefusal;
use claimsmith_pages::error_page::{ErrorKind, ErrorPage};
use claimsmith_pages::failure::PageError;
use claimsmith_pages::form_post::FormPostPage;
use claimsmith_pages::frame::{Frame, PageContext};
use claimsmith_pages::no_interaction::no_interaction;
use claimsmith_services::app::App;
use claimsmith_web::accepted::wants_page;
use claimsmith_web::error::OAuthError;
use claimsmith_web::redirect::see_other;
use url::Url;

/// The description of the error for an interaction that does not exist.
const EXPIRED: &str = "there is no sign-in under way in this browser, or it took too long";

/// Where an answer goes.
#[derive(Clone, Debug)]
pub(crate) struct ReplyTo {
    pub redirect_uri: String,
    pub response_mode: ResponseMode,
    pub state: Option<String>,
}

/// Why a request is refused.
#[derive(Debug)]
pub(crate) enum AuthorizationFailure {
    /// Shown to the user: the application or its redirect URI is unknown.
    Page(OAuthError),
    /// Shown to the user: there is no such interaction.
    Expired,
    /// The same, for an interaction that has ended: the user can begin anew.
    Over(InteractionId),
    /// Sent to the application.
    Application(Box<ReplyTo>, OAuthError),
}

claimsmith_identity::from_failures!(
    AuthorizationFailure,
    |error| Self::Page(OAuthError::failed(&error)),
    claimsmith_pages::frame::FrameError,
    axum::http::header::InvalidHeaderValue
);

impl From<GrantRefusal> for AuthorizationFailure {
    fn from(refusal: GrantRefusal) -> Self {
        Self::Page(refusal.into())
    }
}

/// The browser that gets the answer.
#[derive(Clone, Copy)]
pub(crate) struct Answers<'a> {
    pub app: &'a App,
    pub headers: &'a HeaderMap,
    pub origin: &'a RequestOrigin,
}

impl Answers<'_> {
    /// Reports a failed request to the application, or else to the user.
    pub(crate) async fn refuse(&self, refused: AuthorizationFailure) -> Response {
        match refused {
            AuthorizationFailure::Page(error) => self.page(ErrorKind::Invalid, error, None).await,
            AuthorizationFailure::Expired => {
                self.page(ErrorKind::Expired, OAuthError::invalid_request(EXPIRED), None).await
            }
            AuthorizationFailure::Over(id) => {
                let again = format!("{}/auth/{id}?again=true", self.app.issuer.name());
                self.page(ErrorKind::Expired, OAuthError::invalid_request(EXPIRED), Some(&again)).await
            }
            AuthorizationFailure::Application(to, error) => {
                tracing::info!(error = error.error, description = %error.description, "authorization request refused");
                self.reply(&to, &[("error", error.error), ("error_description", &error.description)]).await
            }
        }
    }

    /// Sends an answer to the application.
    pub(super) async fn reply(&self, to: &ReplyTo, members: &[(&str, &str)]) -> Response {
        let state = to.state.as_deref().map(|state| ("state", state));
        let iss = ("iss", self.app.issuer.name());
        let members: Vec<(&str, &str)> = members.iter().copied().chain(state).chain([iss]).collect();
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
            ResponseMode::FormPost => {
                let page = |frame: Frame| {
                    FormPostPage { frame: &frame, redirect_uri: &to.redirect_uri, parameters: members }.answer()
                };
                self.frame().await.map_or_else(IntoResponse::into_response, page)
            }
        }
    }

    /// A page for browsers, JSON for other clients. `again`: the URL that begins an ended sign-in anew.
    async fn page(&self, kind: ErrorKind, error: OAuthError, again: Option<&str>) -> Response {
        if !wants_page(self.headers) {
            return error.into_response();
        }
        let (status, kind) = (error.status(), if error.is_failure() { ErrorKind::Unexpected } else { kind });
        if kind == ErrorKind::Expired && again.is_none() {
            let request_id = self.origin.request_id.as_deref();
            return match self.frame().await {
                Ok(frame) => no_interaction(self.app, &frame, error.error, request_id).await,
                Err(error) => error.into_response(),
            };
        }
        let page = |frame: Frame| {
            let onward = again.map(|again| (again, frame.t.signed_out.sign_in_again.as_str()));
            let (code, details) =
                (Some(error.error), Some(error.description.as_str()).filter(|_| kind == ErrorKind::Invalid));
            let request_id = self.origin.request_id.as_deref();
            ErrorPage { kind, code, details, request_id, onward, ..ErrorPage::new(&frame) }.answer(status)
        };
        self.frame().await.map_or_else(IntoResponse::into_response, page)
    }

    async fn frame(&self) -> Result<Frame, PageError> {
        Ok(Frame::load(self.app, &mut self.app.db.read().await?, &PageContext::by(self.headers)).await?)
    }
}
