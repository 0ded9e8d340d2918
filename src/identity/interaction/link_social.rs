//! Links an account of a social connector to an existing user: only if they authenticate in the same interaction, and
//! both email addresses are verified and equal (`docs/decisions/social-and-enterprise-sign-in.md`).

use super::administrators::administers;
use super::current::CurrentInteraction;
use super::federated::stage::{check_free, stage};
use super::proof::identified;
use super::refusal::InteractionRefusal;
use super::step::InteractionStep;
use claimsmith_domain::federated::ConnectorKind;
use claimsmith_domain::identifier::{Identifier, IdentifierType};
use claimsmith_domain::interaction::{InteractionEvent, Method};
use serde_json::json;

/// Identifies the user with the verified email address of this account, and stages the account for them.
pub async fn link_social(
    current: &mut CurrentInteraction,
    verification_id: Option<&str>,
) -> Result<(), InteractionRefusal> {
    let outcome = link(current, verification_id).await;
    current.note(InteractionStep::Identify, outcome)
}

async fn link(current: &mut CurrentInteraction, verification_id: Option<&str>) -> Result<(), InteractionRefusal> {
    if current.event()? != InteractionEvent::SignIn {
        return Err(InteractionRefusal::WrongEvent);
    }
    let id = verification_id.ok_or(InteractionRefusal::VerificationRequired)?;
    let method = current.progress.verification(id).ok_or(InteractionRefusal::UnknownVerification)?.method.clone();
    let Method::Social(federated) = &method else { return Err(InteractionRefusal::NotVerified) };
    let settings = current.settings().await?;
    if !InteractionEvent::SignIn.is_open(settings.sign_in_mode) {
        return Err(InteractionRefusal::Closed);
    }
    let account = federated.account.as_ref().ok_or(InteractionRefusal::NotVerified)?;
    let email = account.verified_email().ok_or(InteractionRefusal::UnknownIdentity(None))?;
    let said = Identifier { kind: IdentifierType::Email, value: email.to_owned() };
    let proofs: Vec<_> =
        current.progress.verifications.iter().map(|kept| (kept.id.clone(), kept.method.clone())).collect();
    for (proof_id, proof) in proofs.iter().filter(|(_, proof)| proof.federated().is_none()) {
        let Ok((user, credential)) = identified(current, &settings, proof).await else { continue };
        let own = user.primary_email.clone().map(|value| Identifier { kind: IdentifierType::Email, value });
        if !own.is_some_and(|own| own.is_same(&said)) {
            continue;
        }
        if administers(&current.app, &mut current.app.db.read().await?, &user.id).await? {
            return Err(InteractionRefusal::UnknownIdentity(None));
        }
        if current.progress.user_id.as_ref().is_some_and(|known| *known != user.id) {
            return Err(InteractionRefusal::OtherUser);
        }
        check_free(current, &user.id, federated).await?;
        let details = json!({ "verificationId": id, "linked": federated.realm });
        let mut work = current.begin().await?;
        current.progress.attribute(proof_id, &user.id);
        stage(&mut current.progress.profile, ConnectorKind::Social, federated);
        (current.progress.user_id, current.progress.credential) = (Some(user.id), credential);
        current.save(&mut work, InteractionStep::Identify, details).await?;
        return Ok(work.commit().await?);
    }
    // Without a proof of the user, the response reveals only that the account is not linked.
    Err(InteractionRefusal::UnknownIdentity(None))
}
