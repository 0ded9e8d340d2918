//! Bodies of `/api/users`.

pub mod import;
pub mod sessions;
pub mod sign_in;

use claimsmith_domain::documents::given::Given;
use claimsmith_domain::documents::text::Text;
use claimsmith_domain::documents::user::{AvatarUrl, Email, OrEmpty, PasswordAlgorithm, Phone};
use claimsmith_domain::documents::username::Username;
use claimsmith_domain::id::{ApplicationId, UserId};
use claimsmith_domain::profile::Profile;
use claimsmith_json::present;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

/// A user as the Management API shows them: never a password's digest.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
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
    pub fields: UserFields,
    pub has_password: bool,
}

/// A user as events and organizations show them.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UserFields {
    /// 12 characters.
    pub id: UserId,
    pub username: Option<String>,
    pub primary_email: Option<String>,
    /// International digits.
    pub primary_phone: Option<String>,
    pub name: Option<String>,
    pub avatar: Option<String>,
    /// The integrator's own data.
    #[schema(value_type = Object)]
    pub custom_data: Value,
    /// Linked identities by connector target.
    #[schema(value_type = Object)]
    pub identities: Value,
    /// Unix milliseconds.
    pub last_sign_in_at: Option<i64>,
    /// Unix milliseconds.
    pub created_at: i64,
    /// Unix milliseconds.
    pub updated_at: i64,
    /// Standard claims of the user.
    #[schema(value_type = Object)]
    pub profile: Value,
    /// The application through which the user registered.
    pub application_id: Option<ApplicationId>,
    /// Always null.
    pub cimd_client_id: Option<String>,
    /// A suspended user gets no token, and no token speaks for them.
    pub is_suspended: bool,
}

/// A user, with what was asked for beside.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "id": "q3v8k1znw2pd", "username": "ada", "primaryEmail": "ada@example.com", "primaryPhone": null,
    "name": "Ada Lovelace", "avatar": null, "customData": { "plan": "gold" }, "identities": {}, "lastSignInAt": null,
    "createdAt": 1_760_000_000_000_i64, "updatedAt": 1_760_000_000_000_i64, "profile": { "givenName": "Ada" },
    "applicationId": null, "cimdClientId": null, "isSuspended": false, "hasPassword": true, "ssoIdentities": []
}))]
pub struct ShownUser {
    #[serde(flatten)]
    pub user: UserView,
    /// Identities at enterprise connectors, if they are asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Vec<Object>, required = false)]
    pub sso_identities: Option<Vec<Value>>,
}

/// A new user; everything is optional. A password comes as it is, or as a digest that was made elsewhere.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "username": "ada", "primaryEmail": "ada@example.com", "password": "correct horse battery staple",
    "name": "Ada Lovelace", "customData": { "plan": "gold" },
    "profile": { "givenName": "Ada", "familyName": "Lovelace", "locale": "en-GB" }
}))]
pub struct CreateUser {
    /// Unique. Letters, digits and `_`, not beginning with a digit, and what `usernamePolicy.allowedChars` of the
    /// sign-in experience allows beside these.
    #[serde(default)]
    #[schema(value_type = String, required = false, min_length = 1, max_length = 128)]
    pub username: Given<Username>,
    /// Unique.
    #[serde(default)]
    #[schema(value_type = String, required = false, max_length = 128, pattern = r"^\S+@\S+\.\S+$")]
    pub primary_email: Given<Email>,
    /// An international number, unique however it is written; kept as its digits.
    #[serde(default)]
    #[schema(value_type = String, required = false, max_length = 32, pattern = r"^\+?[\d\-( )]+$")]
    pub primary_phone: Given<Phone>,
    /// Stored as its Argon2id digest.
    #[serde(default)]
    #[schema(write_only)]
    pub password: Given<Text<1, 256>>,
    /// Instead of a password: its digest, in the encoding of `passwordAlgorithm`.
    #[serde(default)]
    #[schema(write_only)]
    pub password_digest: Given<Text<1, 2048>>,
    /// How `passwordDigest` was made. The prefix of a digest that names its own format decides.
    #[serde(default, deserialize_with = "present")]
    #[schema(required = false)]
    pub password_algorithm: Option<PasswordAlgorithm>,
    /// Display name.
    #[serde(default)]
    pub name: Given<Text<0, 128>>,
    /// An http or https URL, an empty text, or null.
    #[serde(default)]
    #[schema(value_type = Option<String>, max_length = 2048)]
    pub avatar: Option<AvatarUrl>,
    /// The integrator's own data.
    #[serde(default)]
    #[schema(value_type = Object)]
    pub custom_data: Map<String, Value>,
    /// Standard claims: `familyName`, `givenName`, `middleName`, `nickname`, `preferredUsername`, `profile`,
    /// `website`, `gender`, `birthdate`, `zoneinfo`, `locale`, and an `address` of `formatted`, `streetAddress`,
    /// `locality`, `region`, `postalCode`, `country`.
    #[serde(default)]
    #[schema(value_type = Object)]
    pub profile: Profile,
}

/// What is to change; what is left out stays. Null and the empty text take a value away.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "name": "Ada Lovelace", "primaryPhone": "4915112345678", "customData": { "plan": "gold" }
}))]
pub struct UpdateUser {
    /// Unique, of the same characters as that of a new user.
    #[serde(default)]
    #[schema(value_type = Option<String>, max_length = 128)]
    pub username: Given<Option<OrEmpty<Username>>>,
    /// Unique.
    #[serde(default)]
    #[schema(value_type = Option<String>, max_length = 128)]
    pub primary_email: Given<Option<OrEmpty<Email>>>,
    /// An international number, unique however it is written; kept as its digits.
    #[serde(default)]
    #[schema(value_type = Option<String>, max_length = 32)]
    pub primary_phone: Given<Option<OrEmpty<Phone>>>,
    /// Display name.
    #[serde(default)]
    #[schema(value_type = Option<String>, max_length = 128)]
    pub name: Given<Option<Text<0, 128>>>,
    /// An http or https URL.
    #[serde(default)]
    #[schema(value_type = Option<String>, max_length = 2048)]
    pub avatar: Given<Option<AvatarUrl>>,
    /// Takes the place of all of it.
    #[serde(default)]
    #[schema(value_type = Object, required = false)]
    pub custom_data: Given<Map<String, Value>>,
    /// Takes the place of all of it.
    #[serde(default)]
    #[schema(value_type = Object, required = false)]
    pub profile: Given<Profile>,
}

/// Custom data to merge.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "customData": { "plan": "gold" } }))]
pub struct MergeCustomData {
    /// Each key takes the place of what was there; other keys stay.
    #[schema(value_type = Object)]
    pub custom_data: Map<String, Value>,
}

/// A profile to merge.
#[derive(Deserialize, ToSchema)]
#[schema(example = json!({ "profile": { "givenName": "Ada", "familyName": "Lovelace", "locale": "en-GB" } }))]
pub struct MergeProfile {
    /// Each key takes the place of what was there; other keys stay.
    #[schema(value_type = Object)]
    pub profile: Profile,
}

/// Whether a user is to be suspended.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "isSuspended": true }))]
pub struct SetSuspended {
    /// `true` suspends, `false` reactivates.
    pub is_suspended: bool,
}
