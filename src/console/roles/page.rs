//! `/console/roles/{id}`: name, description and scopes of a role.

use super::scopes::{carried, change, load, operation, page, resources};
use crate::answer::{done, show_as};
use crate::caller::Caller;
use crate::failure::Failure;
use crate::form::Form;
use crate::frame::Frame;
use crate::model::{Described, RoleFacts};
use crate::posted::Posted;
use crate::section::Section;
use crate::ticked::Changes;
use askama::Template;
use axum::extract::Path;
use axum::http::{Method, StatusCode};
use axum::response::Response;
use claimsmith_api::resources::ResourceWithScopes;
use claimsmith_api::roles::RoleView;
use claimsmith_domain::id::ScopeId;
use serde_json::json;
use std::collections::BTreeSet;

#[derive(Template)]
#[template(path = "roles/role.html")]
struct RolePage {
    frame: Frame,
    role: RoleView,
    resources: Vec<ResourceWithScopes>,
    carried: BTreeSet<ScopeId>,
    fields: Form,
    alert: String,
}

impl RolePage {
    fn may_change(&self, method: &str, path: &str) -> bool {
        !self.role.is_built_in() && self.frame.may(method, path)
    }
}

pub(super) async fn show_role(caller: Caller, Path(id): Path<String>) -> Result<Response, Failure> {
    show_with(&caller, &id, None, String::new()).await
}

/// The page, with the submitted fields and the error if there was one.
async fn show_with(caller: &Caller, id: &str, typed: Option<Form>, alert: String) -> Result<Response, Failure> {
    let role = load(caller, id).await?;
    let carried = carried(caller, id).await?;
    let resources = resources(caller, role.is_for_machines(), &carried).await?;
    let known = || {
        let mut known =
            vec![("name".to_owned(), role.name.clone()), ("description".to_owned(), role.description.clone())];
        known.extend(role.is_default.then(|| ("isDefault".to_owned(), "true".to_owned())));
        Form::of(known)
    };
    let fields = typed.unwrap_or_else(known);
    let status = if alert.is_empty() { StatusCode::OK } else { StatusCode::UNPROCESSABLE_ENTITY };
    let frame = Frame::new(caller, Section::Roles);
    show_as(caller, status, &RolePage { frame, role, resources, carried, fields, alert })
}

pub(super) async fn save_role(Path(id): Path<String>, Posted { caller, form }: Posted) -> Result<Response, Failure> {
    let body = json!({
        "name": form.text("name"),
        "description": form.text("description"),
        "isDefault": form.is_ticked("isDefault"),
    });
    match caller.change(Method::PATCH, &operation(&id, ""), body).await {
        Ok(()) => Ok(done(&page(&id, ""), "saved")),
        Err(failure) => {
            let alert = failure.about_input()?.text();
            show_with(&caller, &id, Some(form), alert).await
        }
    }
}

pub(super) async fn save_scopes(Path(id): Path<String>, Posted { caller, form }: Posted) -> Result<Response, Failure> {
    let changes = Changes::of(&form, "scope", "had", &carried(&caller, &id).await?);
    match change(&caller, &id, changes).await {
        Ok(()) => Ok(done(&format!("{}#scopes", page(&id, "")), "saved")),
        Err(failure) => {
            let alert = failure.about_input()?.text();
            show_with(&caller, &id, None, alert).await
        }
    }
}
