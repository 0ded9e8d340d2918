//! Suspends and reactivates a user, and ends a lockout.

use super::user::{PROFILE, PageHead, operation, page};
use crate::answer::{done, show_as};
use crate::caller::Caller;
use crate::failure::Failure;
use crate::frame::Frame;
use crate::model::UserFacts;
use crate::posted::Posted;
use crate::section::Section;
use askama::Template;
use axum::extract::Path;
use axum::http::{Method, StatusCode};
use axum::response::Response;
use serde_json::json;

#[derive(Template)]
#[template(path = "users/suspend.html")]
struct SuspendPage {
    frame: Frame,
    head: PageHead,
}

pub(super) async fn ask_to_suspend(caller: Caller, Path(id): Path<String>) -> Result<Response, Failure> {
    let head = PageHead::load(&caller, &id, PROFILE).await?;
    show_as(&caller, StatusCode::OK, &SuspendPage { frame: Frame::new(&caller, Section::Users), head })
}

pub(super) async fn suspend(Path(id): Path<String>, Posted { caller, .. }: Posted) -> Result<Response, Failure> {
    let body = json!({ "isSuspended": true });
    match caller.change(Method::PATCH, &operation(&id, "/is-suspended"), body).await {
        Ok(()) => Ok(done(&page(&id, ""), "suspended")),
        Err(failure) => {
            let refusal = failure.about_input()?;
            let head = PageHead::load(&caller, &id, PROFILE).await?.with_alert(refusal.text());
            let shown = SuspendPage { frame: Frame::new(&caller, Section::Users), head };
            show_as(&caller, StatusCode::UNPROCESSABLE_ENTITY, &shown)
        }
    }
}

pub(super) async fn reactivate(Path(id): Path<String>, Posted { caller, .. }: Posted) -> Result<Response, Failure> {
    let body = json!({ "isSuspended": false });
    caller.change(Method::PATCH, &operation(&id, "/is-suspended"), body).await?;
    Ok(done(&page(&id, ""), "reactivated"))
}

pub(super) async fn unlock(Path(id): Path<String>, Posted { caller, .. }: Posted) -> Result<Response, Failure> {
    let head = PageHead::load(&caller, &id, PROFILE).await?;
    let body = json!({ "targetType": "User", "targets": head.user.identifiers() });
    caller.change(Method::POST, "/api/sentinel-activities/delete", body).await?;
    Ok(done(&page(&id, "security"), "unlocked"))
}
