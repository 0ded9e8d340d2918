//! The matrix of organization roles and permissions, and the forms that add roles and permissions.

use super::PAGE;
use crate::answer::{done, show_as};
use crate::caller::{Caller, segment};
use crate::failure::Failure;
use crate::form::Form;
use crate::frame::Frame;
use crate::model::{Described, OrganizationRoleFacts};
use crate::posted::Posted;
use crate::section::Section;
use crate::ticked::Changes;
use askama::Template;
use axum::http::{Method, StatusCode};
use axum::response::Response;
use claimsmith_api::organization_roles::OrganizationRoleWithScopes;
use claimsmith_api::organization_scopes::OrganizationScopeView;
use claimsmith_domain::id::OrganizationScopeId;
use serde_json::json;
use std::collections::BTreeSet;

const KINDS: &[(&str, &str)] = &[("User", "Users"), ("MachineToMachine", "Machines")];

#[derive(Template)]
#[template(path = "organizations/template.html")]
struct TemplatePage {
    frame: Frame,
    roles: Vec<OrganizationRoleWithScopes>,
    permissions: Vec<OrganizationScopeView>,
    alert: String,
    /// The submitted fields.
    fields: Form,
}

impl TemplatePage {
    /// Whether any role includes scopes of API resources.
    fn has_resource_scopes(&self) -> bool {
        self.roles.iter().any(|listed| !listed.resource_scopes.is_empty())
    }
}

/// What the matrix says of a role.
trait Carries {
    /// Whether it carries this permission.
    fn has(&self, permission: &OrganizationScopeId) -> bool;
}

impl Carries for OrganizationRoleWithScopes {
    fn has(&self, permission: &OrganizationScopeId) -> bool {
        self.scopes.iter().any(|scope| scope.id == *permission)
    }
}

pub(super) async fn show_template(caller: Caller) -> Result<Response, Failure> {
    show_with(&caller, Form::default(), String::new()).await
}

/// The page, with the submitted fields and the error if there was one.
pub(super) async fn show_with(caller: &Caller, fields: Form, alert: String) -> Result<Response, Failure> {
    let roles = caller.get("/api/organization-roles").await?;
    let permissions = caller.get("/api/organization-scopes").await?;
    let status = if alert.is_empty() { StatusCode::OK } else { StatusCode::UNPROCESSABLE_ENTITY };
    let frame = Frame::new(caller, Section::Organizations);
    show_as(caller, status, &TemplatePage { frame, roles, permissions, alert, fields })
}

pub(super) async fn save_matrix(Posted { caller, form }: Posted) -> Result<Response, Failure> {
    let roles: Vec<OrganizationRoleWithScopes> = caller.get("/api/organization-roles").await?;
    for OrganizationRoleWithScopes { role, scopes, .. } in roles {
        let now: BTreeSet<OrganizationScopeId> = scopes.into_iter().map(|scope| scope.id).collect();
        let changes = Changes::read(of(&form, "cell", &role.id), of(&form, "had", &role.id), &now);
        if let Err(failure) = change(&caller, &role.id, changes).await {
            let refusal = failure.about_input()?;
            let alert = format!("Not everything was saved: {} What the boxes show now is what holds.", refusal.text());
            return show_with(&caller, Form::default(), alert).await;
        }
    }
    Ok(done(PAGE, "saved"))
}

/// The permissions of a role's checkboxes.
fn of<'f>(form: &'f Form, name: &'f str, role: &'f str) -> impl Iterator<Item = &'f str> {
    form.all(name).filter_map(|cell| cell.split_once(' ')).filter(move |(of, _)| *of == role).map(|(_, scope)| scope)
}

async fn change(caller: &Caller, id: &str, changes: Changes) -> Result<(), Failure> {
    let path = format!("/api/organization-roles/{}/scopes", segment(id));
    if !changes.added.is_empty() {
        caller.change(Method::POST, &path, json!({ "organizationScopeIds": changes.added })).await?;
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
