//! The stored record of an issuance: the token record and the audit entry, with the data that the commit checks again.

use super::decision::{Decision, Subject};
use super::error::Error;
use super::group_commit::Write;
use super::{CLIENT_CREDENTIALS, OPERATOR, TOKEN_EXCHANGE};
use crate::audit::{self, Entry};
use crate::domain::id::UserId;
use crate::storage::Json;
use crate::storage::issuances::Issuance;
use crate::storage::issuing::Consume;
use serde_json::{Map, Value, json};

/// The write of one token. `opaque_hash` is that of an opaque one, whose claims are kept, too.
pub(super) fn write_of(
    decision: &mut Decision,
    jti: String,
    opaque_hash: Option<String>,
    claims: Map<String, Value>,
    runs: Vec<Value>,
    now: i64,
) -> Result<Write, Error> {
    let mut details = std::mem::take(&mut decision.audit);
    let user = match &decision.subject {
        Subject::Application => None,
        Subject::User(user) => Some(user),
    };
    let subject_token = user.and_then(|user| user.subject_token());
    let subject_token_id = subject_token.map(|(id, _)| id.clone());
    let actor = user.and_then(|user| user.actor.as_ref());
    details.insert("jti".to_owned(), json!(jti));
    if let Some(user) = user {
        details.insert("userId".to_owned(), json!(user.id));
    }
    if let Some(actor) = actor {
        details.insert("actorId".to_owned(), json!(actor.id));
    }
    if !runs.is_empty() {
        details.insert("plugins".to_owned(), Value::Array(runs));
    }
    let mut users: Vec<(UserId, i64)> = user.map(|user| (user.id.clone(), user.revision)).into_iter().collect();
    users.extend(actor.map(|actor| (actor.id.clone(), actor.revision)));
    Ok(Write {
        revision: decision.snapshot.revision,
        users,
        actor_jti: actor.map(|actor| actor.jti.clone()),
        consume: subject_token_id.clone().map(Consume::SubjectToken),
        personal_access_token: user.and_then(|user| user.personal_access_token()).cloned(),
        issuance: Issuance {
            jti,
            user_id: user.map(|user| user.id.clone()),
            application_id: decision.client.application.id.clone(),
            actor_id: actor.map(|actor| actor.id.clone()),
            organization_id: decision.organization.as_ref().map(|(id, _)| id.clone()),
            resource: decision.audience.clone(),
            scope: decision.scope.clone(),
            exchanged: decision.grant_type == TOKEN_EXCHANGE,
            subject_token_id,
            context: subject_token.map(|(_, context)| context.clone()),
            claims: opaque_hash.is_some().then_some(Json(Value::Object(claims))),
            opaque_hash,
            created_at: now,
            expires_at: (now / 1000 + decision.lifetime) * 1000,
            revoked_at: None,
        },
        log: Entry::success(audit_key(decision.grant_type), Value::Object(details))
            .by(&audit::Actor::Application { id: decision.client.application.id.clone() })
            .from(&decision.origin)
            .at(now)?,
    })
}

/// The key under which the audit log keeps an issuance by this grant.
#[must_use]
pub fn audit_key(grant_type: &str) -> &'static str {
    match grant_type {
        TOKEN_EXCHANGE => "ExchangeTokenBy.TokenExchange",
        CLIENT_CREDENTIALS => "ExchangeTokenBy.ClientCredentials",
        OPERATOR => "ExchangeTokenBy.Operator",
        _ => "ExchangeTokenBy.Unknown",
    }
}
