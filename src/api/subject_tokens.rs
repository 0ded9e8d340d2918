//! Bodies of `/api/subject-tokens`.

use claimsmith_domain::id::{SubjectTokenId, UserId};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

/// Who is to be impersonated, and what custom claim logic shall know of it.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "userId": "q3v8k1znw2pd", "context": { "ticketId": "T-1" } }))]
pub struct CreateSubjectToken {
    /// The user to be impersonated.
    pub user_id: UserId,
    /// Keys of the integrator's choice, at most 16 KiB as JSON; plugins find them in
    /// `context.grant.subjectTokenContext`.
    #[serde(default)]
    #[schema(value_type = Object)]
    pub context: Map<String, Value>,
}

/// The token: shown once, usable once.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "subjectToken": "sub_4kTq8ZbW2mXr7NcV1sYd6LpG9hJf3RaQ", "expiresIn": 600 }))]
pub struct SubjectTokenView {
    /// `sub_` and random characters.
    pub subject_token: String,
    /// Remaining lifetime in seconds.
    pub expires_in: i64,
}

/// A subject token; the token itself is shown only once, to its creator.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "id": "mgj0l5s0c4k9t2x7b1n6q", "userId": "q3v8k1znw2pd", "context": { "ticketId": "T-1" },
    "creatorId": "b5n8q1w4z7k0x3c6t9r2m", "createdAt": 1_760_000_000_000_i64, "expiresAt": 1_760_000_600_000_i64,
    "consumedAt": null
}))]
pub struct KnownSubjectToken {
    pub id: SubjectTokenId,
    /// The user to be impersonated.
    pub user_id: UserId,
    /// What the backend said about it.
    #[schema(value_type = Object)]
    pub context: Value,
    /// Who asked for it: an application.
    pub creator_id: String,
    /// Unix milliseconds.
    pub created_at: i64,
    /// Unix milliseconds.
    pub expires_at: i64,
    /// Unix milliseconds, once it was exchanged.
    pub consumed_at: Option<i64>,
}
