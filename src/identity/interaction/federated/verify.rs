//! Verifies the callback of an upstream. The state belongs to one interaction and one connector, and is used up before
//! the code is redeemed, whatever the result.

use super::begin::row;
use super::connector;
use super::parameters::Callback;
use super::upstream_sign_in::{EncryptedRow, UpstreamIdentity, receive, recognize};
use crate::interaction::current::CurrentInteraction;
use crate::interaction::refusal::InteractionRefusal;
use crate::interaction::step::InteractionStep;
use claimsmith_domain::federated::{ConnectorKind, Federated};
use claimsmith_domain::interaction::Method;
use claimsmith_services::encryption::Purpose;
use serde_json::json;

/// Retry delay for an IP address that exceeds this node's rate limit, in milliseconds.
pub(crate) const PAUSE_MS: i64 = 1000;

/// Verifies the callback of a connector; returns the id of the verification: the named one, or the only one of this
/// kind.
pub async fn verify(
    current: &mut CurrentInteraction,
    kind: ConnectorKind,
    connector_id: &str,
    callback: &Callback,
    verification_id: Option<&str>,
) -> Result<String, InteractionRefusal> {
    let outcome = take(current, kind, connector_id, callback, verification_id).await;
    current.note(InteractionStep::Federated(kind), outcome)
}

async fn take(
    current: &mut CurrentInteraction,
    kind: ConnectorKind,
    connector_id: &str,
    callback: &Callback,
    verification_id: Option<&str>,
) -> Result<String, InteractionRefusal> {
    current.event()?;
    let app = current.app.clone();
    let (now, address) = (app.clock.now_ms(), current.browser.origin.ip);
    if !app.sign_in_attempts.admits(address, now) {
        return Err(InteractionRefusal::Blocked(PAUSE_MS));
    }
    let (id, waiting) = find(current, kind, connector_id, verification_id)?;
    let pending = recognize(&app, kind, &waiting, callback)?;
    let connector = connector::of_interaction(current, kind, connector_id).await?;
    use_up(current, &id).await?;
    let name = row(current.id(), &id);
    let (of, row) = ((kind, &connector), EncryptedRow { purpose: Purpose::Interaction, name: &name });
    let UpstreamIdentity { account, owns_address } = receive(&app, of, (&waiting, &pending), callback, row).await?;
    let mut work = current.begin().await?;
    if let Some(federated) = federated_mut(current, &id) {
        (federated.account, federated.owns_address) = (Some(account), owns_address);
        federated.sync_profile = connector.sync_profile;
    }
    let details = json!({ "verificationId": id, "connectorId": connector_id });
    current.save(&mut work, InteractionStep::Federated(kind), details).await?;
    work.commit().await?;
    Ok(id)
}

/// The pending sign-in at this connector, with its id.
fn find(
    current: &CurrentInteraction,
    kind: ConnectorKind,
    connector_id: &str,
    verification_id: Option<&str>,
) -> Result<(String, Federated), InteractionRefusal> {
    let named = |id: &str| verification_id.is_none_or(|wanted| wanted == id);
    let found = current.progress.verifications.iter().find_map(|kept| match kept.method.federated() {
        Some((found, federated)) if found == kind && named(&kept.id) => Some((kept.id.clone(), federated.clone())),
        _ => None,
    });
    match found {
        Some((id, federated)) if federated.connector_id == connector_id => Ok((id, federated)),
        _ if verification_id.is_some() => Err(InteractionRefusal::UnknownVerification),
        _ => Err(InteractionRefusal::NotAwaited(kind)),
    }
}

/// Uses up the state: of concurrent callbacks, only one proceeds.
async fn use_up(current: &mut CurrentInteraction, id: &str) -> Result<(), InteractionRefusal> {
    let mut work = current.begin().await?;
    if let Some(federated) = federated_mut(current, id) {
        federated.pending = None;
    }
    current.keep(&mut work).await?;
    Ok(work.commit().await?)
}

fn federated_mut<'c>(current: &'c mut CurrentInteraction, id: &str) -> Option<&'c mut Federated> {
    let kept = current.progress.verifications.iter_mut().find(|kept| kept.id == id)?;
    match &mut kept.method {
        Method::Social(federated) | Method::EnterpriseSso(federated) => Some(federated),
        _ => None,
    }
}
