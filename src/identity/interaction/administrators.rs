//! What lets somebody in who administers: a password or a passkey, and the second factors that they enrolled
//! themselves. Codes and links that a connector carries never do, at any application: whoever configures the connector,
//! or words its messages, could read them (`docs/decisions/people-who-administer.md`).

use super::refusal::InteractionRefusal;
use claimsmith_domain::federated::{ConnectorKind, Federated};
use claimsmith_domain::id::{SsoConnectorId, UserId};
use claimsmith_domain::interaction::{InteractionEvent, Method};
use claimsmith_services::app::App;
use claimsmith_storage::connectors::sso_connectors;
use claimsmith_storage::roles::console;
use claimsmith_storage::users::{User, sso_identities};
use claimsmith_storage::{self as storage, Tx};

/// Whether a user has rights of the console, or of the Management API.
pub async fn administers(app: &App, tx: &mut Tx, id: &UserId) -> storage::Result<bool> {
    console::is_held_by(tx, id, &app.config.tokens.management_resource).await
}

/// The same for whoever was found. Asks the database for nobody as well, so that it takes as long.
pub(super) async fn is_administrator(app: &App, tx: &mut Tx, user: Option<&User>) -> storage::Result<bool> {
    let nobody = UserId::from("");
    administers(app, tx, user.map_or(&nobody, |user| &user.id)).await
}

/// Whether a proof of this kind may do for somebody who administers. Whatever is not named here does not.
pub(super) fn may_prove(method: &Method) -> bool {
    matches!(
        method,
        Method::Password { .. } | Method::SignInPasskey { .. } | Method::Social(_) | Method::EnterpriseSso(_)
    )
}

/// What somebody who administers is told of a proof that does not do. Others are told the same where the settings do
/// not take it.
pub(super) fn refusal(event: InteractionEvent) -> InteractionRefusal {
    match event {
        InteractionEvent::ForgotPassword => InteractionRefusal::WayBackDisabled,
        InteractionEvent::SignIn | InteractionEvent::Register => InteractionRefusal::MethodDisabled,
    }
}

/// Refuses a proof that does not do for this user, if they administer.
pub(super) async fn check(
    app: &App,
    tx: &mut Tx,
    user_id: &UserId,
    event: InteractionEvent,
    method: &Method,
) -> Result<(), InteractionRefusal> {
    if !administers(app, tx, user_id).await? {
        return Ok(());
    }
    match method.federated() {
        Some((ConnectorKind::Enterprise, federated)) => check_company(tx, user_id, federated).await,
        _ if may_prove(method) => Ok(()),
        _ => Err(refusal(event)),
    }
}

/// Refuses an account at an enterprise connector that does not sign in administrators, or that its user did not link
/// themselves.
pub(super) async fn check_company(
    tx: &mut Tx,
    user_id: &UserId,
    federated: &Federated,
) -> Result<(), InteractionRefusal> {
    let id = SsoConnectorId::from(federated.connector_id.as_str());
    let account = federated.account.as_ref().ok_or(InteractionRefusal::NotVerified)?;
    let identity = sso_identities::owner(tx, &id, &federated.realm, &account.id).await?;
    let is_theirs = identity.is_some_and(|identity| identity.user_id == *user_id && identity.linked_by_owner);
    if is_theirs && takes_administrators(tx, &id).await? { Ok(()) } else { Err(InteractionRefusal::UnknownSsoIdentity) }
}

/// Whether an enterprise connector signs in administrators.
pub(crate) async fn takes_administrators(tx: &mut Tx, id: &SsoConnectorId) -> storage::Result<bool> {
    Ok(sso_connectors::find(tx, id).await?.is_some_and(|connector| connector.signs_in_administrators))
}
