//! The list of webhooks.

use super::model::HookFacts;
use crate::answer::show;
use crate::caller::Caller;
use crate::failure::Failure;
use crate::frame::Frame;
use crate::list::List;
use crate::section::Section;
use askama::Template;
use axum::response::Response;
use claimsmith_api::hooks::HookView;

#[derive(Template)]
#[template(path = "webhooks/list.html")]
struct ListPage {
    frame: Frame,
    list: List<HookView>,
}

pub(super) async fn show_list(caller: Caller) -> Result<Response, Failure> {
    let list = caller.list("/api/hooks?includeExecutionStats=true", caller.paging()).await?;
    let frame = Frame::new(&caller, Section::Webhooks);
    show(&caller, &ListPage { frame, list })
}
