//! `POST /api/experience/submit`.

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use axum_extra::extract::CookieJar;
use claimsmith_identity::interaction::submit::{self, Submitted};
use claimsmith_services::app::App;
use claimsmith_web::cookies::submitted;
use claimsmith_web::error::ApiError;
use claimsmith_web::extract::interaction::InProgress;
use serde::Serialize;

/// The URL at which the browser continues.
#[derive(Serialize, utoipa::ToSchema)]
#[schema(as = SubmitRedirect)]
#[serde(rename_all = "camelCase")]
pub(super) struct Redirect {
    redirect_to: String,
}

/// Signs the user in; the browser gets a session. Or replaces a forgotten password: the response is empty, and the
/// interaction restarts.
pub(super) async fn submit(State(app): State<App>, InProgress(current): InProgress) -> Result<Response, ApiError> {
    let Submitted { cookies, redirect_to } = submit::submit(current).await?;
    let cookies = cookies.map_or_else(Vec::new, |cookies| submitted(&app, cookies));
    let jar = cookies.into_iter().fold(CookieJar::new(), CookieJar::add);
    Ok(match redirect_to {
        Some(redirect_to) => (jar, Json(Redirect { redirect_to })).into_response(),
        None => jar.into_response(),
    })
}
