//! Sign-in for the user's own account page: an interaction without an application. The browser gets a session, but no
//! code is issued (`docs/decisions/account-page.md`).

use super::accounts::accounts;
use super::current::{Browser, CurrentInteraction};
use super::refusal::InteractionRefusal;
use super::start::{self, new_interaction};
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::authorization::request::{ACCOUNT_PAGE, AuthorizationRequest, Prompt, ResponseMode};
use claimsmith_domain::authorization::screen::Screen;
use claimsmith_domain::id::InteractionId;
use claimsmith_domain::origin::RequestOrigin;
use claimsmith_domain::user_scope::OPENID;
use claimsmith_services::app::App;
use claimsmith_services::audit::Actor;
use claimsmith_services::unit_of_work::UnitOfWork;
use claimsmith_storage::sessions::{self, interactions};
use serde_json::json;

/// The first step of the interaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum First {
    /// Sign in: there is no session.
    SignIn,
    /// Sign in again, as a fresh proof of identity.
    SignInAgain,
    /// Choose another account.
    ChooseAccount,
}

/// A started interaction.
pub struct BegunInteraction {
    /// Its id.
    pub id: InteractionId,
    /// Its cookie.
    pub cookie: String,
    /// The path of its first page.
    pub path: &'static str,
}

/// Begins the interaction.
pub async fn begin(app: &App, origin: &RequestOrigin, first: First) -> Result<BegunInteraction, InteractionRefusal> {
    let (screen, prompts) = match first {
        First::SignIn => (Screen::default(), Vec::new()),
        First::SignInAgain => (Screen::default(), vec![Prompt::Login]),
        First::ChooseAccount => (Screen::SwitchAccount, vec![Prompt::SelectAccount]),
    };
    let request = request(app, prompts);
    start::admit(app, origin, &request)?;
    let (row, cookie) = new_interaction(app, request, None, "")?;
    let mut tx = app.db.begin().await?;
    interactions::insert(&mut tx, &row).await?;
    tx.commit().await?;
    Ok(BegunInteraction { id: row.id, cookie, path: screen.path() })
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
        pushed_hash: None,
        device: None,
    }
}

/// Handles the browser's return from the pages: the account that was signed in or chosen becomes the most recently used
/// one. [`InteractionRefusal::NotIdentified`] if no user has signed in.
pub async fn arrive(app: &App, browser: Browser) -> Result<(), InteractionRefusal> {
    let current = CurrentInteraction::load(app, browser).await?;
    if !current.request.is_of_account_page() {
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
    if !current.end(&mut work).await? {
        return Err(InteractionRefusal::Superseded);
    }
    let details = json!({ "interactionId": current.id(), "userId": session.user_id });
    work.audit(AuditKey::InteractionEnd, details).await?;
    Ok(work.commit().await?)
}
