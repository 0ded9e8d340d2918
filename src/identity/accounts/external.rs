//! Links accounts at social and enterprise connectors to users. Accounts at social connectors are stored by target.

use super::AccountRefusal;
use claimsmith_domain::audit_key::AuditOperation;
use claimsmith_domain::id::SsoConnectorId;
use claimsmith_domain::random;
use claimsmith_domain::upstream::account::ExternalAccount;
use claimsmith_services::unit_of_work::UnitOfWork;
use claimsmith_storage::users::sso_identities::{self, SsoIdentity};
use claimsmith_storage::users::{User, identities};
use claimsmith_storage::{Document as _, Json};
use serde_json::{Value, json};

/// An account to link to a user.
#[derive(Clone, Debug)]
pub enum ExternalIdentity {
    /// At a social connector.
    Social {
        /// The target under which its identities are stored.
        target: String,
        /// The account.
        account: ExternalAccount,
    },
    /// At an enterprise connector.
    Enterprise {
        /// The connector.
        connector_id: SsoConnectorId,
        /// Its issuer.
        issuer: String,
        /// The account.
        account: ExternalAccount,
        /// Whether the user links the account themselves.
        by_owner: bool,
    },
}

/// Links an account to a user, whose row the caller writes. Refuses an account of another user, and a second account at
/// the same connector.
pub(super) async fn link(
    work: &mut UnitOfWork,
    user: &mut User,
    identity: ExternalIdentity,
) -> Result<(), AccountRefusal> {
    let about = match identity {
        ExternalIdentity::Social { target, account } => {
            let Value::Object(linked) = &mut user.identities.0 else {
                return Err(AccountRefusal::Failed("the identities of a user are no object".into()));
            };
            if linked.contains_key(&target) {
                return Err(AccountRefusal::IdentityTaken);
            }
            let details = serde_json::to_value(&account)?;
            linked.insert(target.clone(), json!({ "userId": account.id, "details": details }));
            if user.identities.is_unreadable() || !identities::link(work, &user.id, &target, &account.id).await? {
                return Err(AccountRefusal::IdentityTaken);
            }
            json!({ "userId": user.id, "target": target })
        }
        ExternalIdentity::Enterprise { connector_id, issuer, account, by_owner } => {
            let now = work.now();
            let about = json!({ "userId": user.id, "ssoConnectorId": connector_id });
            let row = SsoIdentity {
                id: random::id(21)?,
                user_id: user.id.clone(),
                sso_connector_id: connector_id,
                issuer,
                identity_id: account.id.clone(),
                detail: Json(serde_json::to_value(&account)?),
                linked_by_owner: by_owner,
                created_at: now,
                updated_at: now,
            };
            if !sso_identities::link(work, &row).await? {
                return Err(AccountRefusal::IdentityTaken);
            }
            about
        }
    };
    Ok(work.audit(work.key(AuditOperation::UserLinkIdentity), about).await?)
}
