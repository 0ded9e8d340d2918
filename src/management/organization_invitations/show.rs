//! `GET /api/organization-invitations/{id}`.

use super::view::{InvitationView, view};
use crate::refusals::AccessRefused;
use axum::Json;
use claimsmith_domain::id::InvitationId;
use claimsmith_domain::management::OrganizationsRead;
use claimsmith_storage::organizations;
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::ids::Id;
use claimsmith_web::extract::management::Management;

/// Shows an invitation.
#[utoipa::path(
    get, path = "/api/organization-invitations/{id}", tag = "Organization invitations",
    summary = "Show an invitation to an organization",
    params(("id" = String, Path, description = "The invitation")),
    responses(
        (status = 200, description = "The invitation", body = InvitationView),
        AccessRefused,
        (status = 404, description = "No such invitation", body = ApiErrorBody),
    ),
)]
pub(super) async fn show_organization_invitation(
    management: Management<OrganizationsRead>,
    Id(id): Id<InvitationId>,
) -> Result<Json<InvitationView>, ApiError> {
    let mut tx = management.read().await?;
    let invitation = organizations::invitations::find(&mut tx, &id).await?;
    let invitation = invitation.ok_or_else(|| ApiError::not_found("organization invitation", &id))?;
    Ok(Json(view(&mut tx, invitation, management.now()).await?))
}
