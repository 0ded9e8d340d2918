//! One-time tokens: their status and their context.

use super::bounded_vec::BoundedVec;
use super::text::Text;
use claimsmith_json::present;
use serde::{Deserialize, Serialize};

/// Maximum number of organizations that a user joins with one token.
const MAX_ORGANIZATIONS: usize = 100;

/// What became of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// It works.
    Active,
    /// It was used.
    Consumed,
    /// It was taken back.
    Revoked,
    /// Its time is over.
    Expired,
}

impl Status {
    /// Its name.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Consumed => "consumed",
            Self::Revoked => "revoked",
            Self::Expired => "expired",
        }
    }

    /// Parses the name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        [Self::Active, Self::Consumed, Self::Revoked, Self::Expired].into_iter().find(|one| one.as_str() == name)
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
    /// What they are about to do; either when not given.
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
}
