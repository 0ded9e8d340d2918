//! One-time links to the console: the page makes the account of an administrator, or gives an existing user a new
//! password, and signs them in. Looking at it changes nothing; the form uses the link up.

use super::guard::is_from_here;
use super::notices::{self, Notice};
use super::session::{self, name_of};
use super::{HOME, at};
use crate::accounts::{self, Identifier as Known, NewPassword, NewUser};
use crate::app::App;
use crate::audit::Actor;
use crate::domain::console_link::Purpose;
use crate::domain::id::UserId;
use crate::domain::identifier::{Identifier, IdentifierType};
use crate::domain::origin::Origin;
use crate::domain::password_policy::UserInfo;
use crate::domain::sign_in_experience::username_check;
use crate::http::cookies::BrowserCookie;
use crate::http::error::log_failure;
use crate::http::extract::form::Form;
use crate::http::interaction_forms::messages::field_error;
use crate::http::pages::console::ConsoleSetup;
use crate::http::pages::failure::PageError;
use crate::http::pages::form::FieldError;
use crate::http::pages::frame::Frame;
use crate::http::redirect::{see_other, with_cookie};
use crate::interaction::refusal::Refusal;
use crate::interaction::session as sign_in;
use crate::storage::console_links::{self, ConsoleLink};
use crate::storage::revisions::{self, Changed};
use crate::storage::roles::console;
use crate::storage::sessions::SessionDetails;
use crate::storage::users::{self, User};
use crate::storage::{self, Tx};
use crate::tokens;
use crate::unit_of_work::UnitOfWork;
use axum::Extension;
use axum::body::Body;
use axum::extract::{RawQuery, State};
use axum::http::HeaderMap;
use axum::response::Response;
use serde_json::json;

/// The most bytes of a password and of other fields.
const MAX_BYTES: usize = 4096;
/// The most characters of a name.
const MAX_NAME_CHARS: usize = 128;

/// A link that is valid now.
struct Link {
    stored: ConsoleLink,
    purpose: Purpose,
    /// Whom it lets in.
    user: Option<User>,
}

/// What was entered.
#[derive(Clone, Copy, Default)]
struct Entered<'e> {
    code: &'e str,
    identifier: &'e str,
    name: &'e str,
}

/// Shows the form.
pub(super) async fn show(State(app): State<App>, RawQuery(query): RawQuery) -> Result<Response, PageError> {
    let query = Form::of_query(query.as_deref().unwrap_or_default()).unwrap_or_default();
    let code = query.all("code").next().unwrap_or_default();
    let link = find(&mut app.db.read().await?, code, app.clock.now_ms()).await?;
    let Some(link) = link else { return Ok(notices::show(&app, Notice::LinkOver).await) };
    let identifier = link.stored.email.as_deref().unwrap_or_default();
    Ok(page(&notices::frame(&app).await?, &link, Entered { code, identifier, name: "" }, None))
}

/// Uses the link.
pub(super) async fn submit(
    State(app): State<App>,
    Extension(origin): Extension<Origin>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, PageError> {
    if !is_from_here(&app, &headers) {
        return Ok(notices::show(&app, Notice::Forged).await);
    }
    let form = Form::read(&headers, body).await.unwrap_or_default();
    let text = |name: &str| form.all(name).next().unwrap_or_default();
    let entered = Entered { code: text("code"), identifier: text("identifier").trim(), name: text("name").trim() };
    let link = find(&mut app.db.read().await?, entered.code, app.clock.now_ms()).await?;
    let Some(link) = link else { return Ok(notices::show(&app, Notice::LinkOver).await) };
    let frame = notices::frame(&app).await?;
    let account = match account(&app, &frame, &link, entered, text("password")) {
        Ok(account) => account,
        Err(error) => return Ok(page(&frame, &link, entered, Some(error))),
    };
    let password = NewPassword::Plain(text("password").to_owned());
    let digest = match accounts::digest(&app.passwords, password, origin.ip).await {
        Ok(digest) => digest,
        Err(refusal) => return refused(&frame, &link, entered, refusal),
    };
    let mut work = UnitOfWork::begin(&app.db, Actor::Operator, origin.clone(), app.clock.now_ms()).await?;
    // Whoever makes an administrator waits here for another one who does.
    revisions::bump(&mut work, Changed::All).await?;
    if !is_usable(&mut work, &link).await? {
        return Ok(notices::show(&app, Notice::LinkOver).await);
    }
    let made = match account {
        Account::New(user) => make(&mut work, NewUser { password: Some(digest), ..user }).await,
        Account::Known(id) => recover(&mut work, id, digest).await,
    };
    match made {
        Ok(user_id) => enter(&app, work, &origin, &headers, &link, &user_id).await,
        Err(refusal) => refused(&frame, &link, entered, refusal),
    }
}

/// The link of a code, if it is valid.
async fn find(tx: &mut Tx, code: &str, now: i64) -> storage::Result<Option<Link>> {
    let Some(stored) = console_links::find(tx, &tokens::hash(code), now).await? else { return Ok(None) };
    let Some(purpose) = Purpose::parse(&stored.purpose) else { return Ok(None) };
    if purpose == Purpose::Setup && console::count_admins(tx).await? > 0 {
        return Ok(None);
    }
    let user = match &stored.user_id {
        Some(id) => users::find(tx, id).await?.filter(|user| !user.is_suspended),
        None => None,
    };
    Ok((user.is_some() == (purpose == Purpose::Recover)).then_some(Link { stored, purpose, user }))
}

/// Whether the link can be used in this transaction; it is used up then.
async fn is_usable(work: &mut UnitOfWork, link: &Link) -> storage::Result<bool> {
    let now = work.now();
    if link.purpose == Purpose::Setup && console::count_admins(work).await? > 0 {
        return Ok(false);
    }
    if !console_links::consume(work, &link.stored.hash, now).await? {
        return Ok(false);
    }
    // From now on somebody administers.
    console_links::delete_of(work, Purpose::Setup.as_str()).await?;
    Ok(true)
}

/// Whose account it will be.
enum Account {
    New(NewUser),
    Known(UserId),
}

/// Checks what was entered.
fn account<'f>(
    app: &App,
    frame: &'f Frame,
    link: &Link,
    entered: Entered<'_>,
    password: &str,
) -> Result<Account, FieldError<'f>> {
    let required = |field| FieldError::at(field, frame.t.errors.required.as_str());
    let wrong = |refusal: &Refusal| field_error(frame, refusal).unwrap_or_else(|| required("identifier"));
    let (new, info) = match &link.user {
        Some(user) => (None, info_of(user)),
        None => {
            let new = named(frame, entered)?;
            let [username, email] = [&new.username, &new.primary_email].map(|known| known.clone());
            (Some(new), [Some(entered.name.to_owned()), username, email, None])
        }
    };
    if password.is_empty() || password.len() > MAX_BYTES {
        return Err(required("password"));
    }
    let [name, username, email, phone] = info.each_ref().map(Option::as_deref);
    let info = UserInfo { name: name.filter(|name| !name.is_empty()), username, email, phone };
    let issues = app.passwords.issues(&frame.settings.password_policy, password, Some(&info));
    if !issues.is_empty() {
        return Err(wrong(&Refusal::Password(issues)));
    }
    Ok(match (&link.user, new) {
        (Some(user), _) => Account::Known(user.id.clone()),
        (None, Some(new)) => Account::New(new),
        (None, None) => return Err(required("identifier")),
    })
}

fn info_of(user: &User) -> [Option<String>; 4] {
    [&user.name, &user.username, &user.primary_email, &user.primary_phone].map(Clone::clone)
}

/// The new user by what was entered: with an address, or with a user name.
fn named<'f>(frame: &'f Frame, entered: Entered<'_>) -> Result<NewUser, FieldError<'f>> {
    let Entered { identifier, name, .. } = entered;
    let at_identifier = |error: FieldError<'f>| FieldError { field: "identifier", ..error };
    if identifier.is_empty() || identifier.len() > MAX_BYTES {
        return Err(FieldError::at("identifier", frame.t.errors.required.as_str()));
    }
    if name.chars().count() > MAX_NAME_CHARS {
        return Err(FieldError::at("name", format!("At most {MAX_NAME_CHARS} characters.")));
    }
    let name = Some(name.to_owned()).filter(|name| !name.is_empty());
    if identifier.contains('@') {
        let email = Identifier { kind: IdentifierType::Email, value: identifier.to_owned() }.stored();
        let Some(email) = email else {
            return Err(FieldError::at("identifier", frame.t.errors.email_format.as_str()));
        };
        return Ok(NewUser { primary_email: Some(email.value), name, profile: json!({}), ..NewUser::default() });
    }
    if let Err(issue) = username_check::check(&frame.settings.username_policy, identifier) {
        let error = field_error(frame, &Refusal::Username(issue));
        return Err(error.map_or_else(|| FieldError::of_form(frame.t.errors.required.as_str()), at_identifier));
    }
    Ok(NewUser { username: Some(identifier.to_owned()), name, profile: json!({}), ..NewUser::default() })
}

async fn make(work: &mut UnitOfWork, new: NewUser) -> Result<UserId, accounts::Refusal> {
    let id = accounts::create(work, new).await?.id();
    accounts::make_administrator(work, &id).await?;
    Ok(id)
}

async fn recover(
    work: &mut UnitOfWork,
    id: UserId,
    digest: accounts::PasswordDigest,
) -> Result<UserId, accounts::Refusal> {
    // It signs them out everywhere.
    accounts::set_password(work, &id, digest).await?;
    Ok(id)
}

/// Signs somebody in, whatever the settings of sign-in say: the link was their proof.
async fn enter(
    app: &App,
    mut work: UnitOfWork,
    origin: &Origin,
    headers: &HeaderMap,
    link: &Link,
    user_id: &UserId,
) -> Result<Response, PageError> {
    let now = work.now();
    users::signed_in(&mut work, user_id, now).await?;
    let details = SessionDetails {
        amr: vec!["pwd".to_owned()],
        ip: origin.ip.map(|ip| ip.to_string()),
        user_agent: origin.user_agent.clone(),
        ..SessionDetails::default()
    };
    let (sessions, browser) = (&app.config.sessions, BrowserCookie::Session.hash(app, headers));
    let begun = sign_in::begin(&mut work, &app.random, sessions, browser.as_deref(), user_id, details).await?;
    let old = BrowserCookie::Console.hash(app, headers);
    let cookie = session::begin(&mut work, app, old.as_deref(), (user_id, &begun.id), now).await?;
    let details = json!({ "userId": user_id, "sessionId": begun.id, "purpose": link.purpose.as_str() });
    work.audit("Console.Setup", details).await?;
    work.commit().await?;
    let response = with_cookie(see_other(&at(app, HOME)), &BrowserCookie::Session.set(app, begun.cookie));
    Ok(with_cookie(response, &BrowserCookie::Console.set(app, cookie)))
}

/// Says at which field something was refused.
fn refused(
    frame: &Frame,
    link: &Link,
    entered: Entered<'_>,
    refusal: accounts::Refusal,
) -> Result<Response, PageError> {
    let texts = &frame.t.errors;
    let error = match refusal {
        accounts::Refusal::Taken(Known::Email) => FieldError::at("identifier", texts.email_taken.as_str()),
        accounts::Refusal::Taken(_) | accounts::Refusal::Conflict => {
            FieldError::at("identifier", texts.username_taken.as_str())
        }
        accounts::Refusal::PasswordsBusy => FieldError::of_form(texts.too_many_requests.as_str()),
        accounts::Refusal::Failed(error) => {
            log_failure(&*error);
            return Ok(PageError::logged());
        }
        other => {
            tracing::error!(refusal = ?other, "an administrator could not be made");
            return Ok(PageError::logged());
        }
    };
    Ok(page(frame, link, entered, Some(error)))
}

fn page(frame: &Frame, link: &Link, entered: Entered<'_>, error: Option<FieldError<'_>>) -> Response {
    ConsoleSetup {
        frame,
        error,
        code: entered.code,
        known: link.user.as_ref().map(name_of),
        is_first: link.purpose == Purpose::Setup,
        identifier: entered.identifier,
        name: entered.name,
    }
    .answer()
}
