//! `DELETE /api/my-account/primary-email`, `…/primary-phone` and `…/identities/{target}`.

use crate::accounts::Identifier;
use crate::http::error::ApiError;
use crate::http::extract::account::OwnChange;
use crate::http::extract::ids::Id;
use crate::own_account::identifiers::{self, remove};
use axum::http::StatusCode;

/// Removes the email address.
pub(super) async fn remove_email(account: OwnChange) -> Result<StatusCode, ApiError> {
    account.demand("email")?;
    remove(&account.owner, Identifier::Email).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Removes the phone number.
pub(super) async fn remove_phone(account: OwnChange) -> Result<StatusCode, ApiError> {
    account.demand("phone")?;
    remove(&account.owner, Identifier::Phone).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Unlinks an account elsewhere.
pub(super) async fn unlink(account: OwnChange, Id(target): Id) -> Result<StatusCode, ApiError> {
    account.demand("identities")?;
    identifiers::unlink(&account.owner, &target).await?;
    Ok(StatusCode::NO_CONTENT)
}
