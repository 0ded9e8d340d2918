//! `/console/roles/create`: creates a role for users or machine-to-machine applications, with its first scopes.

use super::scopes::{page, resources};
use crate::answer::{done, show_as};
use crate::caller::{Caller, without_nulls};
use crate::failure::Failure;
use crate::form::Form;
use crate::frame::Frame;
use crate::model::{Described, ResourceFacts};
use crate::posted::Posted;
use crate::section::Section;
use askama::Template;
use axum::http::{Method, StatusCode};
use axum::response::Response;
use claimsmith_api::resources::ResourceWithScopes;
use claimsmith_api::roles::RoleView;
use claimsmith_domain::id::ScopeId;
use serde_json::json;
use std::collections::BTreeSet;

const KINDS: &[(&str, &str)] = &[("User", "Users"), ("MachineToMachine", "Machines")];

#[derive(Template)]
#[template(path = "roles/create.html")]
struct CreatePage {
    frame: Frame,
    fields: Form,
    resources: Vec<ResourceWithScopes>,
    chosen: BTreeSet<ScopeId>,
    alert: String,
}

pub(super) async fn show_form(caller: Caller) -> Result<Response, Failure> {
    show_with(&caller, StatusCode::OK, Form::default(), String::new()).await
}

async fn show_with(caller: &Caller, status: StatusCode, fields: Form, alert: String) -> Result<Response, Failure> {
    let chosen: BTreeSet<ScopeId> = fields.all("scope").map(ScopeId::from).collect();
    let resources = resources(caller, true, &chosen).await?;
    let frame = Frame::new(caller, Section::Roles);
    show_as(caller, status, &CreatePage { frame, fields, resources, chosen, alert })
}

pub(super) async fn create_role(Posted { caller, form }: Posted) -> Result<Response, Failure> {
    let scopes: Vec<&str> = form.all("scope").collect();
    let description = form.filled("description").unwrap_or_else(|| form.text("name"));
    let body = without_nulls(json!({
        "name": form.text("name"),
        "description": description,
        "type": form.text("type"),
        "isDefault": form.is_ticked("isDefault"),
        "scopeIds": if scopes.is_empty() { None } else { Some(&scopes) },
    }));
    match caller.write::<RoleView>(Method::POST, "/api/roles", body).await {
        Ok(role) => Ok(done(&page(&role.id, ""), "created")),
        Err(failure) => {
            let alert = failure.about_input()?.text();
            show_with(&caller, StatusCode::UNPROCESSABLE_ENTITY, form, alert).await
        }
    }
}
