//! One-time tokens: their status and their context.

use super::bounded_vec::BoundedVec;
use super::text::Text;
use crate::spelling::spelled;
use claimsmith_json::present;
use serde::{Deserialize, Serialize};

/// Maximum number of organizations that a user joins with one token.
const MAX_ORGANIZATIONS: usize = 100;

spelled! {
/// What became of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub enum Status {
    /// It works.
    Active = "active",
    /// It was used.
    Consumed = "consumed",
    /// It was taken back.
    Revoked = "revoked",
    /// Its time is over.
    Expired = "expired",
}
}

/// What a token is for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Context {
    /// Organizations that take the person in.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Vec<String>, required = false, max_items = 100)]
    pub jit_organization_ids: Option<BoundedVec<Text<1, 128>, MAX_ORGANIZATIONS>>,
    /// What they are about to do; to sign in or to register when not given.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = TokenEvent, required = false)]
    pub interaction_event: Option<TokenEvent>,
}

/// What a one-time token is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub enum TokenEvent {
    /// To sign in.
    SignIn,
    /// To register.
    Register,
    /// To choose a new password in place of a forgotten one. The user joins no organizations by it.
    ForgotPassword,
}
