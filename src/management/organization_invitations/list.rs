//! `GET /api/organization-invitations`.

use super::view::InvitationView;
use crate::refusals::AccessRefused;
use axum::Json;
use claimsmith_domain::documents::fold::fold;
use claimsmith_domain::id::{OrganizationId, UserId};
use claimsmith_domain::management::OrganizationsRead;
use claimsmith_storage::organizations;
use claimsmith_storage::organizations::invitations::Filter;
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::management::Management;
use claimsmith_web::extract::query::Query;

/// Lists invitations, newest first: the thousand newest of those wanted.
#[utoipa::path(
    get, path = "/api/organization-invitations", tag = "Organization invitations",
    summary = "List invitations to organizations",
    params(
        ("organizationId" = Option<String>, Query, description = "Where to"),
        ("inviterId" = Option<String>, Query, description = "By whom"),
        ("invitee" = Option<String>, Query, description = "For whom: an email address, in any case"),
    ),
    responses(
        (status = 200, description = "The invitations", body = Vec<InvitationView>),
        (status = 400, description = "A parameter is not what the operation takes", body = ApiErrorBody),
        AccessRefused,
    ),
)]
pub(super) async fn list_organization_invitations(
    management: Management<OrganizationsRead>,
    query: Query,
) -> Result<Json<Vec<InvitationView>>, ApiError> {
    let invitee = query.one("invitee")?.map(fold);
    let organization_id = query.one("organizationId")?.map(OrganizationId::from);
    let inviter_id = query.one("inviterId")?.map(UserId::from);
    let wanted = Filter {
        organization_id: organization_id.as_ref(),
        inviter_id: inviter_id.as_ref(),
        invitee: invitee.as_deref(),
    };
    let mut tx = management.read().await?;
    let invitations = organizations::invitations::list(&mut tx, wanted).await?;
    let ids: Vec<_> = invitations.iter().map(|one| &one.id).collect();
    let roles = organizations::invitations::roles_of(&mut tx, &ids).await?;
    let now = management.now();
    Ok(Json(invitations.into_iter().map(|one| InvitationView::new(one, &roles, now)).collect()))
}
