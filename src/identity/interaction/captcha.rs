//! Captcha: checks that a human is signing in. The check runs when an interaction begins; without it, passwords cannot
//! be verified or set, codes are not sent, and users cannot register or sign in. Sign-in by a link, a connector or a
//! passkey skips it.

use super::current::CurrentInteraction;
use super::refusal::InteractionRefusal;
use super::step::InteractionStep;
use claimsmith_domain::captcha::CaptchaProgress;
use claimsmith_domain::documents::captcha::{CaptchaConfig, bits};
use claimsmith_domain::documents::sign_in_experience::SignInExperience;
use claimsmith_services::app::App;
use claimsmith_services::captcha::proof_of_work::{self, Puzzle, PuzzleContext};
use claimsmith_services::captcha::{self, ProviderClient};
use claimsmith_storage::sign_in::captcha as stored;
use claimsmith_storage::{self as storage, Tx};

/// Retry delay for an IP address that exceeds this node's rate limit, in milliseconds.
const PAUSE_MS: i64 = 1000;

/// The kind of captcha on the pages of this server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PageCaptcha {
    /// The browser solves a puzzle of this server.
    Puzzle,
    /// An external provider, whose scripts these pages do not load.
    ProviderWidget,
}

/// The captcha provider, if captcha is enabled.
async fn asking(app: &App, tx: &mut Tx, settings: &SignInExperience) -> Result<Option<CaptchaConfig>, captcha::Error> {
    if settings.captcha_policy.enabled == Some(true) { captcha::find(tx, &app.cipher).await } else { Ok(None) }
}

/// The captcha configuration that pages need, without secrets. An unreadable provider counts as none.
pub async fn shown(app: &App, tx: &mut Tx, settings: &SignInExperience) -> storage::Result<Option<CaptchaConfig>> {
    match asking(app, tx, settings).await {
        Ok(config) => Ok(config),
        Err(captcha::Error::Storage(error)) => Err(error),
        Err(error) => {
            tracing::warn!(%error, "the captcha provider cannot be read");
            Ok(None)
        }
    }
}

/// The kind of captcha on the pages of this server, if enabled.
pub async fn on_pages(app: &App, tx: &mut Tx, settings: &SignInExperience) -> storage::Result<Option<PageCaptcha>> {
    let config = shown(app, tx, settings).await?;
    Ok(config.map(|config| match config {
        CaptchaConfig::ProofOfWork { .. } => PageCaptcha::Puzzle,
        CaptchaConfig::Turnstile { .. } | CaptchaConfig::RecaptchaEnterprise { .. } => PageCaptcha::ProviderWidget,
    }))
}

/// Creates a puzzle for this interaction, if captcha uses proof of work.
pub async fn puzzle(current: &CurrentInteraction) -> Result<Puzzle, InteractionRefusal> {
    let settings = current.settings().await?;
    let app = &current.app;
    match asking(app, &mut app.db.read().await?, &settings).await? {
        Some(CaptchaConfig::ProofOfWork { difficulty }) => {
            Ok(proof_of_work::ask(&app.cipher, asked(current), bits(difficulty))?)
        }
        _ => Err(InteractionRefusal::NoPuzzle),
    }
}

/// The captcha state of an interaction that begins. A missing answer is not refused yet: `check` asks for it when it is
/// needed.
pub(super) async fn answer(
    current: &CurrentInteraction,
    answer: Option<&str>,
) -> Result<CaptchaProgress, InteractionRefusal> {
    let outcome = check_answer(current, answer).await;
    current.note(InteractionStep::Captcha, outcome)
}

async fn check_answer(
    current: &CurrentInteraction,
    answer: Option<&str>,
) -> Result<CaptchaProgress, InteractionRefusal> {
    let before = current.progress.captcha.unanswered();
    let Some(answer) = answer else { return Ok(before) };
    let settings = current.settings().await?;
    let app = &current.app;
    let Some(config) = asking(app, &mut app.db.read().await?, &settings).await? else { return Ok(before) };
    let is_right = if matches!(config, CaptchaConfig::ProofOfWork { .. }) {
        proof_of_work::is_solved(&app.cipher, asked(current), answer)
    } else {
        confirm(app, &app.captcha, current, &config, answer).await?
    };
    if is_right { Ok(before.answered()) } else { Err(InteractionRefusal::CaptchaFailed) }
}

/// Verifies the answer at the provider, rate-limited per IP address, since each answer costs a request.
async fn confirm(
    app: &App,
    provider: &ProviderClient,
    current: &CurrentInteraction,
    config: &CaptchaConfig,
    answer: &str,
) -> Result<bool, InteractionRefusal> {
    let address = current.browser.origin.ip;
    if !app.sign_in_attempts.admits(address, app.clock.now_ms()) {
        return Err(InteractionRefusal::Blocked(PAUSE_MS));
    }
    Ok(provider.confirms(config, answer, address).await)
}

/// Refuses an interaction without a solved captcha, if it is required. A policy without a provider requires nothing.
pub(super) async fn check(current: &CurrentInteraction, settings: &SignInExperience) -> Result<(), InteractionRefusal> {
    let is_asked = settings.captcha_policy.enabled == Some(true);
    if !is_asked || current.progress.captcha.verified || current.progress.skips_captcha() {
        return Ok(());
    }
    let has_provider = stored::find(&mut current.app.db.read().await?).await?.is_some();
    if has_provider { Err(InteractionRefusal::CaptchaRequired) } else { Ok(()) }
}

fn asked(current: &CurrentInteraction) -> PuzzleContext<'_> {
    PuzzleContext {
        interaction_id: current.id().as_str(),
        round: current.progress.captcha.round,
        now: current.app.clock.now_ms(),
    }
}
