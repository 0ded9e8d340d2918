//! `/console/roles`: roles for users and for machine-to-machine applications.

use crate::answer::show;
use crate::caller::Caller;
use crate::failure::Failure;
use crate::find::searched;
use crate::frame::Frame;
use crate::list::List;
use crate::model::RoleFacts;
use crate::section::Section;
use askama::Template;
use axum::response::Response;
use claimsmith_api::roles::RoleUsageView;

/// The options of the filter.
const KINDS: &[(&str, &str)] = &[("", "All roles"), ("User", "Of users"), ("MachineToMachine", "Of machines")];

#[derive(Template)]
#[template(path = "roles/list.html")]
struct RolesPage {
    frame: Frame,
    roles: List<RoleUsageView>,
    query: String,
    kind: String,
}

pub(super) async fn show_roles(caller: Caller) -> Result<Response, Failure> {
    let query = caller.query("q").unwrap_or_default().to_owned();
    let kind = caller.query("type").filter(|kind| KINDS.iter().any(|(known, _)| known == kind)).unwrap_or_default();
    let path = if kind.is_empty() { "/api/roles".to_owned() } else { format!("/api/roles?type={kind}") };
    let roles = caller.list(&searched(&path, &query, true), caller.paging()).await?;
    let kind = kind.to_owned();
    show(&caller, &RolesPage { frame: Frame::new(&caller, Section::Roles), roles, query, kind })
}
