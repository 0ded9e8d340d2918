//! `POST /api/experience/profile`, and `PUT …/profile/password` for a forgotten password.

use axum::http::StatusCode;
use claimsmith_domain::documents::text::Text;
use claimsmith_domain::identifier::IdentifierType;
use claimsmith_identity::interaction::extra_profile::add_extra;
use claimsmith_identity::interaction::federated::stage::add_social;
use claimsmith_identity::interaction::link_company::link_company;
use claimsmith_identity::interaction::{forgotten_password, profile};
use claimsmith_web::error::ApiError;
use claimsmith_web::extract::interaction::InProgress;
use claimsmith_web::extract::json::DeclaredJson;
use serde::Deserialize;
use serde_json::{Map, Value};

/// The given value.
#[derive(Deserialize, utoipa::ToSchema)]
#[serde(tag = "type", rename_all = "camelCase")]
pub(super) enum NewProfileValue {
    Username {
        value: Text<0, 1024>,
    },
    Password {
        value: Text<1, 4096>,
    },
    #[serde(rename_all = "camelCase")]
    Email {
        verification_id: Text<1, 128>,
    },
    #[serde(rename_all = "camelCase")]
    Phone {
        verification_id: Text<1, 128>,
    },
    ExtraProfile {
        #[schema(value_type = Object)]
        values: Map<String, Value>,
    },
    #[serde(rename_all = "camelCase")]
    Social {
        verification_id: Text<1, 128>,
    },
    #[serde(rename_all = "camelCase")]
    EnterpriseSso {
        verification_id: Text<1, 128>,
    },
}

/// A new password.
#[derive(Deserialize, utoipa::ToSchema)]
pub(super) struct NewPassword {
    /// The password policy limits its length.
    password: Text<1, 4096>,
}

/// Stages a username, a password, custom profile fields, or a verified email address, phone number or linked account.
pub(super) async fn add(
    InProgress(mut current): InProgress,
    DeclaredJson(body): DeclaredJson<NewProfileValue>,
) -> Result<StatusCode, ApiError> {
    match body {
        NewProfileValue::Username { value } => profile::add_username(&mut current, value.as_str()).await?,
        NewProfileValue::Password { value } => profile::add_password(&mut current, value.as_str()).await?,
        NewProfileValue::Email { verification_id } => {
            profile::add_verified(&mut current, IdentifierType::Email, verification_id.as_str()).await?;
        }
        NewProfileValue::Phone { verification_id } => {
            profile::add_verified(&mut current, IdentifierType::Phone, verification_id.as_str()).await?;
        }
        NewProfileValue::ExtraProfile { values } => add_extra(&mut current, &values).await?,
        NewProfileValue::EnterpriseSso { verification_id } => {
            link_company(&mut current, verification_id.as_str()).await?;
        }
        NewProfileValue::Social { verification_id } => add_social(&mut current, verification_id.as_str()).await?,
    }
    Ok(StatusCode::NO_CONTENT)
}

/// Stages the password that replaces a forgotten one.
pub(super) async fn reset_password(
    InProgress(mut current): InProgress,
    DeclaredJson(body): DeclaredJson<NewPassword>,
) -> Result<StatusCode, ApiError> {
    forgotten_password::choose(&mut current, body.password.as_str()).await?;
    Ok(StatusCode::NO_CONTENT)
}
