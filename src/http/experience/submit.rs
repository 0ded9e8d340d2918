//! `POST /api/experience/submit`.

use crate::app::App;
use crate::http::cookies::submitted;
use crate::http::error::ApiError;
use crate::http::extract::interaction::InProgress;
use crate::interaction::submit::{self, Submitted};
use axum::Json;
use axum::extract::State;
use axum_extra::extract::CookieJar;
use serde::Serialize;

/// Where the browser goes on.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Redirect {
    redirect_to: String,
}

/// Signs the user in; the browser gets a session.
pub(super) async fn submit(
    State(app): State<App>,
    InProgress(current): InProgress,
) -> Result<(CookieJar, Json<Redirect>), ApiError> {
    let Submitted { cookies, redirect_to } = submit::submit(current).await?;
    let cookies = cookies.map_or_else(Vec::new, |cookies| submitted(&app, cookies));
    Ok((cookies.into_iter().fold(CookieJar::new(), CookieJar::add), Json(Redirect { redirect_to })))
}
