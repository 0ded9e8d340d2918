//! `/console/organizations`: the list, searchable by part of a name.

use crate::answer::show;
use crate::caller::{Caller, segment};
use crate::failure::Failure;
use crate::frame::Frame;
use crate::list::List;
use crate::section::Section;
use askama::Template;
use axum::response::Response;
use claimsmith_api::organizations::ListedOrganization;

#[derive(Template)]
#[template(path = "organizations/list.html")]
struct OrganizationsPage {
    frame: Frame,
    organizations: List<ListedOrganization>,
    query: String,
}

pub(super) async fn show_organizations(caller: Caller) -> Result<Response, Failure> {
    let query = caller.query("q").unwrap_or_default().to_owned();
    let path = found("/api/organizations?showFeatured=true", &query);
    let organizations = caller.list(&path, caller.paging()).await?;
    show(&caller, &OrganizationsPage { frame: Frame::new(&caller, Section::Organizations), organizations, query })
}

/// Adds a search to the path of a list unless the query is empty.
pub(super) fn found(path: &str, query: &str) -> String {
    if query.is_empty() {
        return path.to_owned();
    }
    let joint = if path.contains('?') { '&' } else { '?' };
    format!("{path}{joint}q={}", segment(query))
}
