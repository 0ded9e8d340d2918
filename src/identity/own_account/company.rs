//! Accounts at enterprise connectors of one's own account. Administrators link and remove them themselves; those of
//! other users are managed by the company.

use super::owner::{Owner, OwnerAccess};
use super::proof;
use super::records::LIFETIME_MS;
use super::refusal::OwnAccountRefusal;
use super::settings::{check_edited, of_sign_in};
use crate::accounts::{begin_update, sign_in_means, unlink_company};
use crate::interaction::administrators::{administers, takes_administrators};
use crate::interaction::federated::connector;
use crate::interaction::federated::domains::name_of;
use crate::interaction::refusal::InteractionRefusal;
use claimsmith_domain::audit_key::{AuditKey, AuditOperation};
use claimsmith_domain::documents::account_center::Field;
use claimsmith_domain::documents::mfa::FactorType;
use claimsmith_domain::id::SsoConnectorId;
use claimsmith_storage::Tx;
use claimsmith_storage::connectors::sso_connectors::{self, SsoConnector};
use claimsmith_storage::sessions::{self, Session};
use claimsmith_storage::users::{mfa, passkeys, sso_identities};
use serde_json::json;

/// Maximum connectors offered.
const MAX_OFFERED: i64 = 100;

/// An enterprise connector, as its user sees it.
pub struct OwnCompany {
    /// The connector.
    pub id: SsoConnectorId,
    /// The display name.
    pub name: String,
}

impl From<SsoConnector> for OwnCompany {
    fn from(connector: SsoConnector) -> Self {
        Self { name: name_of(&connector).to_owned(), id: connector.id }
    }
}

/// The connectors at which the owner has an account, and those at which they can link one: enabled for administrators,
/// completely configured, and not linked yet.
pub async fn list(owner: &Owner, tx: &mut Tx) -> Result<(Vec<OwnCompany>, Vec<OwnCompany>), OwnAccountRefusal> {
    let mut linked = Vec::new();
    for identity in sso_identities::of_user(tx, &owner.user_id).await? {
        linked.extend(sso_connectors::find(tx, &identity.sso_connector_id).await?.map(OwnCompany::from));
    }
    let marked = sso_connectors::that_sign_in_administrators(tx, MAX_OFFERED).await?;
    let mut offered = Vec::new();
    for connector in marked.into_iter().filter(|one| linked.iter().all(|known| known.id != one.id)) {
        if connector::is_complete(&owner.app, tx, &connector).await? {
            offered.push(OwnCompany::from(connector));
        }
    }
    Ok((linked, offered))
}

/// Refuses to link an account at a connector that is not offered to the owner.
pub(super) async fn check_offered(
    owner: &Owner,
    tx: &mut Tx,
    connector_id: &SsoConnectorId,
) -> Result<(), OwnAccountRefusal> {
    check_may(owner, tx).await?;
    if !takes_administrators(tx, connector_id).await? {
        return Err(InteractionRefusal::MethodDisabled.into());
    }
    let known = sso_identities::of_user(tx, &owner.user_id).await?;
    let has_one = known.iter().any(|identity| identity.sso_connector_id == *connector_id);
    if has_one { Err(InteractionRefusal::IdentityTaken.into()) } else { Ok(()) }
}

/// Refuses owners who are not administrators, or do not use the page.
async fn check_may(owner: &Owner, tx: &mut Tx) -> Result<(), OwnAccountRefusal> {
    let is_at_page = matches!(owner.way, OwnerAccess::Page { .. });
    let is_allowed = is_at_page && administers(&owner.app, tx, &owner.user_id).await?;
    if is_allowed { Ok(()) } else { Err(OwnAccountRefusal::FieldReadOnly) }
}

/// Refuses an owner who has a second factor and did not prove it in a sign-in within the last ten minutes.
pub(super) async fn check_factor(owner: &Owner, tx: &mut Tx) -> Result<(), OwnAccountRefusal> {
    let is_totp = |factor: &mfa::MfaFactor| factor.kind == FactorType::Totp;
    let has_totp = mfa::list(tx, &owner.user_id).await?.iter().any(is_totp);
    // Backup codes only replace another factor.
    let has_passkey = owner.app.passkeys.are_possible() && !passkeys::of_user(tx, &owner.user_id).await?.is_empty();
    if !has_totp && !has_passkey {
        return Ok(());
    }
    let session = match owner.session_id() {
        Some(id) => sessions::find(tx, id).await?,
        None => None,
    };
    let is_fresh = |session: &Session| session.authenticated_at > owner.now() - LIFETIME_MS;
    let is_proved = session
        .filter(is_fresh)
        .and_then(|session| session.details.0)
        .is_some_and(|details| details.amr.iter().any(|method| method == "mfa"));
    if is_proved { Ok(()) } else { Err(OwnAccountRefusal::SignInRequired) }
}

/// Unlinks the account at a connector. A password or a passkey must remain: administrators need one of them.
pub async fn unlink(owner: &Owner, connector_id: &SsoConnectorId) -> Result<(), OwnAccountRefusal> {
    let outcome = take(owner, connector_id).await;
    owner.note(AuditKey::of_account(AuditOperation::UserUnlinkIdentity), outcome)
}

async fn take(owner: &Owner, connector_id: &SsoConnectorId) -> Result<(), OwnAccountRefusal> {
    let (mut work, _) = owner.begin().await?;
    check_edited(&mut work, &[Field::Social]).await?;
    check_may(owner, &mut work).await?;
    proof::check(owner, &mut work).await?;
    let settings = of_sign_in(owner, &mut work).await?;
    let mut update = begin_update(&mut work, &owner.user_id).await?;
    unlink_company(&mut update, connector_id).await?;
    let user = update.user.clone();
    if !sign_in_means(update.work(), &user, &settings).await?.opens(&settings) {
        return Err(OwnAccountRefusal::LastSignInMethod);
    }
    update.save(AuditOperation::UserUnlinkIdentity, json!({ "ssoConnectorId": connector_id }), 204).await?;
    Ok(work.commit().await?)
}
