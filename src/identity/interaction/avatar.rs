//! The picture of a registering user: uploaded before the account exists, and chosen with the rest of the profile.

use super::current::CurrentInteraction;
use super::refusal::InteractionRefusal;
use super::rows::{self, RowCaller};
use super::step::InteractionStep;
use crate::accounts::{Uploader, keep_avatar};
use claimsmith_domain::avatar::address;
use claimsmith_domain::interaction::InteractionEvent;
use claimsmith_domain::outsider_rows::RowKind;
use claimsmith_services::pictures::Picture;
use serde_json::json;

/// Refuses pictures outside of registration.
pub fn check_registers(current: &CurrentInteraction) -> Result<(), InteractionRefusal> {
    let is_over = current.progress.authenticated;
    if current.event()? == InteractionEvent::Register && !is_over {
        Ok(())
    } else {
        Err(InteractionRefusal::WrongEvent)
    }
}

/// Stores a picture, replacing an earlier one; returns its URL, which is still to be chosen.
pub async fn upload(current: &mut CurrentInteraction, picture: Picture) -> Result<String, InteractionRefusal> {
    let outcome = keep(current, picture).await;
    current.note(InteractionStep::Profile, outcome)
}

async fn keep(current: &mut CurrentInteraction, picture: Picture) -> Result<String, InteractionRefusal> {
    check_registers(current)?;
    let interaction_id = current.id().clone();
    let caller = RowCaller { client_id: Some(&current.request.client_id), ..RowCaller::default() };
    rows::take(&current.app, RowKind::Pictures, &current.browser.origin, caller, picture.bytes.len())?;
    let mut work = current.begin().await?;
    let id = keep_avatar(&mut work, Uploader::Registration(&interaction_id), picture).await?;
    current.save(&mut work, InteractionStep::Profile, json!({ "type": "avatar" })).await?;
    work.commit().await?;
    Ok(address(current.app.config.server.base_url.as_str(), &id))
}
