//! The list of applications.

use super::model::{ApplicationFacts, TYPES, TypeFacts};
use crate::answer::show;
use crate::caller::{Caller, segment};
use crate::failure::Failure;
use crate::frame::Frame;
use crate::list::List;
use crate::section::Section;
use askama::Template;
use axum::response::Response;
use claimsmith_api::applications::ApplicationView;
use claimsmith_domain::documents::application::ApplicationType;

#[derive(Template)]
#[template(path = "applications/list.html")]
struct ListPage {
    frame: Frame,
    search: String,
    kind: String,
    audience: &'static str,
    list: List<ApplicationView>,
}

impl ListPage {
    fn kinds() -> Vec<(&'static str, &'static str)> {
        let all = [("", "All types")];
        all.into_iter().chain(TYPES.map(|kind| (kind.as_str(), kind.title()))).collect()
    }

    fn audiences() -> &'static [(&'static str, &'static str)] {
        &[("", "Any audience"), ("legacy", "Legacy audience")]
    }
}

pub(super) async fn show_list(caller: Caller) -> Result<Response, Failure> {
    let search = caller.query("q").unwrap_or_default().to_owned();
    let kind = caller.query("type").and_then(ApplicationType::parse).map_or("", ApplicationType::as_str).to_owned();
    let mut filters = Vec::new();
    if !search.is_empty() {
        filters.push(format!("search={}", segment(&format!("%{search}%"))));
    }
    if !kind.is_empty() {
        filters.push(format!("types={kind}"));
    }
    let audience = if caller.query("audience") == Some("legacy") { "legacy" } else { "" };
    if !audience.is_empty() {
        filters.push(format!("clientAssertionAudience={audience}"));
    }
    let path = format!("/api/applications?{}", filters.join("&"));
    let list = caller.list(path.trim_end_matches('?'), caller.paging()).await?;
    let frame = Frame::new(&caller, Section::Applications);
    show(&caller, &ListPage { frame, search, kind, audience, list })
}
