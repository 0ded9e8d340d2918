//! `POST /api/experience/identification`.

use axum::http::StatusCode;
use claimsmith_domain::documents::text::Text;
use claimsmith_identity::interaction::identify;
use claimsmith_identity::interaction::link_social::link_social;
use claimsmith_json::present;
use claimsmith_web::error::ApiError;
use claimsmith_web::extract::interaction::InProgress;
use claimsmith_web::extract::json::DeclaredJson;
use serde::Deserialize;

/// The verification that identifies the user.
#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Identification {
    #[serde(default, deserialize_with = "present")]
    verification_id: Option<Text<1, 128>>,
    /// Whether to link the social account to the identified user with the same email address.
    #[serde(default)]
    link_social_identity: bool,
}

/// Identifies the user: 201 if the user was created.
pub(super) async fn identify(
    InProgress(mut current): InProgress,
    DeclaredJson(body): DeclaredJson<Identification>,
) -> Result<StatusCode, ApiError> {
    let id = body.verification_id.as_ref().map(Text::as_str);
    if body.link_social_identity {
        link_social(&mut current, id).await?;
        return Ok(StatusCode::NO_CONTENT);
    }
    let created = identify::identify(&mut current, id).await?;
    Ok(if created { StatusCode::CREATED } else { StatusCode::NO_CONTENT })
}
