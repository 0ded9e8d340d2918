//! `/console/logs`: the audit log.

pub(crate) mod entry;
mod export;
pub(crate) mod filter;
mod position;
mod tail;

use crate::Console;
use crate::answer::show;
use crate::caller::{Caller, segment};
use crate::failure::Failure;
use crate::frame::Frame;
use crate::list::List;
use crate::names::Names;
use crate::section::Section;
use askama::Template;
use axum::Router;
use axum::extract::Path;
use axum::response::Response;
use axum::routing::get;
use claimsmith_api::logs::LogView;
use entry::EntryFacts;
use filter::Filter;

/// The routes.
pub(crate) fn router() -> Router<Console> {
    Router::new()
        .route("/console/logs", get(show_list))
        .route("/console/logs/export", get(export::export))
        .route("/console/logs/live", get(tail::show_live))
        .route("/console/logs/events", get(tail::stream_events))
        .route("/console/logs/{id}", get(show_entry))
}

#[derive(Template)]
#[template(path = "logs/list.html")]
struct ListPage {
    frame: Frame,
    filter: Filter,
    names: Names,
    list: List<LogView>,
    /// The keys that the filter suggests.
    log_keys: &'static [&'static str],
}

impl ListPage {
    /// The options of the result filter.
    fn results() -> &'static [(&'static str, &'static str)] {
        &[("", "Any"), ("Success", "Success"), ("Error", "Error")]
    }
}

async fn show_list(caller: Caller) -> Result<Response, Failure> {
    let filter = Filter::read(&caller);
    let path = filter.path(&caller).await;
    let list: List<LogView> = caller.list(&path, caller.paging()).await?;
    let users = list.items.iter().flat_map(|entry| entry.ids().0);
    let names = Names::load(&caller, users, list.items.iter().map(|entry| entry.ids().1)).await;
    let (frame, log_keys) = (Frame::new(&caller, Section::Logs), caller.console().log_keys);
    show(&caller, &ListPage { frame, filter, names, list, log_keys })
}

#[derive(Template)]
#[template(path = "logs/entry.html")]
struct EntryPage {
    frame: Frame,
    names: Names,
    entry: LogView,
}

async fn show_entry(caller: Caller, Path(id): Path<String>) -> Result<Response, Failure> {
    let entry: LogView = caller.get(&format!("/api/logs/{}", segment(&id))).await?;
    let (users, application) = entry.ids();
    let names = Names::load(&caller, users, [application]).await;
    show(&caller, &EntryPage { frame: Frame::new(&caller, Section::Logs), names, entry })
}
