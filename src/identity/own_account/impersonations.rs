//! Impersonations of the user: the tokens by which others act for them, which the user can revoke.

use super::owner::Owner;
use super::refusal::OwnAccountRefusal;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_storage::Slice;
use claimsmith_storage::applications::{self, Application};
use claimsmith_storage::issuing::impersonations::{self, Filter, Impersonation};
use claimsmith_storage::issuing::issuances;
use claimsmith_storage::users::{self, User};
use serde_json::{Value, json};

/// Maximum impersonations in the list.
const MAX_IMPERSONATIONS_SHOWN: i64 = 100;

/// An impersonation of the user.
pub struct OwnImpersonation {
    /// The record.
    pub token: Impersonation,
    /// The actor; `None` if the application did not name one.
    pub actor: Option<User>,
    /// The application that the actor used.
    pub application: Option<Application>,
}

impl OwnImpersonation {
    /// The display name of the actor; `None` if none was named, or they no longer exist.
    #[must_use]
    pub fn name_of_actor(&self) -> Option<&str> {
        let actor = self.actor.as_ref()?;
        let named = actor.name.as_deref().filter(|name| !name.is_empty());
        named.or(actor.username.as_deref()).or(actor.primary_email.as_deref())
    }

    /// A text value of the subject token's context.
    pub fn context(&self, name: &str) -> Option<&str> {
        self.token.context.as_ref()?.get(name).and_then(Value::as_str)
    }
}

/// The latest impersonations, newest first, with the total number.
pub async fn list(owner: &Owner) -> Result<(Vec<OwnImpersonation>, i64), OwnAccountRefusal> {
    let wanted = Filter { user_id: Some(owner.user_id.clone()), now: owner.now(), ..Filter::default() };
    let mut tx = owner.read().await?;
    let total = impersonations::count(&mut tx, &wanted, i64::MAX).await?;
    let tokens = impersonations::list(&mut tx, &wanted, Slice { limit: MAX_IMPERSONATIONS_SHOWN, offset: 0 }).await?;
    let mut found = Vec::with_capacity(tokens.len());
    for token in tokens {
        let actor = match &token.actor_id {
            Some(id) => users::find(&mut tx, id).await?,
            None => None,
        };
        let application = applications::find(&mut tx, &token.application_id).await?;
        found.push(OwnImpersonation { token, actor, application });
    }
    Ok((found, total))
}

/// Ends an impersonation by revoking its token, whatever the settings allow for the fields. Has no effect if it has
/// already ended.
pub async fn end(owner: &Owner, jti: &str) -> Result<(), OwnAccountRefusal> {
    let outcome = async {
        let (mut work, _) = owner.begin().await?;
        let found = impersonations::find(&mut work, jti).await?.filter(|found| found.user_id == owner.user_id);
        let found = found.ok_or(OwnAccountRefusal::UnknownImpersonation)?;
        let now = work.now();
        if found.expires_at > now && issuances::revoke(&mut work, jti, now).await? {
            let details = json!({
                "userId": found.user_id, "actorId": found.actor_id, "jti": jti,
                "impersonatingApplicationId": found.application_id, "context": found.context,
            });
            work.audit(AuditKey::AccountImpersonationEnd, details).await?;
        }
        Ok(work.commit().await?)
    };
    owner.note(AuditKey::AccountImpersonationEnd, outcome.await)
}
