//! A permission of the template: creates and changes it.

use super::PAGE;
use super::matrix::show_with;
use crate::answer::{done, show_as};
use crate::caller::{Caller, segment};
use crate::failure::Failure;
use crate::form::Form;
use crate::frame::Frame;
use crate::model::Described;
use crate::posted::Posted;
use crate::section::Section;
use askama::Template;
use axum::extract::Path;
use axum::http::{Method, StatusCode};
use axum::response::Response;
use claimsmith_api::organization_scopes::OrganizationScopeView;
use serde_json::json;

#[derive(Template)]
#[template(path = "organizations/permission.html")]
struct PermissionPage {
    frame: Frame,
    permission: OrganizationScopeView,
    fields: Form,
    alert: String,
}

pub(super) async fn create_permission(Posted { caller, form }: Posted) -> Result<Response, Failure> {
    let body = json!({ "name": form.text("permission"), "description": form.filled("permissionDescription") });
    match caller.change(Method::POST, "/api/organization-scopes", body).await {
        Ok(()) => Ok(done(PAGE, "added")),
        Err(failure) => {
            let alert = failure.about_input()?.text();
            show_with(&caller, form, alert).await
        }
    }
}

pub(super) async fn show_permission(caller: Caller, Path(id): Path<String>) -> Result<Response, Failure> {
    let permission = load(&caller, &id).await?;
    let fields = Form::of(vec![
        ("name".to_owned(), permission.name.clone()),
        ("description".to_owned(), permission.about().to_owned()),
    ]);
    let frame = Frame::new(&caller, Section::Organizations);
    show_as(&caller, StatusCode::OK, &PermissionPage { frame, permission, fields, alert: String::new() })
}

pub(super) async fn save_permission(
    Path(id): Path<String>,
    Posted { caller, form }: Posted,
) -> Result<Response, Failure> {
    let body = json!({ "name": form.text("name"), "description": form.filled("description") });
    match caller.change(Method::PATCH, &operation(&id), body).await {
        Ok(()) => Ok(done(PAGE, "saved")),
        Err(failure) => {
            let alert = failure.about_input()?.text();
            let permission = load(&caller, &id).await?;
            let frame = Frame::new(&caller, Section::Organizations);
            let shown = PermissionPage { frame, permission, fields: form, alert };
            show_as(&caller, StatusCode::UNPROCESSABLE_ENTITY, &shown)
        }
    }
}

/// Reads a permission.
pub(super) async fn load(caller: &Caller, id: &str) -> Result<OrganizationScopeView, Failure> {
    caller.get(&operation(id)).await
}

/// The API path of a permission.
pub(super) fn operation(id: &str) -> String {
    format!("/api/organization-scopes/{}", segment(id))
}
