//! The serialized form of users, without password hashes.

use claimsmith_api::users::{UserFields, UserView};
use claimsmith_storage::users::User;

/// A user as responses show them.
#[must_use]
pub fn user_view(user: User) -> UserView {
    UserView { has_password: user.password_digest.is_some(), fields: user_fields(user) }
}

/// A user as events and organizations show them.
#[must_use]
pub fn user_fields(user: User) -> UserFields {
    UserFields {
        id: user.id,
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
        application_id: user.application_id,
        cimd_client_id: None,
        is_suspended: user.is_suspended,
    }
}
