//! A role of the template: creates and changes it, with the scopes of API resources that it includes.

use super::PAGE;
use super::matrix::show_with as show_template;
use crate::answer::{done, show_as};
use crate::caller::{Caller, segment};
use crate::failure::Failure;
use crate::form::Form;
use crate::frame::Frame;
use crate::model::{Described, OrganizationRoleFacts, ResourceFacts};
use crate::posted::Posted;
use crate::section::Section;
use crate::ticked::Changes;
use askama::Template;
use axum::extract::Path;
use axum::http::{Method, StatusCode};
use axum::response::Response;
use claimsmith_api::organization_roles::OrganizationRoleView;
use claimsmith_api::resources::{ResourceWithScopes, ScopeView};
use claimsmith_domain::id::ScopeId;
use serde_json::json;
use std::collections::BTreeSet;

#[derive(Template)]
#[template(path = "organizations/role.html")]
struct RolePage {
    frame: Frame,
    role: OrganizationRoleView,
    resources: Vec<ResourceWithScopes>,
    carried: BTreeSet<ScopeId>,
    fields: Form,
    alert: String,
}

pub(super) async fn create_role(Posted { caller, form }: Posted) -> Result<Response, Failure> {
    let kind = form.filled("type").unwrap_or("User");
    let body = json!({ "name": form.text("role"), "description": form.filled("roleDescription"), "type": kind });
    match caller.change(Method::POST, "/api/organization-roles", body).await {
        Ok(()) => Ok(done(PAGE, "added")),
        Err(failure) => {
            let alert = failure.about_input()?.text();
            show_template(&caller, form, alert).await
        }
    }
}

pub(super) async fn show_role(caller: Caller, Path(id): Path<String>) -> Result<Response, Failure> {
    show_with(&caller, &id, None, String::new()).await
}

async fn show_with(caller: &Caller, id: &str, typed: Option<Form>, alert: String) -> Result<Response, Failure> {
    let role = load(caller, id).await?;
    let carried = carried(caller, id).await?;
    let mut resources: Vec<ResourceWithScopes> = caller.get("/api/resources?includeScopes=true").await?;
    let management = &caller.console().management_resource;
    resources.retain(|listed| listed.resource.fixed(management).is_none() && !listed.scopes.is_empty());
    let known =
        || Form::of(vec![("name".to_owned(), role.name.clone()), ("description".to_owned(), role.about().to_owned())]);
    let fields = typed.unwrap_or_else(known);
    let status = if alert.is_empty() { StatusCode::OK } else { StatusCode::UNPROCESSABLE_ENTITY };
    let frame = Frame::new(caller, Section::Organizations);
    show_as(caller, status, &RolePage { frame, role, resources, carried, fields, alert })
}

pub(super) async fn save_role(Path(id): Path<String>, Posted { caller, form }: Posted) -> Result<Response, Failure> {
    let body = json!({ "name": form.text("name"), "description": form.filled("description") });
    match caller.change(Method::PATCH, &operation(&id, ""), body).await {
        Ok(()) => Ok(done(&page(&id), "saved")),
        Err(failure) => {
            let alert = failure.about_input()?.text();
            show_with(&caller, &id, Some(form), alert).await
        }
    }
}

pub(super) async fn save_resource_scopes(
    Path(id): Path<String>,
    Posted { caller, form }: Posted,
) -> Result<Response, Failure> {
    let changes = Changes::of(&form, "scope", "had", &carried(&caller, &id).await?);
    match change(&caller, &id, changes).await {
        Ok(()) => Ok(done(&page(&id), "saved")),
        Err(failure) => {
            let alert = failure.about_input()?.text();
            show_with(&caller, &id, None, alert).await
        }
    }
}

async fn change(caller: &Caller, id: &str, changes: Changes) -> Result<(), Failure> {
    let path = operation(id, "/resource-scopes");
    if !changes.added.is_empty() {
        caller.change(Method::POST, &path, json!({ "scopeIds": changes.added })).await?;
    }
    for scope in changes.removed {
        match caller.delete(&format!("{path}/{}", segment(&scope))).await {
            // Already removed by a concurrent change.
            Err(failure) if failure.is_missing() => {}
            result => result?,
        }
    }
    Ok(())
}

/// The ids of the resource scopes that a role includes.
async fn carried(caller: &Caller, id: &str) -> Result<BTreeSet<ScopeId>, Failure> {
    let scopes: Vec<ScopeView> = caller.get(&operation(id, "/resource-scopes")).await?;
    Ok(scopes.into_iter().map(|scope| scope.id).collect())
}

/// Reads a role.
pub(super) async fn load(caller: &Caller, id: &str) -> Result<OrganizationRoleView, Failure> {
    caller.get(&operation(id, "")).await
}

/// The API path of an operation on a role.
pub(super) fn operation(id: &str, rest: &str) -> String {
    format!("/api/organization-roles/{}{rest}", segment(id))
}

/// The path of a role's page.
pub(super) fn page(id: &str) -> String {
    format!("{PAGE}/roles/{}", segment(id))
}
