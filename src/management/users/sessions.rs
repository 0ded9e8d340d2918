//! `/api/users/{userId}/sessions`: the sessions of a user.

use crate::refusals::AccessRefused;
use axum::Json;
use axum::http::StatusCode;
use claimsmith_api::users::sessions::{
    LastSubmission, SessionAuthorizationView, SessionPayload, SessionView, Sessions,
};
use claimsmith_domain::api_code::ApiCode;
use claimsmith_domain::id::{SessionId, UserId};
use claimsmith_domain::management::{BySupport, UsersRead, UsersWrite};
use claimsmith_identity::access::privilege_guard::check_user;
use claimsmith_identity::interaction::session::{self, idle_since};
use claimsmith_storage::Tx;
use claimsmith_storage::sessions::grants::{self, Grant, SessionAuthorization};
use claimsmith_storage::sessions::{self, Session};
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::ids::{Id, IdPair};
use claimsmith_web::extract::management::Management;

fn view(session: Session, grants: Vec<Grant>) -> SessionView {
    let details = session.details.0.unwrap_or_default();
    let authorization = |grant| {
        let (client_id, SessionAuthorization { sid, grant_id, persists_logout }) =
            SessionAuthorization::of(&session.id, grant);
        (client_id, SessionAuthorizationView { sid, grant_id: grant_id.into(), persists_logout })
    };
    SessionView {
        account_id: session.user_id.clone(),
        payload: SessionPayload {
            authorizations: grants.into_iter().map(authorization).collect(),
            uid: session.id.clone(),
            account_id: session.user_id,
            login_ts: session.authenticated_at / 1000,
            exp: session.expires_at / 1000,
            amr: details.amr,
        },
        last_submission: LastSubmission { ip: details.ip, user_agent: details.user_agent },
        client_id: details.client_id,
        last_active_at: session.last_active_at,
        expires_at: session.expires_at,
    }
}

/// Lists where a user is signed in.
#[utoipa::path(
    get, path = "/api/users/{userId}/sessions", tag = "Users",
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
    super::find(&mut tx, &id).await?;
    let now = management.now();
    let live = sessions::of_user(&mut tx, &id, now, idle_since(&management.app.config.sessions, now)).await?;
    let mut grants = grants::by_session(&mut tx, &id, now).await?;
    let shown = |session: Session| {
        let grants = grants.remove(&session.id).unwrap_or_default();
        view(session, grants)
    };
    Ok(Json(Sessions { sessions: live.into_iter().map(shown).collect() }))
}

/// Shows one session of a user.
#[utoipa::path(
    get, path = "/api/users/{userId}/sessions/{sessionId}", tag = "Users",
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
    let mut tx = management.read().await?;
    let session = find(&mut tx, &management, &id, &session_id).await?;
    let mut grants = grants::by_session(&mut tx, &id, management.now()).await?;
    let grants = grants.remove(&session.id).unwrap_or_default();
    Ok(Json(view(session, grants)))
}

/// Ends a session of a user, with the tokens that came from it and were not asked for with `offline_access`.
#[utoipa::path(
    delete, path = "/api/users/{userId}/sessions/{sessionId}", tag = "Users",
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
    management: Management<BySupport<UsersWrite>>,
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
    found.filter(is_theirs).ok_or_else(|| ApiError::new(ApiCode::OidcSessionNotFound, "The user has no such session."))
}
