//! `POST /api/sign-in-exp/default/check-password`: whether a password would be accepted.

use crate::refusals::AccessRefused;
use axum::Json;
use axum::http::StatusCode;
use claimsmith_domain::documents::text::Text;
use claimsmith_domain::id::UserId;
use claimsmith_domain::management::{ConfigsRead, UsersRead};
use claimsmith_domain::password_policy::{Issue, UserInfo};
use claimsmith_json::present;
use claimsmith_storage::sign_in::settings::EXPERIENCE;
use claimsmith_storage::users;
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::json::JsonBody;
use claimsmith_web::extract::management::Management;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::BTreeMap;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{OneOfBuilder, Ref, Schema};
use utoipa::{PartialSchema, ToSchema};

/// A password to check.
#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "password": "correct horse battery staple" }))]
pub(super) struct CheckPassword {
    #[schema(value_type = String, max_length = 4096, write_only)]
    password: Text<0, 4096>,
    /// Whose it would be: what is known of them is looked for in it. Needs `users:read`, too.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = String, required = false)]
    user_id: Option<Text<0, 128>>,
}

/// What came of it.
#[derive(Serialize, utoipa::ToSchema)]
#[schema(example = json!({
    "result": false,
    "issues": [
        { "code": "password_rejected.too_short", "interpolation": { "min": 8 } }, { "code": "password_rejected.pwned" }
    ]
}))]
pub(super) struct CheckedPassword {
    /// Whether it would be accepted.
    result: bool,
    /// Why not.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    issues: Vec<PasswordIssue>,
}

/// Why a password is refused.
#[derive(Serialize, utoipa::ToSchema)]
pub(super) struct PasswordIssue {
    /// `password_rejected.` and the reason.
    #[schema(value_type = String)]
    code: &'static str,
    /// The numbers of its text.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Object, required = false)]
    interpolation: Option<BTreeMap<&'static str, usize>>,
}

impl From<Issue> for PasswordIssue {
    fn from(issue: Issue) -> Self {
        Self { code: issue.code(), interpolation: issue.bound().map(|bound| BTreeMap::from([bound])) }
    }
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
    summary = "Check a password against the policy",
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
    let user = match &body.user_id {
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
    let issues: Vec<_> = issues.into_iter().map(PasswordIssue::from).collect();
    let result = issues.is_empty();
    let status = if result { StatusCode::OK } else { StatusCode::BAD_REQUEST };
    Ok((status, Json(CheckedPassword { result, issues })))
}
