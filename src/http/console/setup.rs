//! One-time links to the console: the page creates an administrator account, or sets a new password of an existing
//! user, and signs them in. Opening the page changes nothing; posting the form consumes the link.

use super::entered::{Account, EnteredAccount, account};
use super::first_sign_in::{begin_sign_in, digest, error_of};
use super::guard::is_from_here;
use super::invited;
use super::link::{ValidConsoleLink, find, use_up};
use super::notices::{self, Notice};
use super::session::{self, name_of};
use super::{HOME, at};
use axum::Extension;
use axum::body::Body;
use axum::extract::{RawQuery, State};
use axum::http::HeaderMap;
use axum::response::Response;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::console_link::Purpose;
use claimsmith_domain::id::UserId;
use claimsmith_domain::origin::RequestOrigin;
use claimsmith_identity::accounts::{self, NewUser};
use claimsmith_pages::console::ConsoleSetup;
use claimsmith_pages::failure::PageError;
use claimsmith_pages::form::FieldError;
use claimsmith_pages::frame::Frame;
use claimsmith_services::app::App;
use claimsmith_services::audit::Actor;
use claimsmith_services::unit_of_work::UnitOfWork;
use claimsmith_storage::revisions::{self, Changed};
use claimsmith_web::cookies::BrowserCookie;
use claimsmith_web::extract::form::Form;
use claimsmith_web::redirect::{see_other, with_cookie};
use serde_json::json;

/// Shows the form.
pub(super) async fn show(
    State(app): State<App>,
    headers: HeaderMap,
    RawQuery(query): RawQuery,
) -> Result<Response, PageError> {
    let query = Form::of_query(query.as_deref().unwrap_or_default()).unwrap_or_default();
    let code = query.all("code").next().unwrap_or_default();
    let link = find(&mut app.db.read().await?, code, app.clock.now_ms()).await?;
    let Some(link) = link else { return invited::show(&app, &headers, code).await };
    let identifier = link.stored.email.as_deref().unwrap_or_default();
    Ok(page(&notices::frame(&app).await?, &link, EnteredAccount { code, identifier, name: "" }, None))
}

/// Consumes the link.
pub(super) async fn submit(
    State(app): State<App>,
    Extension(origin): Extension<RequestOrigin>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, PageError> {
    if !is_from_here(&app, &headers) {
        return Ok(notices::show(&app, Notice::Forged).await);
    }
    let form = Form::read(&headers, body).await.unwrap_or_default();
    let text = |name: &str| form.all(name).next().unwrap_or_default();
    let entered =
        EnteredAccount { code: text("code"), identifier: text("identifier").trim(), name: text("name").trim() };
    let link = find(&mut app.db.read().await?, entered.code, app.clock.now_ms()).await?;
    let Some(link) = link else { return invited::submit(&app, &origin, &headers, &form).await };
    let frame = notices::frame(&app).await?;
    let account = match account(&app, &frame, link.user.as_ref(), entered, text("password")) {
        Ok(account) => account,
        Err(error) => return Ok(page(&frame, &link, entered, Some(error))),
    };
    let digest = match digest(&app, &origin, text("password")).await {
        Ok(digest) => digest,
        Err(refusal) => return refused(&frame, &link, entered, refusal),
    };
    let mut work = UnitOfWork::begin(&app.db, Actor::Operator, origin.clone(), app.clock.now_ms()).await?;
    // Serializes the creation of administrators.
    revisions::bump(&mut work, Changed::All).await?;
    if !use_up(&mut work, &link).await? {
        drop(work);
        return Ok(notices::show(&app, Notice::LinkOver).await);
    }
    let made = match account {
        Account::New(user) => make(&mut work, NewUser { password: Some(digest), ..*user }).await,
        Account::Known(id) => recover(&mut work, id, digest).await,
    };
    match made {
        Ok(user_id) => enter(&app, work, &origin, &headers, &link, &user_id).await,
        Err(refusal) => refused(&frame, &link, entered, refusal),
    }
}

async fn make(work: &mut UnitOfWork, new: NewUser) -> Result<UserId, accounts::AccountRefusal> {
    let id = accounts::create(work, new).await?.fields.id;
    accounts::make_administrator(work, &id).await?;
    Ok(id)
}

async fn recover(
    work: &mut UnitOfWork,
    id: UserId,
    digest: accounts::PasswordDigest,
) -> Result<UserId, accounts::AccountRefusal> {
    // This ends all sessions of the user.
    accounts::set_password(work, &id, digest).await?;
    Ok(id)
}

/// Signs the user in, regardless of the sign-in settings: the link was their proof.
async fn enter(
    app: &App,
    mut work: UnitOfWork,
    origin: &RequestOrigin,
    headers: &HeaderMap,
    link: &ValidConsoleLink,
    user_id: &UserId,
) -> Result<Response, PageError> {
    let now = work.now();
    let begun = begin_sign_in(app, &mut work, origin, headers, user_id).await?;
    let old = BrowserCookie::Console.hash(app, headers);
    let cookie = session::begin(&mut work, app, old.as_deref(), (user_id, &begun.id), now).await?;
    let details = json!({ "userId": user_id, "sessionId": begun.id, "purpose": link.stored.purpose.as_str() });
    work.audit(AuditKey::ConsoleSetup, details).await?;
    work.commit().await?;
    let response = with_cookie(see_other(&at(app, HOME)), &BrowserCookie::Session.set(app, begun.cookie));
    Ok(with_cookie(response, &BrowserCookie::Console.set(app, cookie)))
}

/// The page with a refusal at its field.
fn refused(
    frame: &Frame,
    link: &ValidConsoleLink,
    entered: EnteredAccount<'_>,
    refusal: accounts::AccountRefusal,
) -> Result<Response, PageError> {
    let error = error_of(frame, refusal)?;
    Ok(page(frame, link, entered, Some(error)))
}

fn page(
    frame: &Frame,
    link: &ValidConsoleLink,
    entered: EnteredAccount<'_>,
    error: Option<FieldError<'_>>,
) -> Response {
    ConsoleSetup {
        frame,
        error,
        code: entered.code,
        known: link.user.as_ref().map(name_of),
        is_first: link.stored.purpose == Purpose::Setup,
        identifier: entered.identifier,
        name: entered.name,
    }
    .answer()
}
