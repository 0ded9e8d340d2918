//! `/console` for people who help users: a search of people and recent refusals, instead of the overview.

use crate::answer::show;
use crate::caller::Caller;
use crate::failure::Failure;
use crate::frame::Frame;
use crate::list::{List, Paging};
use crate::logs::entry::EntryFacts;
use crate::names::Names;
use crate::operator::OperatorRole;
use crate::section::Section;
use askama::Template;
use axum::response::Response;
use claimsmith_api::logs::LogView;

/// Number of refusals shown; the audit log lists all.
const REFUSALS: u64 = 20;

#[derive(Template)]
#[template(path = "overview/support.html")]
struct SupportPage {
    frame: Frame,
    names: Names,
    refusals: Vec<LogView>,
}

impl SupportPage {
    /// The path of the page of the user that an entry is about; empty if it names none.
    fn person_path(entry: &LogView) -> String {
        match entry.text("userId") {
            "" => String::new(),
            id => format!("/console/users/{}", crate::caller::segment(id)),
        }
    }
}

/// Whether the operator starts here: support, without a role that administers or develops. The overview is a link away.
pub(super) fn is_start(caller: &Caller) -> bool {
    let has = |role| caller.operator().roles.contains(&role);
    let is_overview = caller.query("view").is_some() || caller.query("range").is_some();
    has(OperatorRole::Support) && !has(OperatorRole::Developer) && !has(OperatorRole::Administrator) && !is_overview
}

pub(super) async fn show_start(caller: Caller) -> Result<Response, Failure> {
    let list: List<LogView> = caller.list("/api/logs?result=Error&enableCap=true", Paging::first(REFUSALS)).await?;
    let users = list.items.iter().flat_map(|entry| entry.ids().0);
    let names = Names::load(&caller, users, list.items.iter().map(|entry| entry.ids().1)).await;
    show(&caller, &SupportPage { frame: Frame::new(&caller, Section::Overview), names, refusals: list.items })
}
