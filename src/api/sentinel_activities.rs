//! The body of `/api/sentinel-activities/delete`.

use claimsmith_domain::documents::bounded_vec::BoundedVec;
use claimsmith_domain::documents::text::Text;
use serde::Deserialize;
use utoipa::ToSchema;

/// Whom to unlock.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "targetType": "User", "targets": ["ada@example.com"] }))]
pub struct Unlock {
    pub target_type: TargetType,
    /// User names, email addresses and phone numbers.
    #[schema(value_type = Vec<String>, max_items = 100)]
    pub targets: BoundedVec<Text<1, 128>, 100>,
}

/// What is locked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
pub enum TargetType {
    /// A user who signs in.
    User,
}
