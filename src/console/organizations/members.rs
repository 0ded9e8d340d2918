//! `/console/organizations/{id}/members`: lists and adds the users of an organization.

use super::list::found;
use super::organization::{MEMBERS, PageHead, page, roles};
use crate::answer::{done, show_as};
use crate::caller::{Caller, segment};
use crate::failure::Failure;
use crate::find::searched;
use crate::frame::Frame;
use crate::list::List;
use crate::model::{Described, UserFacts};
use crate::posted::Posted;
use crate::section::Section;
use askama::Template;
use axum::extract::Path;
use axum::http::{Method, StatusCode};
use axum::response::Response;
use claimsmith_api::organization_roles::OrganizationRoleView;
use claimsmith_api::organizations::MemberView;
use claimsmith_api::users::UserFields;
use serde_json::json;

#[derive(Template)]
#[template(path = "organizations/members.html")]
struct MembersPage {
    frame: Frame,
    head: PageHead,
    members: List<MemberView>,
    roles: Vec<OrganizationRoleView>,
    query: String,
    role: String,
}

#[derive(Template)]
#[template(path = "organizations/add_members.html")]
struct CandidatesPage {
    frame: Frame,
    head: PageHead,
    users: List<UserFields>,
    roles: Vec<OrganizationRoleView>,
    query: String,
}

pub(super) async fn show_members(caller: Caller, Path(id): Path<String>) -> Result<Response, Failure> {
    let head = PageHead::load(&caller, &id, MEMBERS).await?;
    let query = caller.query("q").unwrap_or_default().to_owned();
    let role = caller.query("role").unwrap_or_default().to_owned();
    let mut path = head.operation("/users");
    if !role.is_empty() {
        path = format!("{path}?organizationRoleId={}", segment(&role));
    }
    let members = caller.list(&found(&path, &query), caller.paging()).await?;
    let roles = roles(&caller, false).await?;
    let frame = Frame::new(&caller, Section::Organizations);
    show_as(&caller, StatusCode::OK, &MembersPage { frame, head, members, roles, query, role })
}

pub(super) async fn show_candidates(caller: Caller, Path(id): Path<String>) -> Result<Response, Failure> {
    let head = PageHead::load(&caller, &id, MEMBERS).await?;
    show_with(&caller, head, StatusCode::OK).await
}

async fn show_with(caller: &Caller, head: PageHead, status: StatusCode) -> Result<Response, Failure> {
    let query = caller.query("q").unwrap_or_default().to_owned();
    let path = format!("/api/users?excludeOrganizationId={}", segment(&head.organization.id));
    let users = caller.list(&searched(&path, &query, false), caller.paging()).await?;
    let roles = roles(caller, false).await?;
    let frame = Frame::new(caller, Section::Organizations);
    show_as(caller, status, &CandidatesPage { frame, head, users, roles, query })
}

pub(super) async fn add_members(Path(id): Path<String>, Posted { caller, form }: Posted) -> Result<Response, Failure> {
    let head = PageHead::load(&caller, &id, MEMBERS).await?;
    let chosen: Vec<&str> = form.all("chosen").collect();
    if chosen.is_empty() {
        return show_with(&caller, head.with_alert("Choose at least one."), StatusCode::UNPROCESSABLE_ENTITY).await;
    }
    let result = caller.change(Method::POST, &head.operation("/users"), json!({ "userIds": chosen })).await;
    let roles: Vec<&str> = form.all("role").collect();
    let result = match result {
        Ok(()) if !roles.is_empty() => {
            let body = json!({ "userIds": chosen, "organizationRoleIds": roles });
            caller.change(Method::POST, &head.operation("/users/roles"), body).await
        }
        result => result,
    };
    match result {
        Ok(()) => Ok(done(&page(&id, "members"), "added")),
        Err(failure) => {
            let refusal = failure.about_input()?;
            show_with(&caller, head.with_alert(refusal.text()), StatusCode::UNPROCESSABLE_ENTITY).await
        }
    }
}
