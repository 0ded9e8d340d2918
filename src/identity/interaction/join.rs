//! Just-in-time provisioning: a user who registers or signs in with a verified email address joins the organizations
//! that provision its domain, and those that a link named; one who signs in through an enterprise connector, those that
//! provision its users.

use super::current::CurrentInteraction;
use super::refusal::InteractionRefusal;
use crate::accounts;
use claimsmith_domain::id::SsoConnectorId;
use claimsmith_domain::identifier::{Identifier, IdentifierType};
use claimsmith_domain::interaction::{InteractionEvent, Method};
use claimsmith_services::unit_of_work::UnitOfWork;
use claimsmith_services::webhooks::Interaction;
use claimsmith_storage::organizations::jit;
use claimsmith_storage::users::{User, sso_identities};
use serde_json::Value;

/// Adds the user to the organizations, if their email address was verified in this interaction.
pub(super) async fn join(
    current: &CurrentInteraction,
    work: &mut UnitOfWork,
    user: &User,
) -> Result<(), InteractionRefusal> {
    join_by_connector(current, work, user).await?;
    let Some(email) = &user.primary_email else { return Ok(()) };
    let own = Identifier { kind: IdentifierType::Email, value: email.clone() };
    let is_verified = |method: &Method| match method {
        Method::EmailVerificationCode(sent) => sent.links() && sent.identifier.is_same(&own),
        Method::OneTimeToken { identifier, .. } => identifier.is_same(&own),
        // The domain's own connector.
        Method::EnterpriseSso(federated) => {
            let email = federated.account.as_ref().and_then(|account| account.verified_email());
            let said = email.map(|value| Identifier { kind: IdentifierType::Email, value: value.to_owned() });
            federated.owns_address && said.is_some_and(|said| said.is_same(&own))
        }
        _ => false,
    };
    let during = happening(current, user)?;
    let verified: Vec<&Method> =
        current.progress.verifications.iter().map(|kept| &kept.method).filter(|method| is_verified(method)).collect();
    if verified.is_empty() {
        return Ok(());
    }
    accounts::join_by_email(work, &user.id, email, &during).await?;
    for method in verified {
        if let Method::OneTimeToken { context, .. } = method {
            accounts::join_each(work, &user.id, &context.organization_ids(), &during).await?;
        }
    }
    Ok(())
}

/// Adds the user to the organizations of the enterprise connectors that proved an account of theirs now.
async fn join_by_connector(
    current: &CurrentInteraction,
    work: &mut UnitOfWork,
    user: &User,
) -> Result<(), InteractionRefusal> {
    let mut wanted = Vec::new();
    for kept in &current.progress.verifications {
        let Method::EnterpriseSso(federated) = &kept.method else { continue };
        let Some(account) = &federated.account else { continue };
        let connector_id = SsoConnectorId::from(federated.connector_id.as_str());
        let owner = sso_identities::owner(work, &connector_id, &federated.realm, &account.id).await?;
        if owner.is_some_and(|owner| owner.user_id == user.id) {
            wanted.append(&mut jit::organizations_of_connector(work, &connector_id).await?);
        }
    }
    wanted.sort_unstable();
    wanted.dedup();
    accounts::join_each(work, &user.id, &wanted, &happening(current, user)?).await?;
    Ok(())
}

fn happening(current: &CurrentInteraction, user: &User) -> Result<Interaction, InteractionRefusal> {
    let event = if current.progress.registered { InteractionEvent::Register } else { current.event()? };
    Ok(current.happening(event, &user.id, Value::Null))
}
