//! The applications with access to one's account.

use super::owner::Owner;
use super::proof;
use super::refusal::OwnAccountRefusal;
use super::settings::check_edited;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::documents::account_center::Field;
use claimsmith_domain::id::GrantId;
use claimsmith_storage::applications::{self, Application};
use claimsmith_storage::sessions::grants::{self, Grant};
use serde_json::json;

/// The live grants, newest first, each with its application.
pub async fn list(owner: &Owner) -> Result<Vec<(Grant, Application)>, OwnAccountRefusal> {
    let mut tx = owner.read().await?;
    let given = grants::of_user(&mut tx, &owner.user_id, None, owner.now()).await?;
    let mut found = Vec::with_capacity(given.len());
    for grant in given {
        if let Some(application) = applications::find(&mut tx, &grant.application_id).await? {
            found.push((grant, application));
        }
    }
    Ok(found)
}

/// Revokes a grant, with every token that was issued from it.
pub async fn revoke(owner: &Owner, id: &GrantId) -> Result<(), OwnAccountRefusal> {
    let outcome = async {
        let (mut work, _) = owner.begin().await?;
        check_edited(&mut work, &[Field::Session]).await?;
        proof::check(owner, &mut work).await?;
        let given = grants::find(&mut work, id).await?.filter(|given| given.user_id == owner.user_id);
        let given = given.ok_or(OwnAccountRefusal::UnknownGrant)?;
        let now = work.now();
        grants::revoke(&mut work, id, now).await?;
        let details = json!({ "userId": owner.user_id, "grantId": id, "revokedApplicationId": given.application_id });
        work.audit(AuditKey::AccountUserRevokeGrant, details).await?;
        Ok(work.commit().await?)
    };
    owner.note(AuditKey::AccountUserRevokeGrant, outcome.await)
}
