//! Signing in for the page of one's own account: an interaction like any other, but for no application. The browser gets
//! a session, and no code is made (`docs/decisions/account-page.md`).

use super::accounts::accounts;
use super::current::{Browser, Current};
use super::refusal::InteractionRefusal;
use super::start::new_interaction;
use crate::app::App;
use crate::audit::Actor;
use crate::domain::authorization::request::{ACCOUNT_PAGE, AuthorizationRequest, Prompt, ResponseMode};
use crate::domain::authorization::screen::Screen;
use crate::domain::id::InteractionId;
use crate::domain::origin::RequestOrigin;
use crate::domain::user_scope::OPENID;
use crate::storage::sessions::{self, interactions};
use crate::unit_of_work::UnitOfWork;
use serde_json::json;

/// How long somebody waits who begins too many, in milliseconds.
const PAUSE_MS: i64 = 1000;

/// What somebody is to do first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum First {
    /// Sign in, as they are not.
    SignIn,
    /// Sign in again, to prove that it is still them.
    SignInAgain,
    /// Choose another account.
    ChooseAccount,
}

/// Begins it; answers the cookie of the interaction, and the path of its first page.
pub(crate) async fn begin(
    app: &App,
    origin: &RequestOrigin,
    first: First,
) -> Result<(String, &'static str), InteractionRefusal> {
    if !app.interactions.admits(origin.ip, app.clock.now_ms()) {
        return Err(InteractionRefusal::Blocked(PAUSE_MS));
    }
    let (screen, prompts) = match first {
        First::SignIn => (Screen::default(), Vec::new()),
        First::SignInAgain => (Screen::default(), vec![Prompt::Login]),
        First::ChooseAccount => (Screen::SwitchAccount, vec![Prompt::SelectAccount]),
    };
    let (row, cookie) = new_interaction(app, request(app, prompts), None, "")?;
    let mut tx = app.db.begin().await?;
    interactions::insert(&mut tx, &row).await?;
    tx.commit().await?;
    Ok((cookie, screen.path()))
}

fn request(app: &App, prompts: Vec<Prompt>) -> AuthorizationRequest {
    AuthorizationRequest {
        client_id: ACCOUNT_PAGE.into(),
        redirect_uri: format!("{}/account", app.config.server.base_url),
        response_mode: ResponseMode::Query,
        state: None,
        nonce: None,
        scope: vec![OPENID.to_owned()],
        resources: Vec::new(),
        code_challenge: None,
        prompts,
        max_age: None,
        login_hint: None,
        ui_locales: None,
        hinted_user: None,
        screen: None,
        acr_values: Vec::new(),
        organization_id: None,
        one_time_token_hash: None,
        direct_sign_in: None,
        device: None,
    }
}

/// The browser comes back from the pages: the account that was signed in or chosen is the one that was used last.
/// [`InteractionRefusal::NotIdentified`] when nobody has signed in.
pub(crate) async fn arrive(app: &App, browser: Browser, id: &InteractionId) -> Result<(), InteractionRefusal> {
    let current = Current::load(app, browser).await?;
    if !current.request.is_of_account_page() || current.id() != id {
        return Err(InteractionRefusal::NoInteraction);
    }
    if current.request.asks(Prompt::Login) && !current.progress.authenticated {
        return Err(InteractionRefusal::NotIdentified);
    }
    let chosen = current.progress.session_id.as_ref().ok_or(InteractionRefusal::NotIdentified)?;
    let accounts = accounts(&current).await?;
    let (session, _) =
        accounts.iter().find(|(session, _)| session.id == *chosen).ok_or(InteractionRefusal::NotIdentified)?;
    let actor = Actor::Owner { id: session.user_id.clone(), application_id: None };
    let now = app.clock.now_ms();
    let mut work = UnitOfWork::begin(&app.db, actor, current.browser.origin.clone(), now).await?;
    if !sessions::touch(&mut work, &session.id, &session.user_id, now).await? {
        return Err(InteractionRefusal::NotIdentified);
    }
    interactions::delete(&mut work, id).await?;
    let details = json!({ "interactionId": id, "userId": session.user_id });
    work.audit("Interaction.End", details).await?;
    Ok(work.commit().await?)
}
