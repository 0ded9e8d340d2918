//! The JSON of users, applications and resources for plugins. Never a password hash or a secret.

use claimsmith_storage::applications::Application;
use claimsmith_storage::organizations::Organization;
use claimsmith_storage::users::User;
use claimsmith_storage::users::sso_identities::SsoIdentity;
use serde_json::{Value, json};

/// The tenant that entities carry on the wire, for clients that expect one.
pub const TENANT: &str = "default";

/// `context.user` without roles and organizations.
#[must_use]
pub fn user(user: &User) -> Value {
    json!({
        "id": user.id,
        "username": user.username,
        "primaryEmail": user.primary_email,
        "primaryPhone": user.primary_phone,
        "name": user.name,
        "avatar": user.avatar,
        "customData": user.custom_data.0,
        "identities": user.identities.0,
        "lastSignInAt": user.last_sign_in_at,
        "createdAt": user.created_at,
        "updatedAt": user.updated_at,
        "profile": user.profile.0,
        "applicationId": user.application_id,
        "cimdClientId": null,
        "isSuspended": user.is_suspended,
        "hasPassword": user.password_digest.is_some(),
        "ssoIdentities": [],
        "mfaVerificationFactors": [],
    })
}

/// An account of a user at an enterprise connector.
#[must_use]
pub fn sso_identity(identity: &SsoIdentity) -> Value {
    json!({
        "tenantId": TENANT,
        "id": identity.id,
        "userId": identity.user_id,
        "ssoConnectorId": identity.sso_connector_id,
        "issuer": identity.issuer,
        "identityId": identity.identity_id,
        "detail": identity.detail.0,
        "createdAt": identity.created_at,
        "updatedAt": identity.updated_at,
    })
}

/// `context.application`.
#[must_use]
pub fn application(application: &Application) -> Value {
    json!({
        "tenantId": TENANT,
        "id": application.id,
        "name": application.name,
        "description": application.description,
        "type": application.kind,
        "oidcClientMetadata": application.oidc_client_metadata.0,
        "customClientMetadata": application.custom_client_metadata.0,
        "customData": application.custom_data.0,
        "isThirdParty": application.is_third_party,
        "createdAt": application.created_at,
    })
}

/// `context.organization`.
#[must_use]
pub fn organization(organization: &Organization) -> Value {
    json!({
        "id": organization.id,
        "name": organization.name,
        "description": organization.description,
        "customData": organization.custom_data.0,
    })
}
