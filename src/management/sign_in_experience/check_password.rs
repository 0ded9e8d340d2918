//! `POST /api/sign-in-exp/default/check-password`: whether a password would be accepted.

use crate::refusals::AccessRefused;
use axum::Json;
use axum::http::StatusCode;
use claimsmith_api::sign_in_experience::{CheckPassword, CheckedPassword, PasswordIssue};
use claimsmith_domain::api_code::ApiCode;
use claimsmith_domain::id::UserId;
use claimsmith_domain::management::{ConfigsRead, UsersRead};
use claimsmith_domain::password_policy::{Issue, UserInfo};
use claimsmith_storage::sign_in::settings::EXPERIENCE;
use claimsmith_storage::users;
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::json::JsonBody;
use claimsmith_web::extract::management::Management;
use std::borrow::Cow;
use std::collections::BTreeMap;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{OneOfBuilder, Ref, Schema};
use utoipa::{PartialSchema, ToSchema};

fn view(issue: Issue) -> PasswordIssue {
    let interpolation = issue.bound().map(|(name, bound)| BTreeMap::from([(name.to_owned(), bound)]));
    PasswordIssue { code: issue.code().to_owned(), interpolation }
}

/// The body of 400: the reason that the password is refused, or the problem of the body.
struct NotAccepted;

impl PartialSchema for NotAccepted {
    fn schema() -> RefOr<Schema> {
        let refused = Ref::from_schema_name(CheckedPassword::name());
        let malformed = Ref::from_schema_name(ApiErrorBody::name());
        OneOfBuilder::new().item(refused).item(malformed).into()
    }
}

impl ToSchema for NotAccepted {
    fn name() -> Cow<'static, str> {
        Cow::Borrowed("PasswordNotAccepted")
    }
}

/// Checks a password against the policy, without keeping it.
#[utoipa::path(
    post, path = "/api/sign-in-exp/default/check-password", tag = "Sign-in experience",
    request_body = CheckPassword,
    responses(
        (status = 200, description = "It would be accepted", body = CheckedPassword, example = json!({ "result": true })),
        (status = 400, description = "It would be refused, or the body is not what the operation takes",
            body = NotAccepted,
            example = json!({ "result": false, "issues": [{ "code": "password_rejected.pwned" }] })),
        AccessRefused,
        (status = 404, description = "No such user", body = ApiErrorBody),
        (status = 413, description = "The body is too large", body = ApiErrorBody),
    ),
)]
pub(super) async fn check_password(
    management: Management<ConfigsRead>,
    JsonBody(body): JsonBody<CheckPassword>,
) -> Result<(StatusCode, Json<CheckedPassword>), ApiError> {
    if body.user_id.is_some() && !management.holds::<UsersRead>() {
        return Err(ApiError::forbidden("Checking the password of a user needs the scope \"users:read\", too."));
    }
    let mut tx = management.read().await?;
    let policy = EXPERIENCE.find(&mut tx).await?.password_policy;
    if body.user_id.is_none() && policy.rejects(|rejects| rejects.user_info) {
        let message = "The policy refuses passwords with data of the user: name the \"userId\".";
        return Err(ApiError::new(ApiCode::RequestInvalidInput, message));
    }
    let user = match body.user_id.as_ref() {
        Some(id) => {
            let id = UserId::from(id.as_str());
            Some(users::find(&mut tx, &id).await?.ok_or_else(|| ApiError::unknown_user(&id))?)
        }
        None => None,
    };
    let known = user.as_ref().map(|user| UserInfo {
        name: user.name.as_deref(),
        username: user.username.as_deref(),
        email: user.primary_email.as_deref(),
        phone: user.primary_phone.as_deref(),
    });
    let issues = management.app.passwords.issues(&policy, body.password.as_str(), known.as_ref());
    let issues: Vec<_> = issues.into_iter().map(view).collect();
    let result = issues.is_empty();
    let status = if result { StatusCode::OK } else { StatusCode::BAD_REQUEST };
    Ok((status, Json(CheckedPassword { result, issues })))
}
