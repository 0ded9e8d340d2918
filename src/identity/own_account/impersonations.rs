//! Who acted as oneself: the tokens by which others act for the person, which they may end at once.

use super::owner::Owner;
use super::refusal::OwnAccountRefusal;
use claimsmith_storage::Slice;
use claimsmith_storage::applications::{self, Application};
use claimsmith_storage::issuing::impersonations::{self, Filter, Impersonation};
use claimsmith_storage::issuing::issuances;
use claimsmith_storage::users::{self, User};
use serde_json::{Value, json};

/// The most that are shown.
const MAX_IMPERSONATIONS_SHOWN: i64 = 100;

/// Somebody acted for the person.
pub struct Acted {
    /// The record.
    pub token: Impersonation,
    /// Who; none when the application did not say.
    pub actor: Option<User>,
    /// Through which application.
    pub application: Option<Application>,
}

impl Acted {
    /// What they are known by; none when nobody was named, or they are there no more.
    #[must_use]
    pub fn name_of_actor(&self) -> Option<&str> {
        let actor = self.actor.as_ref()?;
        let named = actor.name.as_deref().filter(|name| !name.is_empty());
        named.or(actor.username.as_deref()).or(actor.primary_email.as_deref())
    }

    /// A text of the context of the subject token.
    pub fn context(&self, name: &str) -> Option<&str> {
        self.token.context.as_ref()?.get(name).and_then(Value::as_str)
    }
}

/// The latest, newest first, with how many there are in all.
pub async fn list(owner: &Owner) -> Result<(Vec<Acted>, i64), OwnAccountRefusal> {
    let wanted = Filter { user_id: Some(owner.user_id.clone()), now: owner.now(), ..Filter::default() };
    let mut tx = owner.read().await?;
    let total = impersonations::count(&mut tx, &wanted).await?;
    let tokens = impersonations::list(&mut tx, &wanted, Slice { limit: MAX_IMPERSONATIONS_SHOWN, offset: 0 }).await?;
    let mut found = Vec::with_capacity(tokens.len());
    for token in tokens {
        let actor = match &token.actor_id {
            Some(id) => users::find(&mut tx, id).await?,
            None => None,
        };
        let application = applications::find(&mut tx, &token.application_id).await?;
        found.push(Acted { token, actor, application });
    }
    Ok((found, total))
}

/// Ends one: its token is revoked, whatever the settings say of the fields. Ending one that is over changes nothing.
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
            work.audit("Account.Impersonation.End", details).await?;
        }
        Ok(work.commit().await?)
    };
    owner.note("Account.Impersonation.End", outcome.await)
}
