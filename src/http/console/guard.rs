//! Guards the screens: they need a session, a role, and requests from the console's own pages. Other requests are
//! redirected to sign-in or get an error page; a posted form is kept until the operator has signed in.

use super::again;
use super::begin::is_own;
use super::notices::{self, Notice};
use super::session::{self, LiveSession};
use super::{ASSETS, HOME, end_session, to_sign_in};
use crate::http::family::Family;
use crate::http::timeouts;
use axum::extract::{Request, State};
use axum::http::HeaderMap;
use axum::http::uri::PathAndQuery;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use claimsmith_console::{Operator, OperatorRole};
use claimsmith_domain::console::{ConsoleRole, ConsoleRoles};
use claimsmith_domain::id::UserId;
use claimsmith_domain::origin::RequestOrigin;
use claimsmith_identity::access::administrator::ConsoleDoor;
use claimsmith_pages::failure::PageError;
use claimsmith_services::app::App;
use claimsmith_storage::console;
use claimsmith_storage::console::sessions::ConsoleSession;
use claimsmith_web::cookies::BrowserCookie;
use claimsmith_web::extract::form::Form;
use claimsmith_web::redirect::{see_other, with_cookie};
use claimsmith_web::same_origin;
use std::sync::Arc;
use tokio::time::timeout;

/// The facts about a session that calls of the Management API need.
pub(super) struct OperatorSession {
    pub user_id: UserId,
    pub roles: ConsoleRoles,
    pub authenticated_at: i64,
    pub origin: RequestOrigin,
    /// The key by which the session is found again.
    pub door: ConsoleDoor,
    pub session: ConsoleSession,
    /// The hash of the cookie of a known browser, in which a user has signed in before.
    pub known_hash: Option<String>,
}

/// A form that was posted from a page of the browser's own session.
pub(super) struct ConsolePost {
    pub origin: RequestOrigin,
    pub found: LiveSession,
}

/// Lets requests of an [`Operator`] through to the screens. The check itself and pages have the timeout of every
/// request; writes may take longer: plugins are compiled, users imported.
pub(super) async fn guard(State(app): State<App>, request: Request, next: Next) -> Response {
    let limit = app.config.server.request_timeout;
    let family = Family::of(request.uri().path(), request.headers());
    let is_safe = request.method().is_safe();
    let admitted = if is_safe && request.uri().path().starts_with(ASSETS) {
        Ok(Ok(Ok(request)))
    } else {
        timeout(limit, admit(&app, request)).await
    };
    match admitted {
        Ok(Ok(Ok(request))) if is_safe => timeouts::limit_whole(State(limit), request, next).await,
        Ok(Ok(Ok(request))) => next.run(request).await,
        Ok(Ok(Err(refused))) => refused,
        Ok(Err(error)) => error.into_response(),
        Err(_) => family.timed_out(),
    }
}

async fn admit(app: &App, mut request: Request) -> Result<Result<Request, Response>, PageError> {
    if !request.method().is_safe() && !is_from_here(app, request.headers()) {
        return Ok(Err(notices::show(app, Notice::Forged).await));
    }
    let Some(found) = session::find(app, request.headers()).await? else {
        return Ok(Err(without_session(app, request).await?));
    };
    let origin = origin_of(&request);
    if found.roles.is_empty() {
        return Ok(Err(without_role(app, &found).await?));
    }
    found.touch(app).await?;
    let operator = Operator {
        user_id: found.user.id.as_str().into(),
        name: found.name().into(),
        roles: found.roles.iter().map(role).collect(),
        csrf: found.csrf(app)?.into(),
        earlier_csrf: found.earlier_csrf(app).into(),
        session: Arc::new(OperatorSession {
            user_id: found.user.id.clone(),
            roles: found.roles,
            authenticated_at: found.session.authenticated_at,
            origin,
            door: ConsoleDoor::now(&found.session.hash),
            session: found.session.clone(),
            known_hash: BrowserCookie::Known.hash(app, request.headers()),
        }),
    };
    request.extensions_mut().insert(operator);
    Ok(Ok(request))
}

fn role(role: ConsoleRole) -> OperatorRole {
    match role {
        ConsoleRole::Read => OperatorRole::Read,
        ConsoleRole::Support => OperatorRole::Support,
        ConsoleRole::Developer => OperatorRole::Developer,
        ConsoleRole::Admin => OperatorRole::Administrator,
    }
}

/// Reads a form of one of the sign-in's own buttons: it must come from this origin, with a session and its token.
pub(super) async fn post(app: &App, request: Request) -> Result<Result<ConsolePost, Response>, PageError> {
    let origin = origin_of(&request);
    let (parts, body) = request.into_parts();
    if !is_from_here(app, &parts.headers) {
        return Ok(Err(notices::show(app, Notice::Forged).await));
    }
    let Some(found) = session::find(app, &parts.headers).await? else {
        return Ok(Err(notices::show(app, Notice::Ended).await));
    };
    let form = Form::read(&parts.headers, body).await.unwrap_or_default();
    let shown = form.all("csrf").next().unwrap_or_default();
    if !found.is_csrf(app, shown) {
        return Ok(Err(notices::show(app, Notice::Forged).await));
    }
    Ok(Ok(ConsolePost { origin, found }))
}

/// Whether the browser says that the request comes from this origin. Requests without that information do not count.
pub(super) fn is_from_here(app: &App, headers: &HeaderMap) -> bool {
    same_origin::is_told(headers) && same_origin::check(app, headers).is_ok()
}

fn origin_of(request: &Request) -> RequestOrigin {
    request.extensions().get::<RequestOrigin>().cloned().unwrap_or_default()
}

/// Redirects a request without a session to sign-in; a posted form is kept.
async fn without_session(app: &App, request: Request) -> Result<Response, PageError> {
    if !request.method().is_safe() {
        return Ok(match again::keep(app, request).await? {
            Some(page) => page,
            None => notices::show(app, Notice::Ended).await,
        });
    }
    // A script that fetches a part of a page cannot show the sign-in page.
    let is_page = request.headers().get("sec-fetch-mode").is_none_or(|mode| mode == "navigate");
    if !is_page {
        return Ok(notices::show(app, Notice::Ended).await);
    }
    let wanted = request.uri().path_and_query().map(PathAndQuery::as_str).filter(|path| is_own(path));
    Ok(see_other(&to_sign_in(app, wanted.unwrap_or(HOME))))
}

/// Ends the session of a user who lost their last role.
async fn without_role(app: &App, found: &LiveSession) -> Result<Response, PageError> {
    let mut tx = app.db.begin().await?;
    console::sessions::delete(&mut tx, &found.session.hash).await?;
    tx.commit().await?;
    let hint = end_session::address(app, &found.session.user_id, &found.session.session_id).await?;
    let response = notices::show(app, Notice::NoRole(&hint)).await;
    Ok(with_cookie(response, &BrowserCookie::Console.clear(app)))
}
