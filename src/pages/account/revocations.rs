//! Forms that revoke: sessions, trusted devices, grants of applications, and impersonations of the user.

use super::proof::{prove, settle};
use super::visitor::AccountPost;
use crate::paths;
use axum::response::Response;
use claimsmith_identity::own_account::sessions::{self, Revoked};
use claimsmith_identity::own_account::{grants, impersonations, trusted_devices};

/// Ends one session, or all others.
pub(super) async fn session(AccountPost(person, form): AccountPost) -> Response {
    if let Err(asked) = prove(&person, &form, paths::ACCOUNT_SESSION).await {
        return asked;
    }
    let outcome = match form.all("id").next() {
        Some(id) => sessions::end(&person.owner, &id.into(), Revoked::None).await,
        None => sessions::end_others(&person.owner).await,
    };
    settle(&person, &form, paths::ACCOUNT_SESSION, outcome).await
}

/// Revokes the trust in one device, or in all.
pub(super) async fn device(AccountPost(person, form): AccountPost) -> Response {
    if let Err(asked) = prove(&person, &form, paths::ACCOUNT_DEVICE).await {
        return asked;
    }
    let outcome = match form.all("id").next() {
        Some(id) => trusted_devices::end(&person.owner, &id.into()).await,
        None => trusted_devices::end_all(&person.owner).await,
    };
    settle(&person, &form, paths::ACCOUNT_DEVICE, outcome).await
}

/// Revokes the access of an application.
pub(super) async fn grant(AccountPost(person, form): AccountPost) -> Response {
    if let Err(asked) = prove(&person, &form, paths::ACCOUNT_GRANT).await {
        return asked;
    }
    let id = form.all("id").next().unwrap_or_default().into();
    let outcome = grants::revoke(&person.owner, &id).await;
    settle(&person, &form, paths::ACCOUNT_GRANT, outcome).await
}

/// Ends an impersonation of the user; at once, without the password.
pub(super) async fn impersonation(AccountPost(person, form): AccountPost) -> Response {
    let jti = form.all("id").next().unwrap_or_default();
    let outcome = impersonations::end(&person.owner, jti).await;
    settle(&person, &form, paths::ACCOUNT_IMPERSONATION, outcome).await
}
