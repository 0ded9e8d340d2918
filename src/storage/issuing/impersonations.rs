//! Impersonations: records of tokens issued for subject tokens. They are written and revoked like all token records, in
//! [`super::issuances`].

use crate::Json;
use crate::sql::conditions::Conditions;
use crate::sql::slice::Slice;
use crate::{Result, Tx, audit};
use claimsmith_domain::id::{ApplicationId, OrganizationId, SubjectTokenId, UserId};
use serde_json::Value;

/// A token with which an actor acts for a user.
#[derive(Clone, Debug, crate::Row)]
pub struct Impersonation {
    /// The token's `jti`.
    pub jti: String,
    /// The impersonated user.
    pub user_id: UserId,
    /// The actor, if an actor token was presented.
    pub actor_id: Option<UserId>,
    /// The application.
    pub application_id: ApplicationId,
    /// The organization.
    pub organization_id: Option<OrganizationId>,
    /// The resource.
    pub resource: Option<String>,
    /// The granted scopes.
    pub scope: String,
    /// The subject token that was exchanged.
    pub subject_token_id: Option<SubjectTokenId>,
    /// The context of the subject token, such as the reason.
    pub context: Option<Json<Value>>,
    /// Unix milliseconds.
    pub created_at: i64,
    /// Unix milliseconds.
    pub expires_at: i64,
    /// Unix milliseconds, once it was revoked.
    pub revoked_at: Option<i64>,
    /// Whether its user and its application still exist and are active.
    stands: bool,
}

impl Impersonation {
    /// Whether its token is live.
    #[must_use]
    pub fn is_active(&self, now: i64) -> bool {
        self.stands && self.revoked_at.is_none() && self.expires_at > now
    }
}

/// The filter of a list of impersonations.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// For this user.
    pub user_id: Option<UserId>,
    /// By this user.
    pub actor_id: Option<UserId>,
    /// Through this application.
    pub application_id: Option<ApplicationId>,
    /// Started from this time on, Unix milliseconds.
    pub from: Option<i64>,
    /// Started until this time, Unix milliseconds.
    pub to: Option<i64>,
    /// Whether the token is live.
    pub is_active: Option<bool>,
    /// For this ticket: the `ticketId` of the context.
    pub ticket_id: Option<String>,
    /// Whose context contains this, such as a part of the reason.
    pub part: Option<String>,
    /// Unix milliseconds.
    pub now: i64,
}

/// Characters of a ticket that are indexed.
const INDEXED_OF_TICKET: usize = 64;
/// Up to so many tokens that have not expired, the live ones are looked for among these alone.
const MAX_UNEXPIRED: i64 = 5000;

/// Excludes personal access tokens, with which users act for themselves.
const NOT_OWN: &str = "subject_token_id IS NOT NULL";

/// The same condition as in the validation of the token.
const STANDS: &str = "(EXISTS (SELECT 1 FROM users u WHERE u.id = issuances.user_id AND u.is_suspended = FALSE) \
     AND EXISTS (SELECT 1 FROM applications a WHERE a.id = issuances.application_id))";

impl Filter {
    fn conditions(&self, tx: &Tx) -> Conditions {
        let mut conditions = Conditions::on("issuances", tx);
        conditions.holds("exchanged = TRUE");
        conditions.holds(NOT_OWN);
        conditions.text("user_id = ?", self.user_id.as_deref());
        conditions.text("actor_id = ?", self.actor_id.as_deref());
        conditions.text("application_id = ?", self.application_id.as_deref());
        conditions.number("created_at >= ?", self.from);
        conditions.number("created_at <= ?", self.to);
        if let Some(ticket_id) = &self.ticket_id {
            let ticket = audit::member_of(tx, "context", "ticketId");
            // The first two are those of an index.
            conditions.holds(format!("{ticket} IS NOT NULL"));
            let beginning: String = ticket_id.chars().take(INDEXED_OF_TICKET).collect();
            conditions.text(&format!("substr({ticket}, 1, {INDEXED_OF_TICKET}) = ?"), Some(&beginning));
            conditions.text(&format!("{ticket} = ?"), Some(ticket_id));
        }
        conditions.part("LOWER(CAST(context AS TEXT)) LIKE ? ESCAPE '\\'", self.part.as_deref());
        if let Some(is_active) = self.is_active {
            let not = if is_active { "" } else { "NOT " };
            let live = format!("{not}(expires_at > ? AND revoked_at IS NULL AND {STANDS})");
            conditions.number(&live, Some(self.now));
        }
        conditions
    }

    /// Whether few tokens have not expired; read from an index.
    async fn has_few_unexpired(&self, tx: &mut Tx) -> Result<bool> {
        let mut unexpired = Conditions::on("issuances", tx);
        unexpired.holds(NOT_OWN);
        unexpired.number("expires_at > ?", Some(self.now));
        Ok(unexpired.count_to(tx, MAX_UNEXPIRED + 1).await? <= MAX_UNEXPIRED)
    }
}

fn columns() -> String {
    format!(
        "jti, user_id, actor_id, application_id, organization_id, resource, scope, subject_token_id, context, \
         created_at, expires_at, revoked_at, {STANDS} AS stands"
    )
}

/// Impersonations, newest first.
pub async fn list(tx: &mut Tx, wanted: &Filter, slice: Slice) -> Result<Vec<Impersonation>> {
    let conditions = wanted.conditions(tx);
    let order = if wanted.is_active == Some(true) && wanted.has_few_unexpired(tx).await? {
        // The sum keeps the databases from reading along the order of the list, in which the live ones may be far apart.
        "created_at + 0 DESC, jti DESC"
    } else {
        "created_at DESC, jti DESC"
    };
    conditions.list(tx, &columns(), order, slice).all().await
}

/// The number of matching impersonations, at most `most`.
pub async fn count(tx: &mut Tx, wanted: &Filter, most: i64) -> Result<i64> {
    wanted.conditions(tx).count_to(tx, most).await
}

/// The impersonation whose token has this `jti`.
pub async fn find(tx: &mut Tx, jti: &str) -> Result<Option<Impersonation>> {
    tx.assembled(format!("SELECT {} FROM issuances WHERE jti = $1 AND exchanged = TRUE AND {NOT_OWN}", columns()))
        .bind(jti)
        .optional()
        .await
}
