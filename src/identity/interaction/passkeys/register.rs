//! Registration of passkeys: the challenge, and the browser's response. A passkey is added to the user at once, since the
//! device has it from then on, unless something is left to prove; then it is added when the interaction is submitted.

use super::{MAX_PASSKEYS, PasskeyChallenge, are_of_use, name_of, refused};
use crate::accounts::{self, Completion};
use crate::interaction::captcha;
use crate::interaction::current::CurrentInteraction;
use crate::interaction::factors::holder::{FactorHolder, of_interaction};
use crate::interaction::refusal::InteractionRefusal;
use crate::interaction::step::InteractionStep;
use crate::interaction::submit::admit;
use claimsmith_domain::documents::mfa::FactorType;
use claimsmith_domain::id::FactorId;
use claimsmith_domain::interaction::{Method, Verification};
use claimsmith_domain::staged_factors::StagedPasskey;
use claimsmith_services::unit_of_work::UnitOfWork;
use claimsmith_storage::users::passkeys;
use serde_json::{Map, Value, json};

/// Creates the challenge for a new passkey.
pub async fn ask(current: &mut CurrentInteraction) -> Result<PasskeyChallenge, InteractionRefusal> {
    let outcome = begin(current).await;
    current.note(InteractionStep::NewPasskey, outcome)
}

async fn begin(current: &mut CurrentInteraction) -> Result<PasskeyChallenge, InteractionRefusal> {
    let holder = of_interaction(current).await?;
    holder.check_proved(&current.progress)?;
    if !may_have_one(current, &holder) {
        return Err(InteractionRefusal::FactorDisabled);
    }
    let known = holder.credential_ids();
    if known.len() + current.progress.mfa.passkeys.len() >= MAX_PASSKEYS {
        return Err(InteractionRefusal::FactorInUse(FactorType::WebAuthn));
    }
    let user = &holder.user;
    let asked = current.app.passkeys.ask_for_new(&user.id, name_of(user), &known).map_err(refused)?;
    let verification_id = current.app.random.id(21)?;
    let mut work = current.begin().await?;
    let method = Method::NewWebAuthn { user_id: user.id.clone(), challenge: asked.state, passkey: None };
    current.progress.keep(Verification { id: verification_id.clone(), method });
    current
        .save(&mut work, InteractionStep::NewPasskey, json!({ "verificationId": verification_id, "isNew": true }))
        .await?;
    work.commit().await?;
    Ok(PasskeyChallenge { verification_id, options: asked.options })
}

/// Verifies the registration of a passkey; returns the id of the verification.
pub async fn verify(
    current: &mut CurrentInteraction,
    id: &str,
    answer: Map<String, Value>,
) -> Result<String, InteractionRefusal> {
    let outcome = confirm(current, id, answer).await;
    current.note(InteractionStep::Passkey, outcome)
}

async fn confirm(
    current: &mut CurrentInteraction,
    id: &str,
    answer: Map<String, Value>,
) -> Result<String, InteractionRefusal> {
    let holder = of_interaction(current).await?;
    let method = &current.progress.verification(id).ok_or(InteractionRefusal::UnknownVerification)?.method;
    let challenge = match method {
        Method::NewWebAuthn { user_id, challenge, passkey: None } if *user_id == holder.user.id => challenge.clone(),
        _ => return Err(InteractionRefusal::NoPasskeyAsked),
    };
    let made = current.app.passkeys.verify_new(answer, &challenge).map_err(refused)?;
    let taken = passkeys::find_by_credential(&mut current.app.db.read().await?, &made.credential_id).await?;
    if taken.is_some() {
        return Err(InteractionRefusal::InvalidPasskey);
    }
    let passkey = StagedPasskey {
        id: FactorId::from(current.app.random.id(21)?),
        credential_id: made.credential_id,
        credential: made.credential,
        is_synced: made.is_synced,
        agent: current.browser.origin.user_agent.clone(),
        is_stored: false,
    };
    let mut work = current.begin().await?;
    // The challenge is used up.
    let method = Method::NewWebAuthn { user_id: holder.user.id, challenge: Value::Null, passkey: Some(passkey) };
    current.progress.keep(Verification { id: id.to_owned(), method });
    current.save(&mut work, InteractionStep::Passkey, json!({ "verificationId": id, "isNew": true })).await?;
    work.commit().await?;
    Ok(id.to_owned())
}

/// Stages the passkey of this verification, for sign-in and as a second factor.
pub async fn bind(current: &mut CurrentInteraction, id: &str) -> Result<(), InteractionRefusal> {
    let outcome = stage(current, id).await;
    current.note(InteractionStep::BindPasskey, outcome)
}

async fn stage(current: &mut CurrentInteraction, id: &str) -> Result<(), InteractionRefusal> {
    let holder = of_interaction(current).await?;
    holder.check_proved(&current.progress)?;
    if !may_have_one(current, &holder) {
        return Err(InteractionRefusal::FactorDisabled);
    }
    let method = &current.progress.verification(id).ok_or(InteractionRefusal::UnknownVerification)?.method;
    let mut passkey = match method {
        Method::NewWebAuthn { user_id, passkey: Some(passkey), .. } if *user_id == holder.user.id => passkey.clone(),
        _ => return Err(InteractionRefusal::NotVerified),
    };
    let details = json!({ "verificationId": id, "factorId": passkey.id });
    let has_captcha = captcha::check(current, &holder.settings).await.is_ok();
    let mut work = current.begin().await?;
    passkey.is_stored = current.progress.mfa.has_stored(&passkey.id)
        || has_captcha && store(current, &mut work, &holder, &passkey).await?;
    current.progress.mfa.stage_passkey(passkey, holder.settings.mfa.factors.contains(&FactorType::WebAuthn.setting()));
    current.save(&mut work, InteractionStep::BindPasskey, details).await?;
    Ok(work.commit().await?)
}

/// Adds the passkey to a user who has proved all that a sign-in needs, whatever is left to set up. Returns whether it was
/// added.
async fn store(
    current: &CurrentInteraction,
    work: &mut UnitOfWork,
    holder: &FactorHolder,
    passkey: &StagedPasskey,
) -> Result<bool, InteractionRefusal> {
    let user_id = &holder.user.id;
    match admit(current, work, user_id).await {
        Ok(_) => {}
        Err(failure @ InteractionRefusal::Failed(_)) => return Err(failure),
        Err(_) => return Ok(false),
    }
    let given = Completion { passkeys: vec![passkey.clone()], ..Completion::default() };
    let during = current.happening(holder.event, user_id, Value::Null);
    accounts::complete(work, &current.app.cipher, user_id, given, during).await?;
    Ok(true)
}

/// The user skips adding a passkey for sign-in.
pub async fn skip(current: &mut CurrentInteraction) -> Result<(), InteractionRefusal> {
    let outcome = decline(current).await;
    current.note(InteractionStep::Profile, outcome)
}

async fn decline(current: &mut CurrentInteraction) -> Result<(), InteractionRefusal> {
    of_interaction(current).await?;
    let mut work = current.begin().await?;
    current.progress.mfa.passkey_skipped = true;
    current.save(&mut work, InteractionStep::Profile, json!({ "type": "passkey", "choice": "skipped" })).await?;
    Ok(work.commit().await?)
}

/// Whether the settings enable passkeys, and passkeys are possible at this server.
fn may_have_one(current: &CurrentInteraction, holder: &FactorHolder) -> bool {
    current.app.passkeys.are_possible() && are_of_use(&holder.settings)
}
