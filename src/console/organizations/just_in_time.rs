//! `/console/organizations/{id}/just-in-time`: email domains whose users join automatically, and the roles they get.

use super::organization::{JUST_IN_TIME, PageHead, page, roles};
use crate::answer::{done, show_as};
use crate::caller::{Caller, segment};
use crate::failure::Failure;
use crate::frame::Frame;
use crate::model::Described;
use crate::posted::Posted;
use crate::section::Section;
use askama::Template;
use axum::extract::Path;
use axum::http::{Method, StatusCode};
use axum::response::Response;
use claimsmith_api::organization_roles::OrganizationRoleView;
use claimsmith_api::organizations::EmailDomainView;
use serde_json::json;

#[derive(Template)]
#[template(path = "organizations/just_in_time.html")]
struct JustInTimePage {
    frame: Frame,
    head: PageHead,
    domains: Vec<EmailDomainView>,
    roles: Vec<OrganizationRoleView>,
    given: Vec<OrganizationRoleView>,
    /// The submitted domain, after an error.
    domain: String,
}

impl JustInTimePage {
    fn gives(&self, id: &str) -> bool {
        self.given.iter().any(|role| role.id == id)
    }
}

pub(super) async fn show(caller: Caller, Path(id): Path<String>) -> Result<Response, Failure> {
    show_with(&caller, &id, String::new()).await
}

async fn show_with(caller: &Caller, id: &str, alert: String) -> Result<Response, Failure> {
    let head = PageHead::load(caller, id, JUST_IN_TIME).await?.with_alert(alert);
    let status = if head.alert.is_empty() { StatusCode::OK } else { StatusCode::UNPROCESSABLE_ENTITY };
    let domains = caller.get(&head.operation("/jit/email-domains")).await?;
    let given = caller.get(&head.operation("/jit/roles")).await?;
    let roles = roles(caller, false).await?;
    let domain = caller.form().map(|form| form.text("domain").to_owned()).filter(|_| !head.alert.is_empty());
    let frame = Frame::new(caller, Section::Organizations);
    let shown = JustInTimePage { frame, head, domains, roles, given, domain: domain.unwrap_or_default() };
    show_as(caller, status, &shown)
}

pub(super) async fn add_domain(Path(id): Path<String>, Posted { caller, form }: Posted) -> Result<Response, Failure> {
    let body = json!({ "emailDomain": form.text("domain") });
    let path = format!("/api/organizations/{}/jit/email-domains", segment(&id));
    let result = caller.change(Method::POST, &path, body).await;
    answer(&caller, &id, result, "added").await
}

pub(super) async fn remove_domain(
    Path(id): Path<String>,
    Posted { caller, form }: Posted,
) -> Result<Response, Failure> {
    let domain = segment(form.text("domain"));
    let result = caller.delete(&format!("/api/organizations/{}/jit/email-domains/{domain}", segment(&id))).await;
    answer(&caller, &id, result, "removed").await
}

pub(super) async fn save_roles(Path(id): Path<String>, Posted { caller, form }: Posted) -> Result<Response, Failure> {
    let chosen: Vec<&str> = form.all("role").collect();
    let path = format!("/api/organizations/{}/jit/roles", segment(&id));
    let result = caller.change(Method::PUT, &path, json!({ "organizationRoleIds": chosen })).await;
    answer(&caller, &id, result, "saved").await
}

async fn answer(caller: &Caller, id: &str, result: Result<(), Failure>, word: &str) -> Result<Response, Failure> {
    match result {
        Ok(()) => Ok(done(&page(id, "just-in-time"), word)),
        Err(failure) => {
            let alert = failure.about_input()?.text();
            show_with(caller, id, alert).await
        }
    }
}
