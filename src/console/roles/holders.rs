//! `/console/roles/{id}/holders`: the users or applications with a role.

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
use axum::http::StatusCode;
use axum::response::Response;
use claimsmith_api::applications::ApplicationView;
use claimsmith_api::roles::RoleView;
use claimsmith_api::users::UserFields;

/// A user or application with the role.
pub(super) struct Holder {
    id: String,
    title: String,
    about: String,
}

#[derive(Template)]
#[template(path = "roles/holders.html")]
struct HoldersPage {
    frame: Frame,
    role: RoleView,
    holders: List<Holder>,
    query: String,
    alert: String,
}

impl HoldersPage {
    /// The section with the holders' pages.
    fn folder(&self) -> &'static str {
        if self.role.is_for_machines() { "/console/applications" } else { "/console/users" }
    }

    /// Whether the operator may assign or remove the role.
    fn may(&self, method: &str, rest: &str) -> bool {
        let (kind, parameter) =
            if self.role.is_for_machines() { ("applications", "{applicationId}") } else { ("users", "{userId}") };
        self.frame.may(method, &format!("/api/roles/{{id}}/{kind}{}", rest.replace("{}", parameter)))
    }
}

pub(super) async fn show_holders(caller: Caller, Path(id): Path<String>) -> Result<Response, Failure> {
    show_with(&caller, &id, String::new()).await
}

async fn show_with(caller: &Caller, id: &str, alert: String) -> Result<Response, Failure> {
    let role = load(caller, id).await?;
    let query = caller.query("q").unwrap_or_default().to_owned();
    let paging = caller.paging();
    let path = searched(&operation(id, kind(&role)), &query, true);
    let holders = if role.is_for_machines() {
        let found: List<ApplicationView> = caller.list(&path, paging).await?;
        let holders = found.items.into_iter();
        let items =
            holders.map(|one| Holder { about: one.id.to_string(), id: one.id.into(), title: one.name }).collect();
        List { items, total: found.total, paging }
    } else {
        let found: List<UserFields> = caller.list(&path, paging).await?;
        let holders = found.items.into_iter();
        let items = holders.map(|one| Holder {
            title: one.title().to_owned(),
            about: one.primary_email.clone().or_else(|| one.phone()).unwrap_or_default(),
            id: one.id.into(),
        });
        List { items: items.collect(), total: found.total, paging }
    };
    let status = if alert.is_empty() { StatusCode::OK } else { StatusCode::UNPROCESSABLE_ENTITY };
    let frame = Frame::new(caller, Section::Roles);
    show_as(caller, status, &HoldersPage { frame, role, holders, query, alert })
}

pub(super) async fn remove_holder(
    Path((id, holder)): Path<(String, String)>,
    Posted { caller, .. }: Posted,
) -> Result<Response, Failure> {
    let role = load(&caller, &id).await?;
    match caller.delete(&operation(&id, &format!("{}/{}", kind(&role), segment(&holder)))).await {
        Ok(()) => Ok(done(&page(&id, "/holders"), "removed")),
        Err(failure) => {
            let alert = failure.about_input()?.text();
            show_with(&caller, &id, alert).await
        }
    }
}

/// The path segment of the role's holders.
pub(super) fn kind(role: &RoleView) -> &'static str {
    if role.is_for_machines() { "/applications" } else { "/users" }
}
