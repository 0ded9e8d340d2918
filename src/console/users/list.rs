//! `/console/users`: the list of users, searchable by prefix in all identifying fields.

use crate::answer::show;
use crate::caller::Caller;
use crate::failure::Failure;
use crate::find::searched;
use crate::frame::Frame;
use crate::list::List;
use crate::model::UserFacts;
use crate::section::Section;
use askama::Template;
use axum::response::Response;
use claimsmith_api::users::UserFields;

/// The options of the filter.
const STATES: &[(&str, &str)] = &[("", "Everybody"), ("true", "Suspended"), ("false", "Not suspended")];

#[derive(Template)]
#[template(path = "users/list.html")]
struct UsersPage {
    frame: Frame,
    users: List<UserFields>,
    query: String,
    state: String,
    is_anywhere: bool,
    /// The query string of the page, for the export.
    filter: String,
}

impl UsersPage {
    fn is_filtered(&self) -> bool {
        !self.query.is_empty() || !self.state.is_empty()
    }
}

pub(super) async fn show_users(caller: Caller) -> Result<Response, Failure> {
    let query = caller.query("q").unwrap_or_default().to_owned();
    let state = caller.query("suspended").unwrap_or_default().to_owned();
    let is_anywhere = caller.query("in").is_some();
    let users = caller.list(&path(&caller, "/api/users"), caller.paging()).await?;
    let filter = caller.query_with(&[("page", "")]);
    let frame = Frame::new(&caller, Section::Users);
    show(&caller, &UsersPage { frame, users, query, state, is_anywhere, filter })
}

/// The path of an operation with the page's search and filter.
pub(super) fn path(caller: &Caller, operation: &str) -> String {
    let query = caller.query("q").unwrap_or_default();
    let mut path = searched(operation, query, caller.query("in").is_some());
    if let Some(suspended @ ("true" | "false")) = caller.query("suspended") {
        let joint = if path.contains('?') { '&' } else { '?' };
        path.push(joint);
        path.push_str("isSuspended=");
        path.push_str(suspended);
    }
    path
}
