//! Extractors of the demo application: its settings and the visit (session) of the browser; for forms, with the checks
//! against requests of other sites (same origin, CSRF token).

use super::memory::{DemoUser, DemoVisit, Memory};
use axum::Extension;
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use claimsmith_domain::origin::RequestOrigin;
use claimsmith_pages::error_page::{ErrorKind, ErrorPage};
use claimsmith_pages::failure::PageError;
use claimsmith_pages::frame::{Frame, PageContext};
use claimsmith_services::app::App;
use claimsmith_services::tokens;
use claimsmith_storage::settings::{self, Demo};
use claimsmith_web::cookies::BrowserCookie;
use claimsmith_web::extract::form::Form;
use claimsmith_web::redirect::see_other;
use claimsmith_web::same_origin;
use std::sync::Arc;
use subtle::ConstantTimeEq;

/// A visitor of the demo application.
pub(super) struct DemoGuest {
    pub app: App,
    pub demo: Demo,
    pub memory: Arc<Memory>,
    pub origin: RequestOrigin,
    pub headers: HeaderMap,
    /// The value of the browser's cookie.
    pub cookie: Option<String>,
    pub visit: Option<DemoVisit>,
}

/// A visitor who posted a form.
pub(super) struct DemoPost(pub DemoGuest, pub Form);

/// A signed-in user who posted a form.
pub(super) struct PostedBy(pub DemoGuest, pub DemoUser, pub Form);

impl FromRequestParts<App> for DemoGuest {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Response> {
        let extension = Extension::<Arc<Memory>>::from_request_parts(parts, app).await;
        let Extension(memory) = extension.map_err(IntoResponse::into_response)?;
        let extension = Extension::<RequestOrigin>::from_request_parts(parts, app).await;
        let Extension(origin) = extension.map_err(IntoResponse::into_response)?;
        let demo = known(app).await.map_err(IntoResponse::into_response)?;
        let demo = demo.ok_or_else(|| StatusCode::NOT_FOUND.into_response())?;
        let cookie = BrowserCookie::Demo.value(app, &parts.headers);
        let visit = cookie.as_deref().and_then(|value| memory.visit(&tokens::hash(value), app.clock.now_ms()));
        Ok(Self { app: app.clone(), demo, memory, origin, headers: parts.headers.clone(), cookie, visit })
    }
}

async fn known(app: &App) -> Result<Option<Demo>, PageError> {
    Ok(settings::demo(&mut app.db.read().await?).await?)
}

impl FromRequest<App> for DemoPost {
    type Rejection = Response;

    async fn from_request(request: Request, app: &App) -> Result<Self, Response> {
        let (mut parts, body) = request.into_parts();
        let guest = DemoGuest::from_request_parts(&mut parts, app).await?;
        if same_origin::check(app, &guest.headers).is_err() {
            return Err(guest.refuse(StatusCode::FORBIDDEN, "cross_site_request").await);
        }
        let form = match Form::read(&guest.headers, body).await {
            Ok(form) => form,
            Err(error) => return Err(guest.refuse(StatusCode::BAD_REQUEST, error.error).await),
        };
        let shown = form.all("csrf").next().unwrap_or_default();
        if guest.cookie.is_none() || !bool::from(shown.as_bytes().ct_eq(guest.csrf().as_bytes())) {
            return Err(guest.refuse(StatusCode::FORBIDDEN, "csrf_token_mismatch").await);
        }
        Ok(Self(guest, form))
    }
}

impl FromRequest<App> for PostedBy {
    type Rejection = Response;

    async fn from_request(request: Request, app: &App) -> Result<Self, Response> {
        let DemoPost(guest, form) = DemoPost::from_request(request, app).await?;
        match guest.visit.as_ref().and_then(|visit| visit.person.clone()) {
            Some(person) => Ok(Self(guest, person, form)),
            // The visit expired after an hour: the page offers to sign in again.
            None => Err(see_other(&guest.at(super::PAGE))),
        }
    }
}

impl DemoGuest {
    /// The demo's rule: anyone except the customer may impersonate the customer. A real backend would check that the
    /// user is in support, and that the ticket is theirs.
    pub(super) fn may_act(&self, person: &DemoUser) -> bool {
        self.demo.customer_id != *person.id
    }

    /// The CSRF token of the forms: derived from the cookie, so that only pages of this browser have it.
    pub(super) fn csrf(&self) -> String {
        csrf(self.cookie.as_deref().unwrap_or_default())
    }

    /// The URL of a path of this server.
    pub(super) fn at(&self, path: &str) -> String {
        format!("{}{path}", self.app.config.server.base_url)
    }

    pub(super) fn now(&self) -> i64 {
        self.app.clock.now_ms()
    }

    /// Changes and stores the visit.
    pub(super) fn keep(&self, change: impl FnOnce(&mut DemoVisit)) {
        let Some(cookie) = &self.cookie else { return };
        let mut visit = self.visit.clone().unwrap_or_else(|| DemoVisit::begin(self.now()));
        change(&mut visit);
        self.memory.keep(tokens::hash(cookie), visit);
    }

    /// The frame of the page, in English: the application is for developers.
    pub(super) async fn frame(&self) -> Result<Frame, PageError> {
        let asked = PageContext { ui_locales: Some("en"), ..PageContext::default() };
        Ok(Frame::load(&self.app, &mut self.app.db.read().await?, &asked).await?)
    }

    /// An error page for a request that does not match the visit.
    pub(super) async fn refuse(&self, status: StatusCode, code: &str) -> Response {
        let request_id = self.origin.request_id.as_deref();
        match self.frame().await {
            Ok(frame) => ErrorPage { kind: ErrorKind::Expired, code: Some(code), request_id, ..ErrorPage::new(&frame) }
                .answer(status),
            Err(error) => error.into_response(),
        }
    }
}

/// The CSRF token for a browser with this cookie.
pub(super) fn csrf(cookie: &str) -> String {
    tokens::hash(&format!("csrf:{cookie}"))
}
