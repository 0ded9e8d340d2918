//! `/api/my-account/primary-email`, `…/primary-phone` and `…/identities`: set with proof by a verification record, and
//! removed.

use axum::http::StatusCode;
use claimsmith_domain::documents::account_center::Field;
use claimsmith_domain::documents::text::Text;
use claimsmith_domain::identifier::{Identifier, IdentifierType};
use claimsmith_identity::own_account::identifiers::{self, remove};
use claimsmith_identity::own_account::linking::Linking;
use claimsmith_web::error::ApiError;
use claimsmith_web::extract::account::OwnChange;
use claimsmith_web::extract::ids::Id;
use claimsmith_web::extract::json::JsonBody;
use serde::Deserialize;

/// A new email address.
#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct NewEmail {
    email: Text<1, 256>,
    new_identifier_verification_record_id: Text<1, 128>,
}

/// A new phone number.
#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct NewPhone {
    phone: Text<1, 256>,
    new_identifier_verification_record_id: Text<1, 128>,
}

/// A new linked account.
#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct NewIdentity {
    new_identifier_verification_record_id: Text<1, 128>,
}

/// Sets the email address.
pub(super) async fn set_email(account: OwnChange, JsonBody(body): JsonBody<NewEmail>) -> Result<StatusCode, ApiError> {
    account.demand_edited("email", Field::Email)?;
    let given = Identifier { kind: IdentifierType::Email, value: body.email.into() };
    identifiers::set(&account.owner, &given, body.new_identifier_verification_record_id.as_str()).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Sets the phone number.
pub(super) async fn set_phone(account: OwnChange, JsonBody(body): JsonBody<NewPhone>) -> Result<StatusCode, ApiError> {
    account.demand_edited("phone", Field::Phone)?;
    let given = Identifier { kind: IdentifierType::Phone, value: body.phone.into() };
    identifiers::set(&account.owner, &given, body.new_identifier_verification_record_id.as_str()).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Links an account at a connector.
pub(super) async fn link(account: OwnChange, body: JsonBody<NewIdentity>) -> Result<StatusCode, ApiError> {
    put(&account, body, Linking::Beside).await
}

/// Links an account at a connector, replacing one of the same connector.
pub(super) async fn relink(account: OwnChange, body: JsonBody<NewIdentity>) -> Result<StatusCode, ApiError> {
    put(&account, body, Linking::Instead).await
}

async fn put(
    account: &OwnChange,
    JsonBody(body): JsonBody<NewIdentity>,
    linking: Linking,
) -> Result<StatusCode, ApiError> {
    account.demand("identities")?;
    identifiers::link(&account.owner, body.new_identifier_verification_record_id.as_str(), linking).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Removes the email address.
pub(super) async fn remove_email(account: OwnChange) -> Result<StatusCode, ApiError> {
    account.demand_edited("email", Field::Email)?;
    remove(&account.owner, IdentifierType::Email).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Removes the phone number.
pub(super) async fn remove_phone(account: OwnChange) -> Result<StatusCode, ApiError> {
    account.demand_edited("phone", Field::Phone)?;
    remove(&account.owner, IdentifierType::Phone).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Unlinks an account.
pub(super) async fn unlink(account: OwnChange, Id(target): Id) -> Result<StatusCode, ApiError> {
    account.demand("identities")?;
    identifiers::unlink(&account.owner, &target).await?;
    Ok(StatusCode::NO_CONTENT)
}
