//! Finds the user of an account at an upstream: the user who has linked it; or, if the connector owns the domain of its
//! email address, the user with that address. Administrators are not found by an address.

use crate::interaction::administrators::administers;
use crate::interaction::current::CurrentInteraction;
use crate::interaction::refusal::InteractionRefusal;
use claimsmith_domain::federated::{ConnectorKind, Federated};
use claimsmith_domain::id::{SsoConnectorId, UserId};
use claimsmith_services::app::App;
use claimsmith_storage::users::{self, Identifiers, User, identities, sso_identities};
use claimsmith_storage::{self as storage, Tx};

/// The user of an account, or the reason that there is none.
pub(crate) async fn find(
    current: &CurrentInteraction,
    kind: ConnectorKind,
    federated: &Federated,
) -> Result<User, InteractionRefusal> {
    let account = federated.account.as_ref().ok_or(InteractionRefusal::NotVerified)?;
    let mut tx = current.app.db.read().await?;
    if let Some(id) = linked_to(&mut tx, kind, federated).await? {
        return users::find(&mut tx, &id).await?.ok_or(InteractionRefusal::UnknownUser);
    }
    let related = match account.verified_email() {
        Some(email) => of_address(&current.app, &mut tx, email).await?,
        None => None,
    };
    match (kind, related) {
        (ConnectorKind::Enterprise, Some(user)) if federated.owns_address => {
            // A user who has linked another account at this connector is not the same person.
            let known = sso_identities::of_user(&mut tx, &user.id).await?;
            let has_other = known.iter().any(|one| *one.sso_connector_id == *federated.connector_id);
            if has_other { Err(InteractionRefusal::UnknownSsoIdentity) } else { Ok(user) }
        }
        (ConnectorKind::Enterprise, _) => Err(InteractionRefusal::UnknownSsoIdentity),
        (ConnectorKind::Social, related) => {
            Err(InteractionRefusal::UnknownIdentity(related.and_then(|user| user.primary_email)))
        }
    }
}

/// The user with this email address, unless they are an administrator.
pub(crate) async fn of_address(app: &App, tx: &mut Tx, email: &str) -> storage::Result<Option<User>> {
    let wanted = Identifiers { username: None, primary_email: Some(email.to_owned()), primary_phone: None };
    match users::find_identified(tx, &wanted).await? {
        Some(user) if !administers(app, tx, &user.id).await? => Ok(Some(user)),
        _ => Ok(None),
    }
}

/// The user who has linked this account.
pub(crate) async fn linked_to(
    tx: &mut Tx,
    kind: ConnectorKind,
    federated: &Federated,
) -> storage::Result<Option<UserId>> {
    let Some(account) = &federated.account else { return Ok(None) };
    match kind {
        ConnectorKind::Social => identities::owner(tx, &federated.realm, &account.id).await,
        ConnectorKind::Enterprise => {
            let connector_id = SsoConnectorId::from(federated.connector_id.as_str());
            let found = sso_identities::owner(tx, &connector_id, &federated.realm, &account.id).await?;
            Ok(found.map(|identity| identity.user_id))
        }
    }
}
