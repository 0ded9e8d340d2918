//! The visitor of their own account page: the user of the browser's most recently used session. Without a session, the
//! browser is redirected to sign-in.

use crate::error_page::ErrorPage;
use crate::failure::PageError;
use crate::frame::{Frame, PageContext};
use crate::not_found::NotFoundPage;
use crate::paths;
use crate::sign_in::visitor::{failed, read_form};
use axum::Extension;
use axum::body::Body;
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::{HeaderMap, Method};
use axum::response::{IntoResponse, Response};
use claimsmith_domain::documents::account_center::AccountCenter;
use claimsmith_domain::origin::RequestOrigin;
use claimsmith_identity::interaction::account_page::{First, begin};
use claimsmith_identity::interaction::session::idle_since;
use claimsmith_identity::own_account::owner::{Owner, OwnerAccess};
use claimsmith_identity::own_account::refusal::OwnAccountRefusal;
use claimsmith_services::app::App;
use claimsmith_services::tokens;
use claimsmith_storage::sessions::{self, Session};
use claimsmith_storage::sign_in::settings::ACCOUNT_CENTER;
use claimsmith_storage::users::{self, User};
use claimsmith_web::cookies::BrowserCookie;
use claimsmith_web::error::status_of;
use claimsmith_web::extract::form::Form;
use claimsmith_web::extract::interaction::accept_language;
use claimsmith_web::interaction_cookies;
use claimsmith_web::redirect::see_other;

/// The visitor of their own account page.
pub(super) struct AccountVisitor {
    pub owner: Owner,
    pub user: User,
    pub settings: AccountCenter,
    pub frame: Frame,
    /// The token of the forms.
    pub csrf: String,
}

/// A visitor who posted a form of the page.
pub(super) struct AccountPost(pub AccountVisitor, pub Form);

impl FromRequest<App> for AccountVisitor {
    type Rejection = Response;

    async fn from_request(request: Request, app: &App) -> Result<Self, Response> {
        let (mut parts, _) = request.into_parts();
        let origin = Extension::<RequestOrigin>::from_request_parts(&mut parts, app).await;
        arrive(app, &parts.method, &parts.headers, origin.map_err(IntoResponse::into_response)?.0).await
    }
}

impl FromRequest<App> for AccountPost {
    type Rejection = Response;

    async fn from_request(request: Request, app: &App) -> Result<Self, Response> {
        let (mut parts, body) = request.into_parts();
        let origin = Extension::<RequestOrigin>::from_request_parts(&mut parts, app).await;
        let origin = origin.map_err(IntoResponse::into_response)?.0;
        let person = arrive(app, &parts.method, &parts.headers, origin).await?;
        let form = read(app, &person, &parts.headers, body).await?;
        Ok(Self(person, form))
    }
}

async fn read(app: &App, person: &AccountVisitor, headers: &HeaderMap, body: Body) -> Result<Form, Response> {
    read_form(app, &person.frame, Some(&person.csrf), headers, body).await
}

/// What is known about the browser.
struct BrowserState {
    frame: Frame,
    settings: AccountCenter,
    found: Option<(Session, User)>,
}

/// The visitor; the error is the response for the browser, such as a redirect to sign-in.
pub(super) async fn arrive(
    app: &App,
    method: &Method,
    headers: &HeaderMap,
    origin: RequestOrigin,
) -> Result<AccountVisitor, Response> {
    let cookie = BrowserCookie::Session.value(app, headers);
    let known = look(app, headers, cookie.as_deref()).await.map_err(IntoResponse::into_response)?;
    let BrowserState { frame, settings, found } = known;
    if !settings.page_enabled {
        return Err(NotFoundPage { frame: &frame }.answer());
    }
    let (Some((session, user)), Some(cookie)) = (found, cookie) else {
        // A posted form is not repeated after the sign-in.
        if *method != Method::GET {
            return Err(see_other(&at(app, paths::ACCOUNT)));
        }
        return Err(to_sign_in(app, &frame, headers, &origin, First::SignIn).await);
    };
    // The token is bound to the session, so that a form is refused after another tab has switched the account.
    let csrf = tokens::hash(&format!("account:{}:{cookie}", session.id));
    let known_hash = BrowserCookie::Known.hash(app, headers);
    let way = OwnerAccess::Page { session, known_hash };
    let accept_language = accept_language(headers);
    let owner = Owner { app: app.clone(), user_id: user.id.clone(), way, origin, accept_language };
    Ok(AccountVisitor { owner, user, settings, frame, csrf })
}

async fn look(app: &App, headers: &HeaderMap, cookie: Option<&str>) -> Result<BrowserState, PageError> {
    let mut tx = app.db.read().await?;
    let settings = ACCOUNT_CENTER.find(&mut tx).await?;
    let frame = Frame::load(app, &mut tx, &PageContext::by(headers)).await?;
    let mut found = None;
    if let Some(cookie) = cookie {
        let now = app.clock.now_ms();
        let idle_since = idle_since(&app.config.sessions, now);
        let live = sessions::of_browser(&mut tx, &tokens::hash(cookie), now, idle_since).await?;
        if let Some(session) = live.into_iter().next() {
            found = users::find(&mut tx, &session.user_id).await?.map(|user| (session, user));
        }
    }
    Ok(BrowserState { frame, settings, found })
}

impl AccountVisitor {
    /// The page of a refusal that belongs to no field.
    pub(super) fn fail(&self, refusal: &OwnAccountRefusal) -> Response {
        let request_id = self.owner.origin.request_id.as_deref();
        if let OwnAccountRefusal::Common(common) = refusal {
            return failed(&self.frame, common, request_id);
        }
        let code = refusal.code();
        ErrorPage { code: Some(code.text()), request_id, ..ErrorPage::new(&self.frame) }.answer(status_of(code))
    }
}

/// Redirects the browser to sign-in, and back afterwards.
pub(super) async fn to_sign_in(
    app: &App,
    frame: &Frame,
    headers: &HeaderMap,
    origin: &RequestOrigin,
    first: First,
) -> Response {
    let begun = match begin(app, origin, first).await {
        Ok(begun) => begun,
        Err(refusal) => return failed(frame, &refusal, origin.request_id.as_deref()),
    };
    let response = see_other(&at(app, &paths::of_interaction(begun.path, &begun.id)));
    match interaction_cookies::give(app, headers, (&begun.id, begun.cookie), response).await {
        Ok(response) => response,
        Err(error) => failed(frame, &error.into(), origin.request_id.as_deref()),
    }
}

/// The URL of a page.
pub(super) fn at(app: &App, path: &str) -> String {
    format!("{}{path}", app.config.server.base_url)
}
