//! The sign-in or registration of a session, which claims plugins get as `context.interaction`. It contains no secrets,
//! has at most one record per type of verification, and is stored with the session and its authorizations.

use super::id::UserId;
use super::identifier::Identifier;
use super::interaction_event::InteractionEvent;
use serde::{Deserialize, Serialize};

/// A submitted interaction.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SubmittedInteraction {
    /// The event.
    pub interaction_event: InteractionEvent,
    /// The user.
    pub user_id: UserId,
    /// The verifications.
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
    /// The identifier as entered.
    pub identifier: Identifier,
    /// Whether it was verified; `None` if there was nothing to verify.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub verified: Option<bool>,
}
