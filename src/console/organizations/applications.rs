//! `/console/organizations/{id}/applications`: lists and adds the machine-to-machine applications of an organization.

use super::list::found;
use super::organization::{APPLICATIONS, PageHead, page, roles};
use crate::answer::{done, show_as};
use crate::caller::{Caller, segment};
use crate::failure::Failure;
use crate::find::searched;
use crate::frame::Frame;
use crate::list::List;
use crate::model::Described;
use crate::posted::Posted;
use crate::section::Section;
use askama::Template;
use axum::extract::Path;
use axum::http::{Method, StatusCode};
use axum::response::Response;
use claimsmith_api::applications::ApplicationView;
use claimsmith_api::organization_roles::OrganizationRoleView;
use claimsmith_api::organizations::MemberApplicationView;
use serde_json::json;

#[derive(Template)]
#[template(path = "organizations/applications.html")]
struct ApplicationsPage {
    frame: Frame,
    head: PageHead,
    applications: List<MemberApplicationView>,
    query: String,
}

#[derive(Template)]
#[template(path = "organizations/add_applications.html")]
struct CandidatesPage {
    frame: Frame,
    head: PageHead,
    applications: List<ApplicationView>,
    roles: Vec<OrganizationRoleView>,
    query: String,
}

pub(super) async fn show_applications(caller: Caller, Path(id): Path<String>) -> Result<Response, Failure> {
    let head = PageHead::load(&caller, &id, APPLICATIONS).await?;
    let query = caller.query("q").unwrap_or_default().to_owned();
    let path = found(&head.operation("/applications"), &query);
    let applications = caller.list(&path, caller.paging()).await?;
    let frame = Frame::new(&caller, Section::Organizations);
    show_as(&caller, StatusCode::OK, &ApplicationsPage { frame, head, applications, query })
}

pub(super) async fn show_candidates(caller: Caller, Path(id): Path<String>) -> Result<Response, Failure> {
    let head = PageHead::load(&caller, &id, APPLICATIONS).await?;
    show_with(&caller, head, StatusCode::OK).await
}

async fn show_with(caller: &Caller, head: PageHead, status: StatusCode) -> Result<Response, Failure> {
    let query = caller.query("q").unwrap_or_default().to_owned();
    let excluded = segment(&head.organization.id);
    let path = format!("/api/applications?types=MachineToMachine&excludeOrganizationId={excluded}");
    let applications = caller.list(&searched(&path, &query, true), caller.paging()).await?;
    let roles = roles(caller, true).await?;
    let frame = Frame::new(caller, Section::Organizations);
    show_as(caller, status, &CandidatesPage { frame, head, applications, roles, query })
}

pub(super) async fn add_applications(
    Path(id): Path<String>,
    Posted { caller, form }: Posted,
) -> Result<Response, Failure> {
    let head = PageHead::load(&caller, &id, APPLICATIONS).await?;
    let chosen: Vec<&str> = form.all("chosen").collect();
    if chosen.is_empty() {
        return show_with(&caller, head.with_alert("Choose at least one."), StatusCode::UNPROCESSABLE_ENTITY).await;
    }
    let body = json!({ "applicationIds": chosen });
    let result = caller.change(Method::POST, &head.operation("/applications"), body).await;
    let roles: Vec<&str> = form.all("role").collect();
    let result = match result {
        Ok(()) if !roles.is_empty() => {
            let body = json!({ "applicationIds": chosen, "organizationRoleIds": roles });
            caller.change(Method::POST, &head.operation("/applications/roles"), body).await
        }
        result => result,
    };
    match result {
        Ok(()) => Ok(done(&page(&id, "applications"), "added")),
        Err(failure) => {
            let refusal = failure.about_input()?;
            show_with(&caller, head.with_alert(refusal.text()), StatusCode::UNPROCESSABLE_ENTITY).await
        }
    }
}
