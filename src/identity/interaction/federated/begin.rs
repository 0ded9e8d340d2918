//! Begins a sign-in at an upstream: the data for the callback are stored with the interaction, which belongs to the
//! browser.

use super::connector;
use super::parameters::SignInParameters;
use super::upstream_sign_in::{EncryptedRow, comes_back, depart};
use crate::interaction::current::CurrentInteraction;
use crate::interaction::refusal::InteractionRefusal;
use crate::interaction::step::InteractionStep;
use claimsmith_domain::federated::ConnectorKind;
use claimsmith_domain::id::InteractionId;
use claimsmith_domain::interaction::{InteractionEvent, Method, Verification};
use claimsmith_services::encryption::Purpose;
use serde_json::json;

/// A started sign-in at an upstream.
pub struct BegunFederatedSignIn {
    /// The authorization URL for the browser.
    pub authorization_uri: String,
    /// The id of its verification.
    pub verification_id: String,
}

/// Begins a sign-in at a connector.
pub async fn begin(
    current: &mut CurrentInteraction,
    kind: ConnectorKind,
    parameters: &SignInParameters<'_>,
) -> Result<BegunFederatedSignIn, InteractionRefusal> {
    let outcome = send(current, kind, parameters).await;
    current.note(InteractionStep::NewFederated(kind), outcome)
}

async fn send(
    current: &mut CurrentInteraction,
    kind: ConnectorKind,
    parameters: &SignInParameters<'_>,
) -> Result<BegunFederatedSignIn, InteractionRefusal> {
    let event = current.event()?;
    if event == InteractionEvent::ForgotPassword {
        return Err(InteractionRefusal::WrongEvent);
    }
    if parameters.state.is_empty() || parameters.redirect_uri.is_empty() {
        return Err(InteractionRefusal::InsufficientInfo);
    }
    let app = current.app.clone();
    if !comes_back(app.config.server.base_url.as_str(), parameters) {
        return Err(InteractionRefusal::RedirectUri);
    }
    let settings = current.settings().await?;
    if !event.is_open(settings.sign_in_mode) {
        return Err(InteractionRefusal::Closed);
    }
    let connector = connector::of_interaction(current, kind, parameters.connector_id).await?;
    let verification_id = app.random.id(21)?;
    let name = row(current.id(), &verification_id);
    let (federated, authorization_uri) =
        depart(&app, connector, parameters, EncryptedRow { purpose: Purpose::Interaction, name: &name }).await?;
    let method = match kind {
        ConnectorKind::Social => Method::Social(federated),
        ConnectorKind::Enterprise => Method::EnterpriseSso(federated),
    };
    let mut work = current.begin().await?;
    current.progress.keep(Verification { id: verification_id.clone(), method });
    let details = json!({ "verificationId": verification_id, "connectorId": parameters.connector_id });
    current.save(&mut work, InteractionStep::NewFederated(kind), details).await?;
    work.commit().await?;
    Ok(BegunFederatedSignIn { authorization_uri, verification_id })
}

/// The row that the encrypted secrets are bound to.
pub(super) fn row(interaction: &InteractionId, verification_id: &str) -> String {
    format!("{interaction}/{verification_id}")
}
