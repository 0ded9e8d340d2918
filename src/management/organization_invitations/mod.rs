//! `/api/organization-invitations`: the routes, and the operations on invitations.

mod message;
mod status;

use crate::describe::routes;
use crate::organization_roles::check;
use crate::refusals::{AccessRefused, BodyRefused};
use crate::relations;
use crate::views::held_roles;
use axum::Json;
use axum::http::StatusCode;
use claimsmith_api::organization_invitations::{CreateInvitation, InvitationView, MessagePayload};
use claimsmith_api::tenant::Tenant;
use claimsmith_domain::api_code::ApiCode;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::documents::fold::fold;
use claimsmith_domain::documents::id_list::IdList;
use claimsmith_domain::documents::organization::InvitationStatus;
use claimsmith_domain::documents::role::RoleType;
use claimsmith_domain::id::{InvitationId, OrganizationId, UserId};
use claimsmith_domain::management::{OrganizationsRead, OrganizationsWrite, Recent};
use claimsmith_identity::accounts::new_invitation_token;
use claimsmith_services::app::App;
use claimsmith_services::messages;
use claimsmith_storage::organizations::held_roles::HeldRole;
use claimsmith_storage::organizations::invitations::{Filter, Invitation, ROLES};
use claimsmith_storage::{self as storage, Tx, organizations, users};
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::ids::Id;
use claimsmith_web::extract::json::JsonBody;
use claimsmith_web::extract::management::Management;
use claimsmith_web::extract::query::Query;
use serde_json::json;
use utoipa_axum::router::OpenApiRouter;

/// The routes of this family.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(self::create_organization_invitation, self::list_organization_invitations))
        .routes(routes!(self::show_organization_invitation, self::delete_organization_invitation))
        .routes(routes!(message::send_organization_invitation))
        .routes(routes!(status::set_organization_invitation_status))
}

fn shown(invitation: Invitation, roles: &[HeldRole<InvitationId>], now: i64) -> InvitationView {
    InvitationView {
        tenant_id: Tenant,
        organization_roles: held_roles(&invitation.id, roles),
        status: invitation.status.at(now, invitation.expires_at),
        id: invitation.id,
        inviter_id: invitation.inviter_id,
        invitee: invitation.invitee,
        accepted_user_id: invitation.accepted_user_id,
        organization_id: invitation.organization_id,
        created_at: invitation.created_at,
        updated_at: invitation.updated_at,
        expires_at: invitation.expires_at,
    }
}

/// An invitation with its roles.
async fn view(tx: &mut Tx, invitation: Invitation, now: i64) -> Result<InvitationView, ApiError> {
    let roles = organizations::invitations::roles_of(tx, &[&invitation.id]).await?;
    Ok(shown(invitation, &roles, now))
}

/// Lists invitations, newest first: the thousand newest of those wanted.
#[utoipa::path(
    get, path = "/api/organization-invitations", tag = "Organization invitations",
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
    Ok(Json(invitations.into_iter().map(|one| shown(one, &roles, now)).collect()))
}

/// Invites a person to an organization by email address.
#[utoipa::path(
    post, path = "/api/organization-invitations", tag = "Organization invitations",
    request_body = CreateInvitation,
    responses(
        (status = 201, description = "The invitation", body = InvitationView),
        BodyRefused, AccessRefused,
        (status = 422, description = "No such organization, role or inviter, or the invitee is a member or invited \
            already", body = ApiErrorBody),
        (status = 429, description = "Too many messages were sent to the invitee", body = ApiErrorBody),
        (status = 501, description = "Nothing here sends messages", body = ApiErrorBody),
    ),
)]
pub(super) async fn create_organization_invitation(
    management: Management<Recent<OrganizationsWrite>>,
    JsonBody(body): JsonBody<CreateInvitation>,
) -> Result<(StatusCode, Json<InvitationView>), ApiError> {
    let now = management.now();
    if body.expires_at <= now {
        let message = "Error in key path \"expiresAt\": expected a time in the future";
        return Err(ApiError::new(ApiCode::RequestInvalidInput, message));
    }
    let variables = match body.message_payload {
        None | Some(MessagePayload::Whether(false)) => None,
        Some(MessagePayload::Whether(true)) => {
            let details = "Error in key path \"messagePayload\": expected an object or false";
            return Err(ApiError::invalid_input("body", details));
        }
        Some(MessagePayload::Variables(variables)) => Some(variables),
    };
    let id: InvitationId = management.app.random.id(21)?.into();
    let sealed_token = new_invitation_token(&management.app.cipher, &id)?;
    let invitation = Invitation {
        id,
        organization_id: String::from(body.organization_id).into(),
        inviter_id: body.inviter_id.map(|id| String::from(id).into()),
        invitee: fold(&String::from(body.invitee)),
        accepted_user_id: None,
        status: InvitationStatus::Pending,
        created_at: now,
        updated_at: now,
        expires_at: body.expires_at,
        sealed_token: Some(sealed_token),
    };
    let role_ids = body.organization_role_ids.as_ref().map_or(&[][..], IdList::as_slice);

    // Counts against the rate limit before the transaction, and before the server checks whether the invitee is known.
    let to = match &variables {
        Some(_) => Some(message::admit(&management, &invitation.invitee).await?),
        None => None,
    };
    let mut tx = management.begin().await?;
    let Invitation { organization_id, invitee, inviter_id, .. } = &invitation;
    organizations::find(&mut tx, organization_id).await?.ok_or_else(|| relations::missing("organization"))?;
    if let Some(inviter_id) = inviter_id {
        users::find(&mut tx, inviter_id).await?.ok_or_else(|| relations::missing("inviter"))?;
    }
    check(&mut tx, role_ids, RoleType::User).await?;
    if organizations::members::has_email(&mut tx, organization_id, invitee).await? {
        let message = "The invitee is a member of the organization already.";
        return Err(ApiError::new(ApiCode::RequestInvalidInputUnprocessable, message));
    }
    organizations::invitations::expire(&mut tx, organization_id, invitee, now).await?;
    match organizations::invitations::insert(&mut tx, &invitation).await {
        Err(storage::Error::Conflict) => {
            return Err(relations::taken("The invitee has a pending invitation to the organization."));
        }
        result => result.map_err(|error| relations::from_write(error, "organization or inviter"))?,
    }
    let linked = ROLES.add(&mut tx, &invitation.id, role_ids).await;
    linked.map_err(|error| relations::from_write(error, "organization role"))?;
    let details = json!({
        "organizationInvitationId": invitation.id, "organizationId": organization_id,
        "organizationRoleIds": role_ids,
    });
    tx.audit(AuditKey::ManagementOrganizationInvitationCreate, details).await?;
    if let (Some(to), Some(variables)) = (&to, &variables) {
        message::append(&management, &mut tx, to, &invitation, variables).await?;
    }
    let view = view(&mut tx, invitation, now).await?;
    tx.commit().await?;
    Ok((StatusCode::CREATED, Json(view)))
}

/// Shows an invitation.
#[utoipa::path(
    get, path = "/api/organization-invitations/{id}", tag = "Organization invitations",
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

/// Deletes an invitation.
///
/// Who accepted it stays a member.
#[utoipa::path(
    delete, path = "/api/organization-invitations/{id}", tag = "Organization invitations",
    params(("id" = String, Path, description = "The invitation")),
    responses(
        (status = 204, description = "Deleted"),
        AccessRefused,
        (status = 404, description = "No such invitation", body = ApiErrorBody),
    ),
)]
pub(super) async fn delete_organization_invitation(
    management: Management<Recent<OrganizationsWrite>>,
    Id(id): Id<InvitationId>,
) -> Result<StatusCode, ApiError> {
    let mut tx = management.begin().await?;
    if !organizations::invitations::delete(&mut tx, &id).await? {
        return Err(ApiError::nothing_to_delete("organization invitation", &id));
    }
    let now = tx.now();
    messages::withdraw(&mut tx, &id, now).await?;
    let details = json!({ "organizationInvitationId": id });
    tx.audit(AuditKey::ManagementOrganizationInvitationDelete, details).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}
