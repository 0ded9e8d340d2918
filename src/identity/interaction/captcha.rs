//! Captcha: whether a person, and not a program, is about to sign in. It is asked when an interaction begins; without
//! an answer nobody guesses or chooses passwords, is sent codes, registers or signs in. Whoever proves who they are
//! elsewhere, by a link or by a passkey is not asked.

use super::current::Current;
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

/// How long somebody waits who tries faster than this node lets an address try, in milliseconds.
const PAUSE_MS: i64 = 1000;

/// Who asks on the pages of this server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PageCaptcha {
    /// The browser solves a puzzle of this server.
    Puzzle,
    /// Somebody else, whose scripts these pages do not load.
    ProviderWidget,
}

/// Who asks, if anybody does now.
async fn asking(app: &App, tx: &mut Tx, settings: &SignInExperience) -> Result<Option<CaptchaConfig>, captcha::Error> {
    if settings.captcha_policy.enabled == Some(true) { captcha::find(tx, &app.cipher).await } else { Ok(None) }
}

/// What pages need to ask, if they are to; without secrets. A provider that cannot be read is shown as none.
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

/// Who asks on the pages of this server, if anybody does.
pub async fn on_pages(app: &App, tx: &mut Tx, settings: &SignInExperience) -> storage::Result<Option<PageCaptcha>> {
    let config = shown(app, tx, settings).await?;
    Ok(config.map(|config| match config {
        CaptchaConfig::ProofOfWork { .. } => PageCaptcha::Puzzle,
        CaptchaConfig::Turnstile { .. } | CaptchaConfig::RecaptchaEnterprise { .. } => PageCaptcha::ProviderWidget,
    }))
}

/// A puzzle for this interaction, where this server asks.
pub async fn puzzle(current: &Current) -> Result<Puzzle, InteractionRefusal> {
    let settings = current.settings().await?;
    let app = &current.app;
    match asking(app, &mut app.db.read().await?, &settings).await? {
        Some(CaptchaConfig::ProofOfWork { difficulty }) => {
            Ok(proof_of_work::ask(&app.cipher, asked(current), bits(difficulty))?)
        }
        _ => Err(InteractionRefusal::NoPuzzle),
    }
}

/// What came of the answer of an interaction that begins. Without one, nothing; it is asked for when it is needed.
pub(super) async fn answer(current: &Current, answer: Option<&str>) -> Result<CaptchaProgress, InteractionRefusal> {
    let outcome = check_answer(current, answer).await;
    current.note(InteractionStep::Captcha, outcome)
}

async fn check_answer(current: &Current, answer: Option<&str>) -> Result<CaptchaProgress, InteractionRefusal> {
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

/// Asks another server, no faster than one address may guess: each answer costs it a request.
async fn confirm(
    app: &App,
    provider: &ProviderClient,
    current: &Current,
    config: &CaptchaConfig,
    answer: &str,
) -> Result<bool, InteractionRefusal> {
    let address = current.browser.origin.ip;
    if !app.sign_in_attempts.admits(address, app.clock.now_ms()) {
        return Err(InteractionRefusal::Blocked(PAUSE_MS));
    }
    Ok(provider.confirms(config, answer, address).await)
}

/// Refuses whoever has not answered, where it is asked for. A policy without a provider asks nobody.
pub(super) async fn check(current: &Current, settings: &SignInExperience) -> Result<(), InteractionRefusal> {
    let is_asked = settings.captcha_policy.enabled == Some(true);
    if !is_asked || current.progress.captcha.verified || current.progress.skips_captcha() {
        return Ok(());
    }
    let has_provider = stored::find(&mut current.app.db.read().await?).await?.is_some();
    if has_provider { Err(InteractionRefusal::CaptchaRequired) } else { Ok(()) }
}

fn asked(current: &Current) -> PuzzleContext<'_> {
    PuzzleContext {
        interaction_id: current.id().as_str(),
        round: current.progress.captcha.round,
        now: current.app.clock.now_ms(),
    }
}
