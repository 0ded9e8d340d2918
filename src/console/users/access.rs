//! `/console/users/{id}/access`: a user's roles and organization memberships.

use super::user::{ACCESS, PageHead, operation, page};
use crate::answer::{done, show_as};
use crate::caller::{Caller, segment};
use crate::failure::Failure;
use crate::frame::Frame;
use crate::list::{List, Paging};
use crate::model::{RoleFacts, UserFacts};
use crate::posted::Posted;
use crate::section::Section;
use askama::Template;
use axum::extract::Path;
use axum::http::{Method, StatusCode};
use axum::response::Response;
use claimsmith_api::organizations::{OrganizationOf, OrganizationView};
use claimsmith_api::roles::RoleView;
use serde_json::json;

/// Maximum number of options in a select field; beyond that, the page of the role or organization has a search.
const CHOICES: u64 = 100;

#[derive(Template)]
#[template(path = "users/access.html")]
struct AccessPage {
    frame: Frame,
    head: PageHead,
    roles: List<RoleView>,
    /// Roles that can still be assigned.
    other_roles: Option<List<RoleView>>,
    organizations: Vec<OrganizationOf>,
    other_organizations: Option<List<OrganizationView>>,
}

impl AccessPage {
    async fn load(caller: &Caller, head: PageHead) -> Result<Self, Failure> {
        let roles = caller.list(&head.operation("/roles"), caller.paging()).await?;
        let organizations: Vec<OrganizationOf> = caller.get(&head.operation("/organizations")).await?;
        let other_roles = if caller.may("POST", "/api/users/{userId}/roles") {
            let path = format!("/api/roles?type=User&excludeUserId={}", segment(&head.user.id));
            Some(caller.list(&path, Paging::first(CHOICES)).await?)
        } else {
            None
        };
        let other_organizations = if caller.may("POST", "/api/organizations/{id}/users") {
            let mut others: List<OrganizationView> = caller.list("/api/organizations", Paging::first(CHOICES)).await?;
            others.items.retain(|other| !organizations.iter().any(|own| own.organization.id == other.id));
            Some(others)
        } else {
            None
        };
        let frame = Frame::new(caller, Section::Users);
        Ok(Self { frame, head, roles, other_roles, organizations, other_organizations })
    }
}

pub(super) async fn show_access(caller: Caller, Path(id): Path<String>) -> Result<Response, Failure> {
    let head = PageHead::load(&caller, &id, ACCESS).await?;
    show_as(&caller, StatusCode::OK, &AccessPage::load(&caller, head).await?)
}

pub(super) async fn add_role(Path(id): Path<String>, Posted { caller, form }: Posted) -> Result<Response, Failure> {
    let body = json!({ "roleIds": [form.text("role")] });
    let result = caller.change(Method::POST, &operation(&id, "/roles"), body).await;
    answer(&caller, &id, result, "added").await
}

pub(super) async fn remove_role(
    Path((id, role)): Path<(String, String)>,
    Posted { caller, .. }: Posted,
) -> Result<Response, Failure> {
    let result = caller.delete(&operation(&id, &format!("/roles/{}", segment(&role)))).await;
    answer(&caller, &id, result, "removed").await
}

pub(super) async fn add_organization(
    Path(id): Path<String>,
    Posted { caller, form }: Posted,
) -> Result<Response, Failure> {
    let path = format!("/api/organizations/{}/users", segment(form.text("organization")));
    let result = caller.change(Method::POST, &path, json!({ "userIds": [id] })).await;
    answer(&caller, &id, result, "added").await
}

pub(super) async fn leave_organization(
    Path((id, organization)): Path<(String, String)>,
    Posted { caller, .. }: Posted,
) -> Result<Response, Failure> {
    let path = format!("/api/organizations/{}/users/{}", segment(&organization), segment(&id));
    let result = caller.delete(&path).await;
    answer(&caller, &id, result, "removed").await
}

async fn answer(
    caller: &Caller,
    id: &str,
    result: Result<(), Failure>,
    word: &'static str,
) -> Result<Response, Failure> {
    let Err(failure) = result else { return Ok(done(&page(id, "access"), word)) };
    let refusal = failure.about_input()?;
    let head = PageHead::load(caller, id, ACCESS).await?.with_alert(refusal.text());
    show_as(caller, StatusCode::UNPROCESSABLE_ENTITY, &AccessPage::load(caller, head).await?)
}
