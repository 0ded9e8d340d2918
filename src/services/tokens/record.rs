//! The stored record of an issuance: the token record and the audit entry, with the data that the commit checks again.

use super::decision::{Decision, RefreshTokenAnswer, SignInCredential, SignInGrant, Subject, UserSubject};
use super::error::Error;
use super::group_commit::Write;
use crate::audit::{self, Entry};
use claimsmith_domain::grant::grant_type::GrantType;
use claimsmith_domain::grant::refresh_token::NewRefreshToken;
use claimsmith_domain::id::UserId;
use claimsmith_storage::Json;
use claimsmith_storage::issuing::Consume;
use claimsmith_storage::issuing::issuances::Issuance;
use claimsmith_storage::sessions::refresh_tokens::RefreshToken;
use serde_json::{Map, Value, json};

/// The hashes of issued secrets, of which only the hash is stored.
pub(super) struct Hashes {
    /// Of an opaque access token, whose claims are stored, too.
    pub opaque: Option<String>,
    /// Of the refresh token of the response.
    pub refresh_token: Option<String>,
}

/// The write of one token.
pub(super) fn write_of(
    decision: &mut Decision,
    jti: String,
    hashes: Hashes,
    claims: Map<String, Value>,
    runs: Vec<Value>,
    now: i64,
) -> Result<Write, Error> {
    let mut details = std::mem::take(&mut decision.audit);
    let user = match &decision.subject {
        Subject::Application => None,
        Subject::User(user) => Some(user),
    };
    let sign_in = user.and_then(|user| user.sign_in());
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
        facts: user.map(|user| user.facts.clone()),
        actor_jti: actor.map(|actor| actor.jti.clone()),
        consume: sign_in.map_or_else(
            || subject_token_id.clone().map(Consume::SubjectToken),
            |sign_in| consumed(&sign_in.credential),
        ),
        grant: sign_in.map(|sign_in| sign_in.grant_id.clone()),
        live_refresh_token: sign_in.and_then(|sign_in| match &sign_in.credential {
            SignInCredential::Kept(hash) => Some(hash.clone()),
            _ => None,
        }),
        refresh_token: user.and_then(|user| refresh_token(decision, user, hashes.refresh_token?, now)),
        refresh_family: match decision.refresh() {
            Some(RefreshTokenAnswer::Successor { family, .. }) => family.clone(),
            _ => None,
        },
        personal_access_token: user.and_then(|user| user.personal_access_token()).cloned(),
        issuance: Issuance {
            jti,
            user_id: user.map(|user| user.id.clone()),
            application_id: decision.client.application.id.clone(),
            actor_id: actor.map(|actor| actor.id.clone()),
            organization_id: decision.organization.as_ref().map(|(id, _)| id.clone()),
            resource: decision.audience.clone(),
            scope: decision.scope.clone(),
            exchanged: decision.grant_type == GrantType::TokenExchange,
            subject_token_id,
            context: subject_token.map(|(_, context)| context.clone()),
            grant_id: sign_in.map(|sign_in| sign_in.grant_id.clone()),
            family_id: sign_in.map(|sign_in| sign_in.family_id.clone()),
            claims: hashes.opaque.is_some().then_some(Json(Value::Object(claims))),
            opaque_hash: hashes.opaque,
            created_at: now,
            expires_at: (now / 1000 + decision.lifetime) * 1000,
            revoked_at: None,
        },
        log: Entry::success(decision.grant_type.audit_key(), Value::Object(details))
            .by(&audit::Actor::Application { id: decision.client.application.id.clone() })
            .from(&decision.origin)
            .at(now)?,
    })
}

/// The credential of a sign-in to consume.
fn consumed(credential: &SignInCredential) -> Option<Consume> {
    match credential {
        SignInCredential::Code(hash) => Some(Consume::Code(hash.clone())),
        SignInCredential::DeviceCode(hash) => Some(Consume::DeviceCode(hash.clone())),
        SignInCredential::Rotated(hash) => Some(Consume::RefreshToken(hash.clone())),
        SignInCredential::Kept(_) => None,
    }
}

/// The refresh token of a sign-in that is stored, if it is a new one.
fn refresh_token(decision: &Decision, user: &UserSubject, hash: String, now: i64) -> Option<RefreshToken> {
    let SignInGrant { grant_id, family_id, authorized, credential, refresh, .. } = user.sign_in()?;
    let NewRefreshToken { expires_at, outlives_session } = refresh.as_ref()?.new_token()?;
    Some(RefreshToken {
        hash,
        grant_id: grant_id.clone(),
        user_id: user.id.clone(),
        application_id: decision.client.application.id.clone(),
        authorization_details: Json(Some(authorized.clone())),
        family_id: family_id.clone(),
        outlives_session,
        parent_hash: match credential {
            SignInCredential::Rotated(hash) => Some(hash.clone()),
            _ => None,
        },
        created_at: now,
        expires_at,
        consumed_at: None,
        rotated_at: None,
    })
}
