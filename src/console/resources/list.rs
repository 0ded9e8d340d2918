//! `/console/resources`: the list of resources with their scopes.

use crate::answer::show;
use crate::caller::Caller;
use crate::failure::Failure;
use crate::frame::Frame;
use crate::list::List;
use crate::model::ResourceFacts;
use crate::section::Section;
use askama::Template;
use axum::response::Response;
use claimsmith_api::resources::ResourceWithScopes;

/// Maximum number of scopes named in a row.
const NAMED: usize = 4;

#[derive(Template)]
#[template(path = "resources/list.html")]
struct ResourcesPage {
    frame: Frame,
    resources: List<ResourceWithScopes>,
}

pub(super) async fn show_resources(caller: Caller) -> Result<Response, Failure> {
    let resources = caller.list("/api/resources?includeScopes=true", caller.paging()).await?;
    show(&caller, &ResourcesPage { frame: Frame::new(&caller, Section::Resources), resources })
}
