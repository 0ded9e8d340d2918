//! The email of an invitation, with the link that accepts it; and `POST /api/organization-invitations/{id}/message`,
//! which sends it again.

use crate::messages::refused;
use crate::refusals::{AccessRefused, BodyRefused};
use axum::http::StatusCode;
use claimsmith_domain::api_code::ApiCode;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::documents::language::LanguageTag;
use claimsmith_domain::documents::message::TemplateType;
use claimsmith_domain::documents::organization::InvitationStatus;
use claimsmith_domain::id::InvitationId;
use claimsmith_domain::management::{OrganizationsWrite, Recent};
use claimsmith_domain::message::{Contents, Message, Recipient};
use claimsmith_identity::accounts::invitation_token;
use claimsmith_pages::paths;
use claimsmith_services::messages::Admitted;
use claimsmith_services::unit_of_work::UnitOfWork;
use claimsmith_storage::organizations::{self, invitations::Invitation};
use claimsmith_storage::sign_in::settings::EXPERIENCE;
use claimsmith_storage::users;
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::ids::Id;
use claimsmith_web::extract::json::JsonBody;
use claimsmith_web::extract::management::{Caller, Management};
use serde_json::{Map, Value, json};

/// Checks whether the invitee may get an email now, which counts against the rate limit.
pub(super) async fn admit(management: &Caller, invitee: &str) -> Result<Admitted, ApiError> {
    let refusal =
        || ApiError::invalid_input("body", "Error in key path \"invitee\": it is not a valid recipient of messages");
    let recipient = Recipient::email(invitee).ok_or_else(refusal)?;
    let template = TemplateType::OrganizationInvitation;
    management.app.messages.admit(recipient, template, management.message_requester()).await.map_err(refused)
}

/// Queues the email of an invitation. A `link` of the caller replaces the server's own, and a `locale` chooses the
/// language.
pub(super) async fn append(
    management: &Caller,
    tx: &mut UnitOfWork,
    to: &Admitted,
    invitation: &Invitation,
    variables: &Map<String, Value>,
) -> Result<(), ApiError> {
    let app = &management.app;
    let link = if let Some(link) = variables.get("link").and_then(Value::as_str) {
        link.to_owned()
    } else {
        let token = invitation_token(&app.cipher, invitation)?;
        let mut query = form_urlencoded::Serializer::new(String::new());
        let query = query.append_pair("id", &invitation.id).append_pair("token", &token).finish();
        format!("{}{}?{query}", app.config.server.base_url, paths::INVITATION)
    };
    let organization = organizations::find(tx, &invitation.organization_id).await?;
    let inviter = match &invitation.inviter_id {
        Some(id) => users::find(tx, id).await?,
        None => None,
    };
    let contents = Contents {
        organization: organization.map(|one| json!({ "id": one.id, "name": one.name })),
        inviter: inviter.map(|one| {
            json!({ "id": one.id, "name": one.name, "username": one.username, "primaryEmail": one.primary_email })
        }),
        ..Contents::link(link)
    };
    let language = match variables.get("locale") {
        Some(locale) => named_language(locale)?,
        None => EXPERIENCE.find(tx).await?.language_info.fallback_language,
    };
    let message = Message {
        template: TemplateType::OrganizationInvitation,
        language,
        contents,
        expires_at: invitation.expires_at,
        about: Some(invitation.id.to_string()),
    };
    let now = tx.now();
    app.messages.append(tx, to, &message, now).await.map_err(refused)?;
    Ok(())
}

fn named_language(locale: &Value) -> Result<LanguageTag, ApiError> {
    let named = locale.as_str().and_then(|tag| LanguageTag::try_from(tag.to_owned()).ok());
    named.ok_or_else(|| {
        ApiError::invalid_input("body", "Error in key path \"locale\": expected a language tag, such as de")
    })
}

/// Sends the email of a pending invitation again.
#[utoipa::path(
    post, path = "/api/organization-invitations/{id}/message", tag = "Organization invitations",
    params(("id" = String, Path, description = "The invitation")),
    request_body(content = Object, example = json!({ "link": "https://app.example.com/invited" })),
    responses(
        (status = 204, description = "It is on its way"),
        BodyRefused, AccessRefused,
        (status = 404, description = "No such invitation", body = ApiErrorBody),
        (status = 422, description = "The invitation is not pending any more", body = ApiErrorBody),
        (status = 429, description = "Too many messages were sent there", body = ApiErrorBody),
        (status = 501, description = "Nothing here sends emails", body = ApiErrorBody),
    ),
)]
pub(super) async fn send_organization_invitation(
    management: Management<Recent<OrganizationsWrite>>,
    Id(id): Id<InvitationId>,
    JsonBody(variables): JsonBody<Map<String, Value>>,
) -> Result<StatusCode, ApiError> {
    let found = organizations::invitations::find(&mut management.read().await?, &id).await?;
    let invitation = found.ok_or_else(|| ApiError::not_found("organization invitation", &id))?;
    if invitation.status.at(management.now(), invitation.expires_at) != InvitationStatus::Pending {
        return Err(ApiError::new(
            ApiCode::RequestInvalidInputUnprocessable,
            "The invitation is not pending any more.",
        ));
    }
    let to = admit(&management, &invitation.invitee).await?;
    let mut tx = management.begin().await?;
    append(&management, &mut tx, &to, &invitation, &variables).await?;
    tx.audit(AuditKey::ManagementOrganizationInvitationSend, json!({ "organizationInvitationId": id })).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}
