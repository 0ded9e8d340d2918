//! `/api/users`: the routes, the operations on users, and what the other files of this folder share.

mod columns;
mod data;
mod export;
mod factors;
mod formulas;
mod grants;
mod identities;
mod import;
mod logto_configs;
mod organizations;
mod password;
mod personal_access_tokens;
mod roles;
mod sessions;
mod sign_in_state;
mod trusted_devices;

use crate::describe::routes;
use crate::parameters::{PageParameters, SearchParameters};
use crate::refusals::{AccessRefused, BodyRefused, NotSearchable};
use axum::Json;
use axum::extract::RawQuery;
use axum::http::StatusCode;
use axum::response::Response;
use claimsmith_api::users::{CreateUser, SetSuspended, ShownUser, UpdateUser, UserView};
use claimsmith_domain::api_code::ApiCode;
use claimsmith_domain::audit_key::AuditOperation;
use claimsmith_domain::documents::user::OrEmpty;
use claimsmith_domain::id::{OrganizationId, RoleId, UserId};
use claimsmith_domain::management::{BySupport, Recent, UsersRead, UsersWrite};
use claimsmith_identity::access::privilege_guard;
use claimsmith_identity::accounts::{self, AccountRefusal, NewPassword, NewUser, PasswordDigest, user_view};
use claimsmith_services::app::App;
use claimsmith_services::passwords::HashTicket;
use claimsmith_services::tokens::context;
use claimsmith_storage::Tx;
use claimsmith_storage::users::list::Filter;
use claimsmith_storage::users::{self, User, sso_identities};
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::filters::Filters;
use claimsmith_web::extract::ids::Id;
use claimsmith_web::extract::json::JsonBody;
use claimsmith_web::extract::management::{Caller, Management};
use claimsmith_web::extract::page::Page;
use claimsmith_web::extract::query::Query;
use claimsmith_web::extract::search;
use serde::Deserialize;
use serde_json::{Value, json};
use utoipa_axum::router::OpenApiRouter;

/// The import, whose body has no known length.
pub fn import_router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(import::import_users))
}

/// The routes of this family.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(self::create_user, self::list_users))
        .routes(routes!(export::export_users))
        .routes(routes!(self::show_user, self::update_user, self::delete_user))
        .routes(routes!(data::show_custom_data, data::merge_custom_data))
        .routes(routes!(data::merge_profile))
        .routes(routes!(password::set_password))
        .routes(routes!(password::set_password_expiration))
        .routes(routes!(password::verify_password))
        .routes(routes!(password::has_password))
        .routes(routes!(identities::show_identity, identities::link_identity, identities::unlink_identity))
        .routes(routes!(identities::link_brought_identity))
        .routes(routes!(identities::show_sso_identity))
        .routes(routes!(factors::list_factors, factors::create_factor))
        .routes(routes!(factors::delete_factor))
        .routes(routes!(logto_configs::show_user_settings, logto_configs::change_user_settings))
        .routes(routes!(
            personal_access_tokens::list_tokens,
            personal_access_tokens::create_token,
            personal_access_tokens::rename_token_by_name
        ))
        .routes(routes!(personal_access_tokens::rename_token, personal_access_tokens::delete_token))
        .routes(routes!(personal_access_tokens::delete_token_by_name))
        .routes(routes!(grants::list_grants))
        .routes(routes!(grants::revoke_grant))
        .routes(routes!(sessions::list_sessions))
        .routes(routes!(sessions::show_session, sessions::end_session))
        .routes(routes!(trusted_devices::list_trusted_devices))
        .routes(routes!(trusted_devices::delete_trusted_device))
        .routes(routes!(self::set_user_suspended))
        .routes(routes!(sign_in_state::show_sign_in_state))
        .routes(routes!(roles::list_user_roles, roles::assign_user_roles, roles::replace_user_roles))
        .routes(routes!(roles::remove_user_role))
        .routes(routes!(organizations::list_user_organizations))
}

async fn find(tx: &mut Tx, id: &UserId) -> Result<User, ApiError> {
    users::find(tx, id).await?.ok_or_else(|| ApiError::unknown_user(id))
}

/// The users that a list excludes.
#[derive(Deserialize)]
struct Excluded {
    #[serde(rename = "isSuspended")]
    is_suspended: Option<bool>,
    #[serde(rename = "excludeRoleId")]
    role_id: Option<RoleId>,
    #[serde(rename = "excludeOrganizationId")]
    organization_id: Option<OrganizationId>,
}

/// Lists users, newest first.
#[utoipa::path(
    get, path = "/api/users", tag = "Users",
    params(
        SearchParameters,
        ("excludeRoleId" = Option<String>, Query, description = "Without those who hold this role"),
        ("excludeOrganizationId" = Option<String>, Query, description = "Without members of this organization"),
        ("isSuspended" = Option<bool>, Query, description = "Those who are suspended, or those who are not"),
        PageParameters,
    ),
    responses(
        (status = 200, description = "The page", body = Vec<UserView>, headers(
            ("Total-Number" = i64, description = "How many there are in all; of those that a search finds, counted to 10,000"),
            ("Total-Number-Is-Capped" = String, description = "`true` when there are more than were counted"),
            ("Link" = String, description = "URLs of the first, previous, next and last page"),
        )),
        AccessRefused, NotSearchable,
    ),
)]
async fn list_users(
    management: Management<UsersRead>,
    page: Page,
    RawQuery(query): RawQuery,
    Filters(excluded): Filters<Excluded>,
) -> Result<Response, ApiError> {
    let filter = filter_of(query.as_deref(), excluded)?;
    let mut tx = management.read().await?;
    let total = users::list::count_to(&mut tx, &filter, Page::COUNT_LIMIT).await.map_err(ApiError::from_search)?;
    let users = users::list::list(&mut tx, &filter, page.slice()).await.map_err(ApiError::from_search)?;
    let users = users.into_iter().map(user_view).collect();
    if filter.search.is_some() { page.answer_found(total, users) } else { page.answer(total, users) }
}

/// The filter of a query.
fn filter_of(query: Option<&str>, excluded: Excluded) -> Result<Filter, ApiError> {
    if excluded.role_id.is_some() && excluded.organization_id.is_some() {
        let message = "Input is invalid: name a role or an organization, not both.";
        return Err(ApiError::new(ApiCode::RequestInvalidInput, message));
    }
    Ok(Filter {
        search: search::parse(query, &users::list::FIELDS)?,
        without_role: excluded.role_id,
        outside_organization: excluded.organization_id,
        is_suspended: excluded.is_suspended,
    })
}

/// Shows a user.
#[utoipa::path(
    get, path = "/api/users/{userId}", tag = "Users",
    params(
        ("userId" = String, Path, description = "The user"),
        ("includeSsoIdentities" = Option<bool>, Query, description = "Whether `ssoIdentities` is part of the answer"),
    ),
    responses(
        (status = 200, description = "The user", body = ShownUser),
        (status = 400, description = "No such question", body = ApiErrorBody),
        AccessRefused,
        (status = 404, description = "No such user", body = ApiErrorBody),
    ),
)]
async fn show_user(
    management: Management<UsersRead>,
    Id(id): Id<UserId>,
    query: Query,
) -> Result<Json<ShownUser>, ApiError> {
    let wants_identities = query.flag("includeSsoIdentities")?;
    let mut tx = management.read().await?;
    let user = user_view(find(&mut tx, &id).await?);
    let sso_identities = if wants_identities {
        Some(sso_identities::of_user(&mut tx, &id).await?.iter().map(context::sso_identity).collect())
    } else {
        None
    };
    Ok(Json(ShownUser { user, sso_identities }))
}

/// Creates a user, who gets every role that is marked as a default.
///
/// No email domain lets them in: nobody has verified the address.
#[utoipa::path(
    post, path = "/api/users", tag = "Users",
    request_body = CreateUser,
    responses(
        (status = 200, description = "The user", body = UserView),
        BodyRefused, AccessRefused,
        (status = 422, body = ApiErrorBody,
            description = "User name, email address or phone number is in use, the number is impossible, or no password can match \
                the digest, or it asks for too much work"),
    ),
)]
async fn create_user(
    management: Management<UsersWrite>,
    JsonBody(body): JsonBody<CreateUser>,
) -> Result<Json<UserView>, ApiError> {
    let new = new_user(&management, body, Plain::Digested).await?;
    let mut tx = management.begin().await?;
    let view = accounts::create(&mut tx, new).await?;
    tx.commit().await?;
    Ok(Json(view))
}

/// How a plaintext password is handled.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Plain {
    /// It is hashed.
    Digested,
    /// It is dropped: no user is created.
    LeftOut,
}

/// The user of a request body.
async fn new_user(management: &Caller, body: CreateUser, plain: Plain) -> Result<NewUser, ApiError> {
    let password = match (body.password.0, body.password_digest.0, body.password_algorithm) {
        (Some(_), Some(_), _) => {
            let message = "Give either a password or a password digest.";
            return Err(ApiError::new(ApiCode::UserPasswordAndDigest, message));
        }
        (None, Some(_), None) => {
            let message = "A password digest needs the algorithm that made it.";
            return Err(ApiError::new(ApiCode::UserPasswordAlgorithmRequired, message));
        }
        (Some(password), None, _) => Some(NewPassword::Plain(password.into())),
        (None, Some(digest), Some(algorithm)) => {
            Some(NewPassword::Digest(PasswordDigest { digest: digest.into(), algorithm }))
        }
        (None, None, _) => None,
    };
    let is_left_out = |password: &NewPassword| plain == Plain::LeftOut && matches!(password, NewPassword::Plain(_));
    let password = password.filter(|password| !is_left_out(password));
    // Before the transaction, since hashing takes time.
    let ticket = HashTicket::of_management(management.client());
    let password = match password {
        Some(password) => Some(accounts::digest(&management.app.passwords, &ticket, password).await?),
        None => None,
    };
    Ok(NewUser {
        username: body.username.0.map(Into::into),
        primary_email: body.primary_email.0.map(Into::into),
        primary_phone: body.primary_phone.0.map(Into::into),
        password,
        name: body.name.0.map(Into::into),
        avatar: body.avatar.map(Into::into),
        custom_data: body.custom_data,
        profile: body.profile.into(),
        application_id: None,
        is_suspended: false,
        identities: Vec::new(),
    })
}

/// Changes a user.
#[utoipa::path(
    patch, path = "/api/users/{userId}", tag = "Users",
    params(("userId" = String, Path, description = "The user")),
    request_body = UpdateUser,
    responses(
        (status = 200, description = "The user", body = UserView),
        BodyRefused, AccessRefused,
        (status = 404, description = "No such user", body = ApiErrorBody),
        (status = 422, description = "User name, email address or phone number is in use, the number is impossible, or \
            nothing is to change", body = ApiErrorBody),
    ),
)]
async fn update_user(
    management: Management<UsersWrite>,
    Id(id): Id<UserId>,
    JsonBody(body): JsonBody<UpdateUser>,
) -> Result<Json<UserView>, ApiError> {
    let mut tx = management.begin().await?;
    let mut update = accounts::begin_update(&mut tx, &id).await?;
    if is_empty(&body) {
        return Err(ApiError::new(ApiCode::EntityInvalidInput, "Invalid input. Value list must not be empty."));
    }
    privilege_guard::check_user(&management, update.work(), &id).await?;
    apply(body, &mut update.user)?;
    let view = update.save(AuditOperation::UserUpdate, json!({}), 200).await?;
    tx.commit().await?;
    Ok(Json(view))
}

fn is_empty(change: &UpdateUser) -> bool {
    change.username.is_none()
        && change.primary_email.is_none()
        && change.primary_phone.is_none()
        && change.name.is_none()
        && change.avatar.is_none()
        && change.custom_data.is_none()
        && change.profile.is_none()
}

fn apply(change: UpdateUser, user: &mut User) -> Result<(), AccountRefusal> {
    if let Some(username) = change.username.0 {
        user.username = username.and_then(OrEmpty::into_text);
    }
    if let Some(email) = change.primary_email.0 {
        user.primary_email = email.and_then(OrEmpty::into_text);
    }
    if let Some(phone) = change.primary_phone.0 {
        let written = phone.and_then(OrEmpty::into_value).map(String::from);
        user.primary_phone = written.as_deref().map(accounts::phone).transpose()?;
    }
    if let Some(name) = change.name.0 {
        user.name = name.map(Into::into);
    }
    if let Some(avatar) = change.avatar.0 {
        user.avatar = avatar.map(Into::into);
    }
    if let Some(data) = change.custom_data.0 {
        user.custom_data.0 = Value::Object(data);
    }
    if let Some(profile) = change.profile.0 {
        user.profile.0 = profile.into();
    }
    Ok(())
}

/// Suspends or reactivates a user.
///
/// The tokens of a suspended user are refused from now on.
#[utoipa::path(
    patch, path = "/api/users/{userId}/is-suspended", tag = "Users",
    params(("userId" = String, Path, description = "The user")),
    request_body = SetSuspended,
    responses(
        (status = 200, description = "The user", body = UserView),
        BodyRefused, AccessRefused,
        (status = 404, description = "No such user", body = ApiErrorBody),
        (status = 422, description = "The user is the last who administers the server", body = ApiErrorBody),
    ),
)]
async fn set_user_suspended(
    management: Management<BySupport<UsersWrite>>,
    Id(id): Id<UserId>,
    JsonBody(body): JsonBody<SetSuspended>,
) -> Result<Json<UserView>, ApiError> {
    let mut tx = management.begin().await?;
    privilege_guard::check_user(&management, &mut tx, &id).await?;
    if body.is_suspended {
        accounts::keep_administrator(&mut tx, &id).await?;
    }
    let view = accounts::set_suspended(&mut tx, &id, body.is_suspended).await?;
    tx.commit().await?;
    Ok(Json(view))
}

/// Deletes a user with all that hangs on them.
///
/// Their tokens are refused from now on.
#[utoipa::path(
    delete, path = "/api/users/{userId}", tag = "Users",
    params(("userId" = String, Path, description = "The user")),
    responses(
        (status = 204, description = "Deleted"),
        (status = 400, description = "The user is the caller", body = ApiErrorBody),
        AccessRefused,
        (status = 404, description = "No such user", body = ApiErrorBody),
        (status = 422, description = "The user is the last who administers the server", body = ApiErrorBody),
    ),
)]
async fn delete_user(management: Management<Recent<UsersWrite>>, Id(id): Id<UserId>) -> Result<StatusCode, ApiError> {
    if id == *management.id() {
        let message = "You cannot delete yourself.";
        return Err(ApiError::new(ApiCode::UserCannotDeleteSelf, message));
    }
    let mut tx = management.begin().await?;
    privilege_guard::check_user(&management, &mut tx, &id).await?;
    accounts::keep_administrator(&mut tx, &id).await?;
    accounts::delete(&mut tx, &id).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}
