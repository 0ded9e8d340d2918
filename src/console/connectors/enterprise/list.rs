//! The list of enterprise connectors, and the providers for new ones.

use super::PAGE;
use super::model::{Connector, EnterpriseProvider, PATH};
use crate::answer::show;
use crate::caller::Caller;
use crate::connectors::new_id;
use crate::failure::Failure;
use crate::frame::Frame;
use crate::list::List;
use crate::section::Section;
use askama::Template;
use axum::response::Response;
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Settings {
    single_sign_on_enabled: bool,
}

#[derive(Template)]
#[template(path = "connectors/enterprise/list.html")]
struct ListPage {
    frame: Frame,
    list: List<Connector>,
    providers: Vec<EnterpriseProvider>,
    /// Whether enterprise sign-in is turned off for the sign-in pages.
    is_off: bool,
    /// The id of a new connector, which its page is opened with.
    new_id: String,
}

pub(super) async fn show_list(caller: Caller) -> Result<Response, Failure> {
    let list = caller.list(PATH, caller.paging()).await?;
    let providers = EnterpriseProvider::all(&caller).await?;
    let settings: Option<Settings> = caller.peek("/api/sign-in-exp").await;
    let is_off = settings.is_some_and(|settings| !settings.single_sign_on_enabled);
    let new_id = new_id::random(&caller)?;
    let frame = Frame::new(&caller, Section::Connectors);
    show(&caller, &ListPage { frame, list, providers, is_off, new_id })
}
