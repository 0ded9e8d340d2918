//! The link of an invitation to administer: whoever opens it signs in or creates an account, which claims the
//! invitation. The account has no rights before the inviter has confirmed it. Opening the page changes nothing.

use super::begin::invitation_path;
use super::entered::{Account, EnteredAccount, account};
use super::first_sign_in::{begin_sign_in, digest, error_of};
use super::notices::{self, Notice};
use super::session::name_of;
use super::to_sign_in;
use axum::http::HeaderMap;
use axum::response::Response;
use claimsmith_domain::console::ConsoleRole;
use claimsmith_domain::origin::RequestOrigin;
use claimsmith_identity::accounts::administrator_invitations::{Claim, OpenInvitation, claim, find_open};
use claimsmith_identity::accounts::{self, NewUser};
use claimsmith_identity::interaction::session::idle_since;
use claimsmith_pages::console::{ConsoleInvited, SignedInAccount};
use claimsmith_pages::failure::PageError;
use claimsmith_pages::form::FieldError;
use claimsmith_pages::frame::Frame;
use claimsmith_services::app::App;
use claimsmith_services::audit::Actor;
use claimsmith_services::unit_of_work::UnitOfWork;
use claimsmith_storage::users::{self, User};
use claimsmith_storage::{self as storage, sessions};
use claimsmith_web::cookies::BrowserCookie;
use claimsmith_web::extract::form::Form;
use claimsmith_web::redirect::with_cookie;

/// Shows the page of a code; the notice that the link is over for any other.
pub(super) async fn show(app: &App, headers: &HeaderMap, code: &str) -> Result<Response, PageError> {
    let found = find_open(&mut app.db.read().await?, code, app.clock.now_ms()).await?;
    let Some(invitation) = found else { return Ok(notices::show(app, Notice::LinkOver).await) };
    let entered = EnteredAccount { code, identifier: "", name: "" };
    page(app, headers, &invitation, entered, None).await
}

/// Claims the invitation, for an account that is signed in in this browser or for a new one. The request comes from
/// this server's own page.
pub(super) async fn submit(
    app: &App,
    origin: &RequestOrigin,
    headers: &HeaderMap,
    form: &Form,
) -> Result<Response, PageError> {
    let text = |name: &str| form.all(name).next().unwrap_or_default();
    let code = text("code");
    let found = find_open(&mut app.db.read().await?, code, app.clock.now_ms()).await?;
    let Some(invitation) = found else { return Ok(notices::show(app, Notice::LinkOver).await) };
    if !text("account").is_empty() {
        let chosen = signed_in(app, headers).await?.into_iter().find(|user| *user.id == *text("account"));
        let Some(user) = chosen else { return Ok(notices::show(app, Notice::Ended).await) };
        return claim_for(app, origin, &invitation, code, &user).await;
    }
    let entered = EnteredAccount { code, identifier: text("identifier").trim(), name: text("name").trim() };
    create(app, origin, headers, (&invitation, entered), text("password")).await
}

/// Claims the invitation for a user who is signed in.
async fn claim_for(
    app: &App,
    origin: &RequestOrigin,
    invitation: &OpenInvitation,
    code: &str,
    user: &User,
) -> Result<Response, PageError> {
    let actor = Actor::Owner { id: user.id.clone(), application_id: None };
    let mut work = UnitOfWork::begin(&app.db, actor, origin.clone(), app.clock.now_ms()).await?;
    match claim(&mut work, code, &user.id).await.map_err(|refusal| failed(&refusal))? {
        Claim::Claimed => {
            work.commit().await?;
            Ok(waiting(app, invitation, user).await)
        }
        Claim::Over => Ok(notices::show(app, Notice::LinkOver).await),
        Claim::HoldsRole => Ok(notices::show(app, Notice::HoldsRole).await),
    }
}

/// Creates an account, which claims the invitation and is signed in, in one transaction.
async fn create(
    app: &App,
    origin: &RequestOrigin,
    headers: &HeaderMap,
    (invitation, entered): (&OpenInvitation, EnteredAccount<'_>),
    password: &str,
) -> Result<Response, PageError> {
    let frame = notices::frame(app).await?;
    let new = match account(app, &frame, None, entered, password) {
        Ok(Account::New(new)) => new,
        Ok(Account::Known(_)) => return Ok(notices::show(app, Notice::LinkOver).await),
        Err(error) => return page_in(&frame, app, headers, invitation, entered, Some(error)).await,
    };
    let digest = match digest(app, origin, password).await {
        Ok(digest) => digest,
        Err(refusal) => {
            let error = error_of(&frame, refusal)?;
            return page_in(&frame, app, headers, invitation, entered, Some(error)).await;
        }
    };
    let mut work = UnitOfWork::begin(&app.db, Actor::Server, origin.clone(), app.clock.now_ms()).await?;
    let user = match accounts::create(&mut work, NewUser { password: Some(digest), ..*new }).await {
        Ok(created) => created.fields.id,
        Err(refusal) => {
            drop(work);
            let error = error_of(&frame, refusal)?;
            return page_in(&frame, app, headers, invitation, entered, Some(error)).await;
        }
    };
    if claim(&mut work, entered.code, &user).await.map_err(|refusal| failed(&refusal))? != Claim::Claimed {
        drop(work);
        return Ok(notices::show(app, Notice::LinkOver).await);
    }
    let begun = begin_sign_in(app, &mut work, origin, headers, &user).await?;
    let created = users::find(&mut work, &user).await?;
    work.commit().await?;
    let Some(created) = created else { return Ok(notices::show(app, Notice::LinkOver).await) };
    let response = waiting(app, invitation, &created).await;
    Ok(with_cookie(response, &BrowserCookie::Session.set(app, begun.cookie)))
}

/// The users who are signed in in this browser, the most recently active one first.
async fn signed_in(app: &App, headers: &HeaderMap) -> storage::Result<Vec<User>> {
    let Some(hash) = BrowserCookie::Session.hash(app, headers) else { return Ok(Vec::new()) };
    let (mut tx, now) = (app.db.read().await?, app.clock.now_ms());
    let mut found: Vec<User> = Vec::new();
    for session in sessions::of_browser(&mut tx, &hash, now, idle_since(&app.config.sessions, now)).await? {
        if found.iter().all(|user| user.id != session.user_id) {
            found.extend(users::find(&mut tx, &session.user_id).await?);
        }
    }
    Ok(found)
}

/// The account waits: its holder tells the inviter its name.
async fn waiting(app: &App, invitation: &OpenInvitation, user: &User) -> Response {
    let (account, inviter) = (name_of(user), name_of(&invitation.inviter));
    notices::show(app, Notice::Waiting { account, inviter }).await
}

fn failed(refusal: &accounts::AccountRefusal) -> PageError {
    match refusal {
        accounts::AccountRefusal::Failed(error) => PageError::failed(&**error),
        other => {
            tracing::error!(refusal = ?other, "an invitation could not be claimed");
            PageError::logged(claimsmith_web::error::Failure::Internal)
        }
    }
}

async fn page(
    app: &App,
    headers: &HeaderMap,
    invitation: &OpenInvitation,
    entered: EnteredAccount<'_>,
    error: Option<FieldError<'_>>,
) -> Result<Response, PageError> {
    page_in(&notices::frame(app).await?, app, headers, invitation, entered, error).await
}

async fn page_in(
    frame: &Frame,
    app: &App,
    headers: &HeaderMap,
    invitation: &OpenInvitation,
    entered: EnteredAccount<'_>,
    error: Option<FieldError<'_>>,
) -> Result<Response, PageError> {
    let users = signed_in(app, headers).await?;
    let accounts: Vec<_> = users.iter().map(|user| SignedInAccount { id: &user.id, name: name_of(user) }).collect();
    let role = ConsoleRole::ALL.into_iter().find(|role| *invitation.stored.role_id == *role.role_id());
    let lead = format!(
        "{} invites you to the console of this server{}. Your account gets access once they have confirmed it by name.",
        name_of(&invitation.inviter),
        role.map(|role| format!(", as {}", title(role))).unwrap_or_default(),
    );
    let sign_in = to_sign_in(app, &invitation_path(entered.code));
    let EnteredAccount { code, identifier, name } = entered;
    Ok(ConsoleInvited { frame, error, code, lead: &lead, accounts: &accounts, sign_in, identifier, name }.answer())
}

/// What a role is called in the console.
fn title(role: ConsoleRole) -> &'static str {
    match role {
        ConsoleRole::Read => "a reader",
        ConsoleRole::Support => "support",
        ConsoleRole::Developer => "a developer",
        ConsoleRole::Admin => "an administrator",
    }
}
