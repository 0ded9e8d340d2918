//! What an interaction is about: said at its begin, and changed by whoever would rather register, or has an account.

use super::current::Current;
use super::refusal::Refusal;
use super::step::Step;
use crate::domain::interaction::{InteractionEvent, Progress, StagedProfile};
use crate::domain::staged_factors::StagedMfa;
use serde_json::json;

/// Begins an interaction, or begins it anew: what was done in it is forgotten.
pub(crate) async fn start(current: &mut Current, event: InteractionEvent) -> Result<(), Refusal> {
    let outcome = begin(current, event, Progress { event: Some(event), ..Progress::default() }).await;
    current.note(Step::Update, outcome)
}

/// Goes on as another event. Verifications stay; what was to be written, and who it was, is forgotten.
pub(crate) async fn switch(current: &mut Current, event: InteractionEvent) -> Result<(), Refusal> {
    let outcome = change(current, event).await;
    current.note(Step::Update, outcome)
}

async fn change(current: &mut Current, event: InteractionEvent) -> Result<(), Refusal> {
    let mut progress = current.progress.clone();
    if current.event()? != event {
        // Their account exists: there is nothing to go back to.
        if progress.registered || progress.authenticated {
            return Err(Refusal::WrongEvent);
        }
        (progress.profile, progress.mfa) = (StagedProfile::default(), StagedMfa::default());
        (progress.user_id, progress.credential) = (None, None);
    }
    begin(current, event, Progress { event: Some(event), ..progress }).await
}

async fn begin(current: &mut Current, event: InteractionEvent, progress: Progress) -> Result<(), Refusal> {
    if event == InteractionEvent::ForgotPassword {
        return Err(Refusal::ForgotPassword);
    }
    if !event.is_open(current.settings().await?.sign_in_mode) {
        return Err(Refusal::Closed);
    }
    let mut work = current.begin().await?;
    current.progress = progress;
    current.save(&mut work, Step::Update, json!({})).await?;
    Ok(work.commit().await?)
}
