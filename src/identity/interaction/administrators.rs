//! Sign-in methods of administrators: a password or a passkey, and the second factors that they enrolled themselves.
//! Codes and links delivered by a connector are never accepted, at any application: an operator who configures the
//! connector or edits its message templates could read them (`docs/decisions/people-who-administer.md`).

use super::refusal::InteractionRefusal;
use claimsmith_domain::federated::{ConnectorKind, Federated};
use claimsmith_domain::id::{SsoConnectorId, UserId};
use claimsmith_domain::interaction::{InteractionEvent, Method};
use claimsmith_services::app::App;
use claimsmith_storage::connectors::sso_connectors;
use claimsmith_storage::roles::console;
use claimsmith_storage::users::{User, sso_identities};
use claimsmith_storage::{self as storage, Tx};

/// Whether a user has scopes of the console or of the Management API.
pub async fn administers(app: &App, tx: &mut Tx, id: &UserId) -> storage::Result<bool> {
    console::is_held_by(tx, id, &app.config.tokens.management_resource).await
}

/// Like `administers`, for a user that may not exist. The database is queried in either case, so that timing reveals
/// nothing.
pub(super) async fn is_administrator(app: &App, tx: &mut Tx, user: Option<&User>) -> storage::Result<bool> {
    let nobody = UserId::from("");
    administers(app, tx, user.map_or(&nobody, |user| &user.id)).await
}

/// Whether administrators may sign in by this method. Methods that are not listed are refused.
pub(super) fn may_prove(method: &Method) -> bool {
    matches!(
        method,
        Method::Password { .. } | Method::SignInPasskey { .. } | Method::Social(_) | Method::EnterpriseSso(_)
    )
}

/// The refusal of a method that administrators cannot use: the same as for a method that the settings disable.
pub(super) fn refusal(event: InteractionEvent) -> InteractionRefusal {
    match event {
        InteractionEvent::ForgotPassword => InteractionRefusal::WayBackDisabled,
        InteractionEvent::SignIn | InteractionEvent::Register => InteractionRefusal::MethodDisabled,
    }
}

/// Refuses a method that is not accepted for this user, if they are an administrator.
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

/// For administrators, refuses an account at an enterprise connector that is not enabled for administrators, or that
/// its user did not link themselves.
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

/// Whether an enterprise connector is enabled for administrators.
pub(crate) async fn takes_administrators(tx: &mut Tx, id: &SsoConnectorId) -> storage::Result<bool> {
    Ok(sso_connectors::find(tx, id).await?.is_some_and(|connector| connector.signs_in_administrators))
}
