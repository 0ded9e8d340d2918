//! `/console/users/{id}/activity`: actions by the user and on their account, and impersonations.

use super::user::{ACTIVITY, PageHead};
use crate::answer::show;
use crate::caller::{Caller, segment};
use crate::failure::Failure;
use crate::frame::Frame;
use crate::list::{List, Paging};
use crate::section::Section;
use askama::Template;
use axum::extract::Path;
use axum::response::Response;
use serde::Deserialize;
use serde_json::{Map, Value};

/// Maximum number of impersonations shown; the impersonations section lists all.
const IMPERSONATIONS: u64 = 10;

/// An entry of the audit log.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Entry {
    id: String,
    key: String,
    payload: Map<String, Value>,
    created_at: i64,
}

impl Entry {
    fn text(&self, name: &str) -> &str {
        self.payload.get(name).and_then(Value::as_str).unwrap_or_default()
    }

    fn failed(&self) -> bool {
        self.text("result") == "Error"
    }
}

/// An impersonation.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Impersonation {
    id: String,
    user_id: String,
    actor_id: Option<String>,
    application_id: String,
    context: Map<String, Value>,
    is_active: bool,
    created_at: i64,
}

impl Impersonation {
    /// The reason and ticket, if given.
    fn why(&self) -> String {
        let texts = ["reason", "ticketId"].into_iter().filter_map(|name| self.context.get(name)?.as_str());
        texts.collect::<Vec<_>>().join(" · ")
    }
}

#[derive(Template)]
#[template(path = "users/activity.html")]
struct ActivityPage {
    frame: Frame,
    head: PageHead,
    entries: Option<List<Entry>>,
    /// Whether only the user's own actions are shown, not those on the account by other actors.
    is_by_user: bool,
    impersonations: Option<List<Impersonation>>,
    acted: Option<List<Impersonation>>,
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
