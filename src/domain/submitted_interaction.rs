//! The sign-in or registration that a session comes from, as claims plugins are told of it: `context.interaction`. It
//! holds no secret, has one record of each type of verification at most, and is kept with the session and with what is
//! authorized in it.

use super::id::UserId;
use super::identifier::Identifier;
use super::interaction_event::InteractionEvent;
use serde::{Deserialize, Serialize};

/// An interaction that was submitted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SubmittedInteraction {
    /// What it was.
    pub interaction_event: InteractionEvent,
    /// Who signed in.
    pub user_id: UserId,
    /// How they proved who they are.
    pub verification_records: Vec<VerificationRecord>,
}

/// A verification, without its secrets.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct VerificationRecord {
    /// 21 characters.
    pub id: String,
    /// Its type, such as `Password`.
    #[serde(rename = "type")]
    pub kind: String,
    /// What was typed.
    pub identifier: Identifier,
    /// Whether it proved something; absent where there was nothing to prove.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub verified: Option<bool>,
}
