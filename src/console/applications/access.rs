//! What an application may do on its own behalf: machine-to-machine roles and organization memberships.

use super::model::{ApplicationFacts, TypeFacts, page_of, path_of, read};
use crate::answer::{done, show, show_as};
use crate::caller::{Caller, segment};
use crate::failure::Failure;
use crate::frame::Frame;
use crate::list::Paging;
use crate::posted::Posted;
use crate::section::Section;
use askama::Template;
use axum::extract::Path;
use axum::http::{Method, StatusCode};
use axum::response::Response;
use claimsmith_api::applications::ApplicationDetails;
use claimsmith_api::organizations::OrganizationOf;
use claimsmith_api::roles::RoleView;
use serde_json::json;

/// Maximum number of choices in a select field.
const MAX_CHOICES: u64 = 100;

#[derive(Template)]
#[template(path = "applications/access.html")]
struct AccessPage {
    frame: Frame,
    app: ApplicationDetails,
    roles: Vec<RoleView>,
    /// Roles that can still be assigned.
    others: Vec<(String, String)>,
    organizations: Vec<OrganizationOf>,
    problem: String,
}

impl AccessPage {
    async fn read(caller: &Caller, id: &str) -> Result<Self, Failure> {
        let app = read(caller, id).await?;
        let path = path_of(id);
        let (mut roles, mut others) = (Vec::new(), Vec::new());
        if !app.application.kind().has_users() {
            let held = caller.list(&format!("{path}/roles"), Paging::first(MAX_CHOICES)).await?;
            roles = held.items;
            let free = format!("/api/roles?type=MachineToMachine&excludeApplicationId={}", segment(id));
            let free: Option<Vec<RoleView>> = caller.get_if_allowed(&Paging::first(MAX_CHOICES).of(&free)).await?;
            others = free.unwrap_or_default().into_iter().map(|role| (role.id.into(), role.name)).collect();
        }
        let organizations = Paging::first(MAX_CHOICES).of(&format!("{path}/organizations"));
        let organizations = caller.get_if_allowed(&organizations).await?.unwrap_or_default();
        let frame = Frame::new(caller, Section::Applications);
        Ok(Self { frame, app, roles, others, organizations, problem: String::new() })
    }
}

pub(super) async fn show_access(caller: Caller, Path(id): Path<String>) -> Result<Response, Failure> {
    show(&caller, &AccessPage::read(&caller, &id).await?)
}

pub(super) async fn add_role(Path(id): Path<String>, Posted { caller, form }: Posted) -> Result<Response, Failure> {
    let body = json!({ "roleIds": [form.text("roleId")] });
    match caller.change(Method::POST, &format!("{}/roles", path_of(&id)), body).await {
        Ok(()) => Ok(done(&format!("{}/access", page_of(&id)), "added")),
        Err(failure) => {
            let problem = failure.about_input()?.text();
            let page = AccessPage { problem, ..AccessPage::read(&caller, &id).await? };
            show_as(&caller, StatusCode::UNPROCESSABLE_ENTITY, &page)
        }
    }
}

pub(super) async fn remove_role(
    Path((id, role_id)): Path<(String, String)>,
    Posted { caller, .. }: Posted,
) -> Result<Response, Failure> {
    match caller.delete(&format!("{}/roles/{}", path_of(&id), segment(&role_id))).await {
        Ok(()) => Ok(done(&format!("{}/access", page_of(&id)), "removed")),
        Err(failure) => {
            let problem = failure.about_input()?.text();
            let page = AccessPage { problem, ..AccessPage::read(&caller, &id).await? };
            show_as(&caller, StatusCode::UNPROCESSABLE_ENTITY, &page)
        }
    }
}
