//! `PUT /api/organization-invitations/{id}/status`: accepts or revokes an invitation, once.

use super::view;
use crate::refusals::{AccessRefused, BodyRefused};
use crate::relations;
use axum::Json;
use axum::http::StatusCode;
use claimsmith_api::organization_invitations::{InvitationView, SetStatus, Settled};
use claimsmith_domain::api_code::ApiCode;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::documents::fold::fold;
use claimsmith_domain::documents::organization::InvitationStatus;
use claimsmith_domain::event::EventType;
use claimsmith_domain::id::{InvitationId, UserId};
use claimsmith_domain::management::{OrganizationsWrite, Recent};
use claimsmith_services::messages;
use claimsmith_services::unit_of_work::UnitOfWork;
use claimsmith_services::webhooks::Event;
use claimsmith_storage::organizations::invitations::{Invitation, ROLES};
use claimsmith_storage::{Tx, organizations, users};
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::ids::Id;
use claimsmith_web::extract::json::JsonBody;
use claimsmith_web::extract::management::Management;
use serde_json::json;
use std::slice;

/// Accepts an invitation for a user, who becomes a member with its roles, or takes it back.
#[utoipa::path(
    put, path = "/api/organization-invitations/{id}/status", tag = "Organization invitations",
    params(("id" = String, Path, description = "The invitation")),
    request_body = SetStatus,
    responses(
        (status = 200, description = "The invitation", body = InvitationView),
        BodyRefused, AccessRefused,
        (status = 404, description = "No such invitation or user", body = ApiErrorBody),
        (status = 422, description = "The invitation is not pending any more, or the user is not the invitee",
            body = ApiErrorBody),
    ),
)]
pub(super) async fn set_organization_invitation_status(
    management: Management<Recent<OrganizationsWrite>>,
    Id(id): Id<InvitationId>,
    JsonBody(body): JsonBody<SetStatus>,
) -> Result<Json<InvitationView>, ApiError> {
    let now = management.now();
    let mut tx = management.begin().await?;
    let invitation = organizations::invitations::find(&mut tx, &id).await?;
    let mut invitation = invitation.ok_or_else(|| ApiError::not_found("organization invitation", &id))?;
    if invitation.status.at(now, invitation.expires_at) != InvitationStatus::Pending {
        return Err(not_pending());
    }
    let accepted_user_id = match (body.status, body.accepted_user_id.0.map(|id| UserId::from(String::from(id)))) {
        (Settled::Accepted, Some(user_id)) => Some(user_id),
        (Settled::Accepted, None) => {
            let details = "Error in key path \"acceptedUserId\": expected the user who accepts";
            return Err(ApiError::invalid_input("body", details));
        }
        (Settled::Revoked, _) => None,
    };
    let status = match &accepted_user_id {
        Some(user_id) => {
            check_invitee(&mut tx, &invitation, user_id).await?;
            InvitationStatus::Accepted
        }
        None => InvitationStatus::Revoked,
    };
    // Of concurrent requests, one finds it pending.
    let settled = organizations::invitations::settle(&mut tx, &id, status, accepted_user_id.as_ref(), now).await?;
    if !settled {
        return Err(not_pending());
    }
    messages::withdraw(&mut tx, &id, now).await?;
    if let Some(user_id) = &accepted_user_id {
        join(&mut tx, &invitation, user_id).await?;
    }
    let details = json!({
        "organizationInvitationId": id, "organizationId": invitation.organization_id, "status": status,
        "acceptedUserId": accepted_user_id,
    });
    tx.audit(AuditKey::ManagementOrganizationInvitationSetStatus, details).await?;
    invitation.status = status;
    invitation.accepted_user_id = accepted_user_id;
    invitation.updated_at = now;
    let view = view(&mut tx, invitation, now).await?;
    tx.commit().await?;
    Ok(Json(view))
}

fn not_pending() -> ApiError {
    ApiError::new(ApiCode::RequestInvalidInputUnprocessable, "The invitation is not pending any more.")
}

/// 404 if there is no such user, and 422 unless the invitation is for their own email address.
async fn check_invitee(tx: &mut Tx, invitation: &Invitation, user_id: &UserId) -> Result<(), ApiError> {
    let user = users::find(tx, user_id).await?.ok_or_else(|| ApiError::unknown_user(user_id))?;
    if user.primary_email.as_deref().map(fold).as_ref() != Some(&invitation.invitee) {
        let message = "The primary email address of the user is not the one that was invited.";
        return Err(ApiError::new(ApiCode::RequestInvalidInputUnprocessable, message));
    }
    Ok(())
}

/// Makes the user a member, with the roles of the invitation.
async fn join(tx: &mut UnitOfWork, invitation: &Invitation, user_id: &UserId) -> Result<(), ApiError> {
    let organization_id = &invitation.organization_id;
    let added = organizations::members::add(tx, organization_id, slice::from_ref(user_id)).await;
    let added = added.map_err(|error| relations::from_write(error, "organization or user"))?;
    let role_ids = ROLES.of(tx, &invitation.id).await?;
    let added_roles = organizations::members::add_roles(tx, organization_id, user_id, &role_ids).await?;
    let event = Event::new(EventType::OrganizationMembershipUpdated, StatusCode::OK)
        .of("organizationId", organization_id)
        .ids("addedUserIds", &added);
    tx.emit(&event).await?;
    if added_roles.is_empty() {
        return Ok(());
    }
    let event = Event::new(EventType::OrganizationMembershipRolesUpdated, StatusCode::OK);
    let event = event.of("organizationId", organization_id).of("userId", user_id);
    Ok(tx.emit(&event.ids("addedOrganizationRoleIds", &added_roles)).await?)
}
