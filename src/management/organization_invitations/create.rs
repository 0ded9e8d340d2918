//! `POST /api/organization-invitations`.

use super::message;
use super::view::{InvitationView, view};
use crate::organization_roles::check;
use crate::refusals::{AccessRefused, BodyRefused};
use crate::relations;
use axum::Json;
use axum::http::StatusCode;
use claimsmith_domain::api_code::ApiCode;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::documents::fold::fold;
use claimsmith_domain::documents::id_list::IdList;
use claimsmith_domain::documents::organization::InvitationStatus;
use claimsmith_domain::documents::role::RoleType;
use claimsmith_domain::documents::text::Text;
use claimsmith_domain::documents::user::Email;
use claimsmith_domain::id::{InvitationId, OrganizationRoleId};
use claimsmith_domain::management::OrganizationsWrite;
use claimsmith_identity::accounts::new_invitation_token;
use claimsmith_json::present;
use claimsmith_storage::organizations;
use claimsmith_storage::organizations::invitations::{Invitation, ROLES};
use claimsmith_storage::{self as storage, users};
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::json::JsonBody;
use claimsmith_web::extract::management::Management;
use serde::Deserialize;
use serde_json::{Map, Value, json};

/// A new invitation.
#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "invitee": "grace@example.com", "organizationId": "o6r2g9a4n1z8", "expiresAt": 4_102_444_800_000_i64,
    "inviterId": "q3v8k1znw2pd", "organizationRoleIds": ["h3g8j1k6l4q9w2z7x0c5v"], "messagePayload": false
}))]
pub(super) struct CreateInvitation {
    /// An email address.
    #[schema(value_type = String, max_length = 128, pattern = r"^\S+@\S+\.\S+$")]
    invitee: Email,
    #[schema(value_type = String, min_length = 1, max_length = 128)]
    organization_id: Text<1, 128>,
    /// Unix milliseconds, in the future.
    expires_at: i64,
    /// A user.
    #[serde(default)]
    #[schema(value_type = Option<String>, max_length = 128)]
    inviter_id: Option<Text<1, 128>>,
    /// What the invitee will be there, at most 1000.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Vec<String>, required = false, max_items = 1000)]
    organization_role_ids: Option<IdList<OrganizationRoleId, 0>>,
    /// False: no message is sent. The variables of an email to the invitee; `link` takes the place of the server's own
    /// page, where the invitation is accepted.
    #[serde(default, deserialize_with = "present")]
    #[schema(required = false)]
    message_payload: Option<MessagePayload>,
}

/// What a message to the invitee says, or false for no message.
#[derive(Deserialize, utoipa::ToSchema)]
#[serde(untagged)]
pub(super) enum MessagePayload {
    /// Only false has a meaning.
    Whether(bool),
    /// The variables of the message.
    #[schema(value_type = Object)]
    Variables(Map<String, Value>),
}

/// Invites a person to an organization by email address.
#[utoipa::path(
    post, path = "/api/organization-invitations", tag = "Organization invitations",
    summary = "Invite somebody to an organization",
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
    management: Management<OrganizationsWrite>,
    JsonBody(body): JsonBody<CreateInvitation>,
) -> Result<(StatusCode, Json<InvitationView>), ApiError> {
    let now = management.now();
    if body.expires_at <= now {
        let details = "Error in key path \"expiresAt\": expected a time in the future";
        return Err(ApiError::invalid_input("body", details));
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
