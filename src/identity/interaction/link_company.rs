//! Links an account of an enterprise connector for administrators, at the request of a user who has authenticated to
//! this server in the same interaction.

use super::administrators::takes_administrators;
use super::current::CurrentInteraction;
use super::factors::holder::of_interaction;
use super::federated::owner::linked_to;
use super::federated::stage::{check_allowed, stage};
use super::proof::standing;
use super::refusal::InteractionRefusal;
use super::step::InteractionStep;
use claimsmith_domain::federated::{ConnectorKind, Federated};
use claimsmith_domain::id::SsoConnectorId;
use claimsmith_domain::interaction::{InteractionEvent, Method};
use claimsmith_storage::users::sso_identities;
use serde_json::json;

/// Stages the account of this verification for the user of the interaction.
pub async fn link_company(current: &mut CurrentInteraction, verification_id: &str) -> Result<(), InteractionRefusal> {
    let outcome = link(current, verification_id).await;
    current.note(InteractionStep::Profile, outcome)
}

async fn link(current: &mut CurrentInteraction, verification_id: &str) -> Result<(), InteractionRefusal> {
    let holder = of_interaction(current).await?;
    holder.check_proved(&current.progress)?;
    let method =
        current.progress.verification(verification_id).ok_or(InteractionRefusal::UnknownVerification)?.method.clone();
    let Method::EnterpriseSso(federated) = &method else { return Err(InteractionRefusal::NotVerified) };
    if federated.account.is_none() {
        return Err(InteractionRefusal::NotVerified);
    }
    let (settings, user) = (current.settings().await?, (&holder.user, holder.administers));
    // The user must have authenticated at this server, not by the account at the connector.
    let proof = standing(&current.progress, &settings, InteractionEvent::SignIn, user)?;
    if !matches!(proof.method, Method::Password { .. } | Method::SignInPasskey { .. }) {
        return Err(InteractionRefusal::NotVerified);
    }
    check_allowed(&settings, ConnectorKind::Enterprise, federated)?;
    let mut tx = current.app.db.read().await?;
    if !takes_administrators(&mut tx, &SsoConnectorId::from(federated.connector_id.as_str())).await? {
        return Err(InteractionRefusal::MethodDisabled);
    }
    let known = sso_identities::of_user(&mut tx, &holder.user.id).await?;
    let has_one = known.iter().any(|one| *one.sso_connector_id == *federated.connector_id);
    if has_one || linked_to(&mut tx, ConnectorKind::Enterprise, federated).await?.is_some() {
        return Err(InteractionRefusal::IdentityTaken);
    }
    drop(tx);
    let details = json!({ "type": "enterpriseSso", "verificationId": verification_id });
    let linked = Federated { by_owner: true, ..federated.clone() };
    let mut work = current.begin().await?;
    stage(&mut current.progress.profile, ConnectorKind::Enterprise, &linked);
    current.save(&mut work, InteractionStep::Profile, details).await?;
    Ok(work.commit().await?)
}
