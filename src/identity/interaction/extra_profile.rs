//! Values of the operator's profile fields that a registering user enters, staged until the account is created.

use super::asked_fields::fields;
use super::current::CurrentInteraction;
use super::profile::user_to_complete;
use super::refusal::InteractionRefusal;
use super::step::InteractionStep;
use claimsmith_domain::custom_profile_field::submission::read;
use claimsmith_domain::interaction::InteractionEvent;
use serde_json::{Map, Value, json};

/// Stages the entered values.
pub async fn add_extra(
    current: &mut CurrentInteraction,
    values: &Map<String, Value>,
) -> Result<(), InteractionRefusal> {
    let outcome = stage(current, values).await;
    current.note(InteractionStep::Profile, outcome)
}

async fn stage(current: &mut CurrentInteraction, values: &Map<String, Value>) -> Result<(), InteractionRefusal> {
    user_to_complete(current).await?;
    // Existing users change them on their account page, if the settings allow it.
    if current.event()? != InteractionEvent::Register {
        return Err(InteractionRefusal::WrongEvent);
    }
    let given = read(&fields(current).await?, values).map_err(InteractionRefusal::ExtraProfile)?;
    let mut work = current.begin().await?;
    current.progress.extra_profile_submitted = true;
    for (place, value) in given {
        current.progress.profile.enter(place, value);
    }
    current.save(&mut work, InteractionStep::Profile, json!({ "type": "extraProfile" })).await?;
    Ok(work.commit().await?)
}
