//! The serialized form of users, without password hashes.

use claimsmith_domain::id::UserId;
use claimsmith_storage::users::User;
use serde::Serialize;
use serde_json::Value;

/// A user as the Management API shows them: never a password's digest.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "id": "q3v8k1znw2pd", "username": "ada", "primaryEmail": "ada@example.com", "primaryPhone": null,
    "name": "Ada Lovelace", "avatar": null, "customData": { "plan": "gold" }, "identities": {}, "lastSignInAt": null,
    "createdAt": 1_760_000_000_000_i64, "updatedAt": 1_760_000_000_000_i64,
    "profile": { "givenName": "Ada", "familyName": "Lovelace", "locale": "en-GB" }, "applicationId": null,
    "cimdClientId": null, "isSuspended": false, "hasPassword": true
}))]
pub struct UserView {
    #[serde(flatten)]
    fields: UserFields,
    has_password: bool,
}

/// A user as events and organizations show them.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UserFields {
    /// 12 characters.
    id: String,
    username: Option<String>,
    primary_email: Option<String>,
    /// International digits.
    primary_phone: Option<String>,
    name: Option<String>,
    avatar: Option<String>,
    /// The integrator's own data.
    #[schema(value_type = Object)]
    custom_data: Value,
    /// Linked identities by connector target.
    #[schema(value_type = Object)]
    identities: Value,
    /// Unix milliseconds.
    last_sign_in_at: Option<i64>,
    /// Unix milliseconds.
    created_at: i64,
    /// Unix milliseconds.
    updated_at: i64,
    /// Standard claims of the user.
    #[schema(value_type = Object)]
    profile: Value,
    /// The application through which the user registered.
    application_id: Option<String>,
    /// Always null.
    cimd_client_id: Option<String>,
    /// A suspended user gets no token, and no token speaks for them.
    is_suspended: bool,
}

impl From<User> for UserView {
    fn from(user: User) -> Self {
        Self { has_password: user.password_digest.is_some(), fields: user.into() }
    }
}

impl UserView {
    /// The user's id.
    #[must_use]
    pub fn id(&self) -> UserId {
        self.fields.id.as_str().into()
    }
}

impl From<User> for UserFields {
    fn from(user: User) -> Self {
        Self {
            id: user.id.into(),
            username: user.username,
            primary_email: user.primary_email,
            primary_phone: user.primary_phone,
            name: user.name,
            avatar: user.avatar,
            custom_data: user.custom_data.0,
            identities: user.identities.0,
            last_sign_in_at: user.last_sign_in_at,
            created_at: user.created_at,
            updated_at: user.updated_at,
            profile: user.profile.0,
            application_id: user.application_id.map(Into::into),
            cimd_client_id: None,
            is_suspended: user.is_suspended,
        }
    }
}
