//! `POST /api/one-time-tokens`.

use super::view::OneTimeTokenView;
use crate::refusals::{AccessRefused, BodyRefused};
use axum::Json;
use axum::http::StatusCode;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::documents::fold::fold;
use claimsmith_domain::documents::one_time_token::{Context, Status};
use claimsmith_domain::documents::sign_in_experience::protection::Within;
use claimsmith_domain::documents::user::StoredEmail;
use claimsmith_domain::identifier::{Identifier, IdentifierType};
use claimsmith_domain::management::{OrganizationsWrite, UsersWrite};
use claimsmith_identity::access::privilege_guard;
use claimsmith_identity::accounts;
use claimsmith_json::{present, present_object};
use claimsmith_services::tokens;
use claimsmith_storage as storage;
use claimsmith_storage::users;
use claimsmith_storage::verification::one_time_tokens::{self, OneTimeToken};
use claimsmith_web::error::ApiError;
use claimsmith_web::extract::json::JsonBody;
use claimsmith_web::extract::management::Management;
use serde::Deserialize;
use serde_json::json;

/// Random characters of a token: more than 180 bits.
const TOKEN_LENGTH: usize = 32;
/// Default lifetime of a token, in seconds.
const DEFAULT_LIFETIME_SECONDS: u32 = 600;
/// Maximum lifetime in seconds: a week.
const MAX_LIFETIME_SECONDS: u32 = 604_800;

/// Whom a token is for.
#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "email": "ada@example.com", "context": { "interactionEvent": "SignIn" }, "expiresIn": 600 }))]
pub(super) struct CreateOneTimeToken {
    /// An email address.
    #[schema(value_type = String, max_length = 128, pattern = r"^\S+@\S+\.\S+$")]
    email: StoredEmail,
    /// What it is for.
    #[serde(default, deserialize_with = "present_object")]
    #[schema(value_type = Context, required = false)]
    context: Option<Context>,
    /// Seconds, 600 when not given.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = u32, required = false, minimum = 1, maximum = 604_800)]
    expires_in: Option<Within<1, MAX_LIFETIME_SECONDS>>,
}

/// Makes a token, by which whoever gets it signs in or registers with that address, once. The application that sends them
/// names it as `one_time_token`, beside `login_hint`.
#[utoipa::path(
    post, path = "/api/one-time-tokens", tag = "One-time tokens", summary = "Make a one-time token",
    request_body = CreateOneTimeToken,
    responses(
        (status = 201, description = "The token", body = OneTimeTokenView),
        BodyRefused, AccessRefused,
    ),
)]
pub(super) async fn create_one_time_token(
    management: Management<UsersWrite>,
    JsonBody(body): JsonBody<CreateOneTimeToken>,
) -> Result<(StatusCode, Json<OneTimeTokenView>), ApiError> {
    let organizations = body.context.as_ref().and_then(|context| context.jit_organization_ids.as_ref());
    if organizations.is_some_and(|ids| !ids.is_empty()) && !management.holds::<OrganizationsWrite>() {
        let message = "Adding somebody to organizations needs the scope \"organizations:write\", too.";
        return Err(ApiError::forbidden(message));
    }
    let (app, now) = (&management.app, management.now());
    let email = Identifier { kind: IdentifierType::Email, value: body.email.into() }.stored();
    let refused =
        || ApiError::invalid_input("body", "Error in key path \"email\": it is not a valid recipient of messages");
    let identifier = email.ok_or_else(refused)?;
    let token = app.random.secret(TOKEN_LENGTH)?;
    let seconds = body.expires_in.map_or(DEFAULT_LIFETIME_SECONDS, u32::from);
    let row = OneTimeToken {
        id: app.random.id_at(now)?,
        email: fold(&identifier.value),
        hash: tokens::hash(&token),
        context: storage::Json(Some(body.context.unwrap_or_default())),
        status: Status::Active,
        created_at: now,
        expires_at: now + i64::from(seconds) * 1000,
    };
    let mut tx = management.begin().await?;
    if let Some(wanted) = accounts::wanted(&identifier)
        && let Some(user) = users::find_identified(&mut tx, &wanted).await?
    {
        privilege_guard::check_user(&management, &mut tx, &user.id).await?;
    }
    one_time_tokens::insert(&mut tx, &row).await?;
    tx.audit(AuditKey::ManagementOneTimeTokenCreate, json!({ "oneTimeTokenId": row.id, "email": row.email })).await?;
    tx.commit().await?;
    Ok((StatusCode::CREATED, Json(OneTimeTokenView::new(row, Some(token), now))))
}
