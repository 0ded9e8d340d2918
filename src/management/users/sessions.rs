//! `/api/users/{userId}/sessions`: the sessions of a user.

use super::grants::refuse_unknown;
use crate::refusals::AccessRefused;
use axum::Json;
use axum::http::StatusCode;
use claimsmith_domain::id::{SessionId, UserId};
use claimsmith_domain::management::{UsersRead, UsersWrite};
use claimsmith_identity::access::privilege_guard::check_user;
use claimsmith_identity::interaction::session::{self, idle_since};
use claimsmith_storage::Tx;
use claimsmith_storage::sessions::{self, Session};
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::ids::{Id, IdPair};
use claimsmith_web::extract::management::Management;
use serde::Serialize;

/// Where a user is signed in.
#[derive(Serialize, utoipa::ToSchema)]
#[schema(example = json!({
    "sessions": [
        {
            "payload": {
                "uid": "mgj0l7t5k2x9c4b1n8q3w", "accountId": "q3v8k1znw2pd", "loginTs": 1_760_000_000,
                "exp": 1_761_209_600, "amr": ["pwd"]
            },
            "lastSubmission": { "ip": "192.0.2.7", "userAgent": "Mozilla/5.0" },
            "lastActiveAt": 1_760_000_100_000_i64, "accountId": "q3v8k1znw2pd", "expiresAt": 1_761_209_600_000_i64
        }
    ]
}))]
pub(super) struct Sessions {
    /// The one that was used last first, at most 1000.
    sessions: Vec<SessionView>,
}

/// A browser in which a user is signed in.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "payload": {
        "uid": "mgj0l7t5k2x9c4b1n8q3w", "accountId": "q3v8k1znw2pd", "loginTs": 1_760_000_000, "exp": 1_761_209_600,
        "amr": ["pwd"]
    },
    "lastSubmission": { "ip": "192.0.2.7", "userAgent": "Mozilla/5.0" },
    "lastActiveAt": 1_760_000_100_000_i64, "accountId": "q3v8k1znw2pd", "expiresAt": 1_761_209_600_000_i64
}))]
pub(super) struct SessionView {
    payload: SessionPayload,
    last_submission: LastSubmission,
    /// Unix milliseconds.
    last_active_at: i64,
    account_id: String,
    /// Unix milliseconds.
    expires_at: i64,
}

/// The session.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct SessionPayload {
    /// Its id: the `sid` of ID tokens.
    uid: String,
    account_id: String,
    /// When the user proved who they are, Unix seconds.
    login_ts: i64,
    /// Unix seconds.
    exp: i64,
    /// How (RFC 8176).
    amr: Vec<String>,
}

/// From where the user signed in.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct LastSubmission {
    ip: Option<String>,
    user_agent: Option<String>,
}

impl From<Session> for SessionView {
    fn from(session: Session) -> Self {
        let details = session.details.0.unwrap_or_default();
        Self {
            account_id: session.user_id.to_string(),
            payload: SessionPayload {
                uid: session.id.into(),
                account_id: session.user_id.into(),
                login_ts: session.authenticated_at / 1000,
                exp: session.expires_at / 1000,
                amr: details.amr,
            },
            last_submission: LastSubmission { ip: details.ip, user_agent: details.user_agent },
            last_active_at: session.last_active_at,
            expires_at: session.expires_at,
        }
    }
}

/// Lists where a user is signed in.
#[utoipa::path(
    get, path = "/api/users/{userId}/sessions", tag = "Users", summary = "List the sessions of a user",
    params(("userId" = String, Path, description = "The user")),
    responses(
        (status = 200, description = "The sessions", body = Sessions),
        AccessRefused,
        (status = 404, description = "No such user", body = ApiErrorBody),
    ),
)]
pub(super) async fn list_sessions(
    management: Management<UsersRead>,
    Id(id): Id<UserId>,
) -> Result<Json<Sessions>, ApiError> {
    let mut tx = management.read().await?;
    refuse_unknown(&mut tx, &id).await?;
    let now = management.now();
    let live = sessions::of_user(&mut tx, &id, now, idle_since(&management.app.config.sessions, now)).await?;
    Ok(Json(Sessions { sessions: live.into_iter().map(SessionView::from).collect() }))
}

/// Shows one session of a user.
#[utoipa::path(
    get, path = "/api/users/{userId}/sessions/{sessionId}", tag = "Users", summary = "Show a session of a user",
    params(
        ("userId" = String, Path, description = "The user"),
        ("sessionId" = String, Path, description = "The session"),
    ),
    responses(
        (status = 200, description = "The session", body = SessionView),
        AccessRefused,
        (status = 404, description = "No such user or session", body = ApiErrorBody),
    ),
)]
pub(super) async fn show_session(
    management: Management<UsersRead>,
    IdPair(id, session_id): IdPair<UserId, SessionId>,
) -> Result<Json<SessionView>, ApiError> {
    Ok(Json(find(&mut management.read().await?, &management, &id, &session_id).await?.into()))
}

/// Ends a session of a user, with the tokens that came from it and were not asked for with `offline_access`.
#[utoipa::path(
    delete, path = "/api/users/{userId}/sessions/{sessionId}", tag = "Users", summary = "End a session of a user",
    params(
        ("userId" = String, Path, description = "The user"),
        ("sessionId" = String, Path, description = "The session"),
    ),
    responses(
        (status = 204, description = "Ended"),
        AccessRefused,
        (status = 404, description = "No such user or session", body = ApiErrorBody),
    ),
)]
pub(super) async fn end_session(
    management: Management<UsersWrite>,
    IdPair(id, session_id): IdPair<UserId, SessionId>,
) -> Result<StatusCode, ApiError> {
    let mut tx = management.begin().await?;
    check_user(&management, &mut tx, &id).await?;
    let session = find(&mut tx, &management, &id, &session_id).await?;
    session::end(&mut tx, &session.id).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

/// A live session of this user.
async fn find<S>(
    tx: &mut Tx,
    management: &Management<S>,
    user_id: &UserId,
    id: &SessionId,
) -> Result<Session, ApiError> {
    let found = sessions::find(tx, id).await?;
    let is_theirs = |session: &Session| {
        let is_live = session::is_live(session, &management.app.config.sessions, management.now());
        session.user_id == *user_id && is_live
    };
    found.filter(is_theirs).ok_or_else(|| ApiError::nothing_to_delete("session", id))
}
