//! `/console/users/{id}/activity`: actions by the user and on their account, and impersonations.

use super::user::{ACTIVITY, PageHead};
use crate::answer::show;
use crate::caller::{Caller, segment};
use crate::failure::Failure;
use crate::frame::Frame;
use crate::impersonations::view::ImpersonationFacts;
use crate::list::{List, Paging};
use crate::logs::entry::EntryFacts;
use crate::model::UserFacts;
use crate::section::Section;
use askama::Template;
use axum::extract::Path;
use axum::response::Response;
use claimsmith_api::impersonations::ImpersonationView;
use claimsmith_api::logs::LogView;

/// Maximum number of impersonations shown; the impersonations section lists all.
const IMPERSONATIONS: u64 = 10;

#[derive(Template)]
#[template(path = "users/activity.html")]
struct ActivityPage {
    frame: Frame,
    head: PageHead,
    entries: Option<List<LogView>>,
    /// Whether only the user's own actions are shown, not those on the account by other actors.
    is_by_user: bool,
    impersonations: Option<List<ImpersonationView>>,
    acted: Option<List<ImpersonationView>>,
}

pub(super) async fn show_activity(caller: Caller, Path(id): Path<String>) -> Result<Response, Failure> {
    let head = PageHead::load(&caller, &id, ACTIVITY).await?;
    let user = segment(&head.user.id);
    let is_by_user = caller.query("by").is_some();
    let person = if is_by_user { "actorId" } else { "userId" };
    let may_read_logs = caller.may("GET", "/api/logs");
    let entries = if may_read_logs {
        Some(caller.list(&format!("/api/logs?{person}={user}&enableCap=true"), caller.paging()).await?)
    } else {
        None
    };
    let (impersonations, acted) = if caller.may("GET", "/api/impersonations") {
        let first = Paging::first(IMPERSONATIONS);
        let of_them = caller.list(&format!("/api/impersonations?userId={user}"), first).await?;
        (Some(of_them), Some(caller.list(&format!("/api/impersonations?actorId={user}"), first).await?))
    } else {
        (None, None)
    };
    let frame = Frame::new(&caller, Section::Users);
    show(&caller, &ActivityPage { frame, head, entries, is_by_user, impersonations, acted })
}
