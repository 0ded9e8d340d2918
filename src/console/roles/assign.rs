//! `/console/roles/{id}/assign`: selects users or applications to assign a role to.

use super::holders::kind;
use super::scopes::{load, operation, page};
use crate::answer::{done, show_as};
use crate::caller::{Caller, segment};
use crate::failure::Failure;
use crate::find::searched;
use crate::frame::Frame;
use crate::list::List;
use crate::model::{RoleFacts, UserFacts};
use crate::posted::Posted;
use crate::section::Section;
use askama::Template;
use axum::extract::Path;
use axum::http::{Method, StatusCode};
use axum::response::Response;
use claimsmith_api::applications::ApplicationView;
use claimsmith_api::roles::RoleView;
use claimsmith_api::users::UserFields;
use serde_json::json;

#[derive(Template)]
#[template(path = "roles/assign.html")]
struct AssignPage {
    frame: Frame,
    role: RoleView,
    users: List<UserFields>,
    applications: List<ApplicationView>,
    query: String,
    alert: String,
}

impl AssignPage {
    fn is_empty(&self) -> bool {
        self.users.items.is_empty() && self.applications.items.is_empty()
    }
}

pub(super) async fn show_candidates(caller: Caller, Path(id): Path<String>) -> Result<Response, Failure> {
    show_with(&caller, &id, String::new()).await
}

async fn show_with(caller: &Caller, id: &str, alert: String) -> Result<Response, Failure> {
    let role = load(caller, id).await?;
    let query = caller.query("q").unwrap_or_default().to_owned();
    let paging = caller.paging();
    let (mut users, mut applications) =
        (List { items: Vec::new(), total: 0, paging }, List { items: Vec::new(), total: 0, paging });
    if role.is_for_machines() {
        let path = format!("/api/applications?types=MachineToMachine&excludeRoleId={}", segment(id));
        applications = caller.list(&searched(&path, &query, true), paging).await?;
    } else {
        let path = format!("/api/users?excludeRoleId={}", segment(id));
        users = caller.list(&searched(&path, &query, false), paging).await?;
    }
    let status = if alert.is_empty() { StatusCode::OK } else { StatusCode::UNPROCESSABLE_ENTITY };
    let frame = Frame::new(caller, Section::Roles);
    show_as(caller, status, &AssignPage { frame, role, users, applications, query, alert })
}

pub(super) async fn assign(Path(id): Path<String>, Posted { caller, form }: Posted) -> Result<Response, Failure> {
    let chosen: Vec<&str> = form.all("chosen").collect();
    if chosen.is_empty() {
        return show_with(&caller, &id, form.refuse("chosen", "Choose at least one.")).await;
    }
    let role = load(&caller, &id).await?;
    let body = if role.is_for_machines() { json!({ "applicationIds": chosen }) } else { json!({ "userIds": chosen }) };
    match caller.change(Method::POST, &operation(&id, kind(&role)), body).await {
        Ok(()) => Ok(done(&page(&id, "/holders"), "added")),
        Err(failure) => {
            let alert = failure.about_input()?.text();
            show_with(&caller, &id, alert).await
        }
    }
}
