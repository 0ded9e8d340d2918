//! `/api/administrator-invitations`: administrators invite people to administer. The link is shown once; whoever opens
//! it claims the invitation for an account, and the inviter confirms that account
//! (`docs/decisions/people-who-administer.md`).

use crate::describe::routes;
use crate::messages::refused;
use crate::refusals::{AccessRefused, BodyRefused};
use axum::Json;
use axum::http::StatusCode;
use claimsmith_api::administrator_invitations::{
    AdministratorInvitationView, ClaimingUser, ConfirmAdministrator, CreateAdministratorInvitation,
    NewAdministratorInvitation,
};
use claimsmith_domain::api_code::ApiCode;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::console::roles::is_role;
use claimsmith_domain::console_link::PATH;
use claimsmith_domain::documents::message::TemplateType;
use claimsmith_domain::event::EventType;
use claimsmith_domain::id::{RoleId, UserId};
use claimsmith_domain::management::{ConfigsRead, Everything};
use claimsmith_domain::message::{Contents, Message, Recipient};
use claimsmith_identity::accounts::administrator_invitations::{LINK_LIFETIME_MS, administers, new_code};
use claimsmith_services::app::App;
use claimsmith_services::messages::{self, Admitted};
use claimsmith_services::unit_of_work::UnitOfWork;
use claimsmith_services::webhooks::Event;
use claimsmith_storage::console::invitations::{self, AdministratorInvitation};
use claimsmith_storage::sign_in::settings::EXPERIENCE;
use claimsmith_storage::users::User;
use claimsmith_storage::{Tx, roles, users};
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::ids::Id;
use claimsmith_web::extract::json::JsonBody;
use claimsmith_web::extract::management::{Caller, Management};
use serde_json::json;
use utoipa_axum::router::OpenApiRouter;

/// The maximum number of invitations that have not expired.
const MAX_INVITATIONS: i64 = 100;

/// The routes of this family.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(self::list_administrator_invitations, self::create_administrator_invitation))
        .routes(routes!(self::confirm_administrator_invitation))
        .routes(routes!(self::delete_administrator_invitation))
}

/// Lists the invitations that have not expired, newest first, without their links.
#[utoipa::path(
    get, path = "/api/administrator-invitations", tag = "Administrators",
    responses(
        (status = 200, description = "The invitations", body = Vec<AdministratorInvitationView>),
        AccessRefused,
    ),
)]
async fn list_administrator_invitations(
    management: Management<ConfigsRead>,
) -> Result<Json<Vec<AdministratorInvitationView>>, ApiError> {
    let mut tx = management.read().await?;
    let mut views = Vec::new();
    for invitation in invitations::list(&mut tx, management.now(), MAX_INVITATIONS).await? {
        views.push(view(&mut tx, invitation).await?);
    }
    Ok(Json(views))
}

/// Invites somebody to administer.
///
/// The link alone grants nothing: whoever opens it within a day signs in or creates an account, and the inviter then
/// confirms that account. It works as long as the inviter administers.
#[utoipa::path(
    post, path = "/api/administrator-invitations", tag = "Administrators",
    request_body = CreateAdministratorInvitation,
    responses(
        (status = 201, description = "The invitation, with its link", body = NewAdministratorInvitation),
        BodyRefused, AccessRefused,
        (status = 422, description = "There are too many invitations already", body = ApiErrorBody),
        (status = 429, description = "Too many messages were sent to the address", body = ApiErrorBody),
        (status = 501, description = "Nothing here sends emails", body = ApiErrorBody),
    ),
)]
async fn create_administrator_invitation(
    management: Management<Everything>,
    JsonBody(body): JsonBody<CreateAdministratorInvitation>,
) -> Result<(StatusCode, Json<NewAdministratorInvitation>), ApiError> {
    let inviter_id = inviter(&management)?;
    let role_id = RoleId::from(String::from(body.role_id));
    if !is_role(&role_id) {
        return Err(ApiError::invalid_input("body", "Error in key path \"roleId\": expected a role of the console"));
    }
    // Counts against the rate limit of messages before the transaction.
    let to = match body.email {
        Some(email) => Some(admit(&management, &String::from(email)).await?),
        None => None,
    };
    let now = management.now();
    let (code, hash) = new_code()?;
    let invitation = AdministratorInvitation {
        id: management.app.random.id(21)?,
        hash: Some(hash),
        role_id,
        inviter_id,
        note: body.note.map(String::from).unwrap_or_default(),
        created_at: now,
        expires_at: now + LINK_LIFETIME_MS,
        user_id: None,
        claimed_at: None,
    };
    let mut tx = management.begin().await?;
    demand_administering(&mut tx, &invitation.inviter_id).await?;
    if invitations::count(&mut tx, now).await? >= MAX_INVITATIONS {
        let message = "There are 100 invitations already. Delete those that are no longer needed.";
        return Err(ApiError::new(ApiCode::RequestInvalidInputUnprocessable, message));
    }
    let inserted = invitations::insert(&mut tx, &invitation).await;
    inserted.map_err(|error| ApiError::from_write(error, "role or inviter"))?;
    let details = json!({
        "administratorInvitationId": invitation.id, "roleId": invitation.role_id, "note": invitation.note,
        "expiresAt": invitation.expires_at,
    });
    tx.audit(AuditKey::ManagementAdministratorInvitationCreate, details).await?;
    if let Some(to) = &to {
        notify(&management, &mut tx, to, &invitation).await?;
    }
    let invitation = view(&mut tx, invitation).await?;
    tx.commit().await?;
    let url = format!("{}{PATH}?code={code}", management.app.config.server.base_url);
    Ok((StatusCode::CREATED, Json(NewAdministratorInvitation { invitation, url })))
}

/// Confirms the account that claimed an invitation, which gets the role at once.
///
/// Only the inviter can confirm. `userId` is the account that they saw.
#[utoipa::path(
    post, path = "/api/administrator-invitations/{id}/confirm", tag = "Administrators",
    params(("id" = String, Path, description = "The invitation")),
    request_body = ConfirmAdministrator,
    responses(
        (status = 204, description = "The account has the role"),
        BodyRefused, AccessRefused,
        (status = 404, description = "No such invitation", body = ApiErrorBody),
        (status = 422, description = "No account, or another one, claimed it; the account is suspended, or has the \
            role already", body = ApiErrorBody),
    ),
)]
async fn confirm_administrator_invitation(
    management: Management<Everything>,
    Id(id): Id<String>,
    JsonBody(body): JsonBody<ConfirmAdministrator>,
) -> Result<StatusCode, ApiError> {
    let inviter_id = inviter(&management)?;
    let unprocessable = |message: &str| ApiError::new(ApiCode::RequestInvalidInputUnprocessable, message);
    let mut tx = management.begin().await?;
    demand_administering(&mut tx, &inviter_id).await?;
    let found = invitations::find(&mut tx, &id).await?.filter(|one| one.expires_at > management.now());
    let invitation = found.ok_or_else(|| missing(&id))?;
    if invitation.inviter_id != inviter_id {
        return Err(ApiError::forbidden("Only the administrator who invited can confirm the account."));
    }
    let claimed = invitation.user_id.filter(|user_id| **user_id == *String::from(body.user_id));
    let user_id = claimed.ok_or_else(|| unprocessable("This account did not claim the invitation."))?;
    let user = users::find_to_change(&mut tx, &user_id).await?;
    if user.is_none_or(|user| user.is_suspended) {
        return Err(unprocessable("The account is suspended."));
    }
    // Only one of concurrent calls deletes it, and so grants the role.
    if !invitations::delete(&mut tx, &id).await? {
        return Err(missing(&id));
    }
    let role_id = invitation.role_id;
    if !roles::assign_to_user(&mut tx, &user_id, &role_id).await? {
        return Err(ApiError::new(ApiCode::RoleUserExists, "The account has the role already."));
    }
    let details = json!({ "administratorInvitationId": id, "userId": user_id, "roleId": role_id });
    tx.audit(AuditKey::ManagementAdministratorInvitationConfirm, details).await?;
    let event = Event::new(EventType::UserRolesUpdated, StatusCode::NO_CONTENT).of("userId", &user_id);
    tx.emit(&event.ids("addedRoleIds", &[role_id])).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Revokes an invitation, or refuses the account that claimed it.
///
/// The account stays as it is, without the role.
#[utoipa::path(
    delete, path = "/api/administrator-invitations/{id}", tag = "Administrators",
    params(("id" = String, Path, description = "The invitation")),
    responses(
        (status = 204, description = "Revoked"),
        AccessRefused,
        (status = 404, description = "No such invitation", body = ApiErrorBody),
    ),
)]
async fn delete_administrator_invitation(
    management: Management<Everything>,
    Id(id): Id<String>,
) -> Result<StatusCode, ApiError> {
    let mut tx = management.begin().await?;
    if !invitations::delete(&mut tx, &id).await? {
        return Err(ApiError::nothing_to_delete("administrator invitation", &id));
    }
    let now = tx.now();
    messages::withdraw(&mut tx, &id, now).await?;
    let details = json!({ "administratorInvitationId": id });
    tx.audit(AuditKey::ManagementAdministratorInvitationDelete, details).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Checks whether the address may get a message now, which counts against the rate limit.
async fn admit(management: &Caller, email: &str) -> Result<Admitted, ApiError> {
    let refusal =
        || ApiError::invalid_input("body", "Error in key path \"email\": it is not a valid recipient of messages");
    let recipient = Recipient::email(email).ok_or_else(refusal)?;
    let template = TemplateType::AdministratorInvitation;
    management.app.messages.admit(recipient, template, management.message_requester()).await.map_err(refused)
}

/// Queues the notice, without the link: a message may be read by others than its recipient.
async fn notify(
    management: &Caller,
    tx: &mut UnitOfWork,
    to: &Admitted,
    invitation: &AdministratorInvitation,
) -> Result<(), ApiError> {
    let inviter = users::find(tx, &invitation.inviter_id).await?;
    let name = inviter.and_then(|one| [one.name, one.username, one.primary_email].into_iter().flatten().next());
    let message = Message {
        template: TemplateType::AdministratorInvitation,
        language: EXPERIENCE.find(tx).await?.language_info.fallback_language,
        contents: Contents { inviter: Some(json!({ "name": name })), ..Contents::default() },
        expires_at: invitation.expires_at,
        about: Some(invitation.id.clone()),
    };
    let now = tx.now();
    management.app.messages.append(tx, to, &message, now).await.map_err(refused)?;
    Ok(())
}

/// The person who calls. Machines give roles by `POST /api/roles/{id}/users`, without an invitation.
fn inviter(management: &Caller) -> Result<UserId, ApiError> {
    let person = management.person().map(|person| person.user_id.clone());
    person.ok_or_else(|| {
        ApiError::forbidden(
            "Only administrators invite, since they confirm the account. Machines assign the role itself.",
        )
    })
}

/// Refuses somebody who has lost the role since the request was authorized.
async fn demand_administering(tx: &mut Tx, id: &UserId) -> Result<(), ApiError> {
    match administers(tx, id).await? {
        Some(_) => Ok(()),
        None => Err(ApiError::forbidden("The console roles of the user do not allow this operation.")),
    }
}

fn missing(id: &str) -> ApiError {
    ApiError::nothing_to_change("administrator invitation", id)
}

async fn view(tx: &mut Tx, invitation: AdministratorInvitation) -> Result<AdministratorInvitationView, ApiError> {
    let user = match &invitation.user_id {
        Some(id) => users::find(tx, id).await?,
        None => None,
    };
    Ok(AdministratorInvitationView {
        id: invitation.id,
        role_id: invitation.role_id,
        note: invitation.note,
        inviter_id: invitation.inviter_id,
        created_at: invitation.created_at,
        expires_at: invitation.expires_at,
        claimed_at: invitation.claimed_at,
        user: user.map(claiming),
    })
}

fn claiming(user: User) -> ClaimingUser {
    ClaimingUser {
        id: user.id,
        name: user.name,
        username: user.username,
        primary_email: user.primary_email,
        primary_phone: user.primary_phone,
        created_at: user.created_at,
    }
}
