//! The scopes of a resource: creates a scope, and changes its name and description.

use super::page::{FormError, operation, page, show_with};
use crate::answer::{done, show_as};
use crate::caller::{Caller, segment, without_nulls};
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
use claimsmith_api::resources::{ResourceView, ScopeView};
use serde_json::json;

#[derive(Template)]
#[template(path = "resources/scope.html")]
struct ScopePage {
    frame: Frame,
    resource: ResourceView,
    scope: ScopeView,
    fields: Form,
    alert: String,
}

pub(super) async fn create_scope(Path(id): Path<String>, Posted { caller, form }: Posted) -> Result<Response, Failure> {
    let body = without_nulls(json!({ "name": form.text("scope"), "description": form.filled("description") }));
    match caller.change(Method::POST, &operation(&id, "/scopes"), body).await {
        Ok(()) => Ok(done(&format!("{}#scopes", page(&id)), "added")),
        Err(failure) => {
            let alert = failure.about_input()?.text();
            show_with(&caller, &id, FormError::Scope(form, alert)).await
        }
    }
}

pub(super) async fn show_scope(
    caller: Caller,
    Path((id, scope_id)): Path<(String, String)>,
) -> Result<Response, Failure> {
    let (resource, scope) = load(&caller, &id, &scope_id).await?;
    let fields =
        Form::of(vec![("name".to_owned(), scope.name.clone()), ("description".to_owned(), scope.about().to_owned())]);
    let frame = Frame::new(&caller, Section::Resources);
    show_as(&caller, StatusCode::OK, &ScopePage { frame, resource, scope, fields, alert: String::new() })
}

pub(super) async fn save_scope(
    Path((id, scope_id)): Path<(String, String)>,
    Posted { caller, form }: Posted,
) -> Result<Response, Failure> {
    let path = operation(&id, &format!("/scopes/{}", segment(&scope_id)));
    let body = json!({ "name": form.text("name"), "description": form.text("description") });
    match caller.change(Method::PATCH, &path, body).await {
        Ok(()) => Ok(done(&format!("{}#scopes", page(&id)), "saved")),
        Err(failure) => {
            let alert = failure.about_input()?.text();
            let (resource, scope) = load(&caller, &id, &scope_id).await?;
            let frame = Frame::new(&caller, Section::Resources);
            let shown = ScopePage { frame, resource, scope, fields: form, alert };
            show_as(&caller, StatusCode::UNPROCESSABLE_ENTITY, &shown)
        }
    }
}

/// Reads a resource and one of its scopes.
pub(super) async fn load(caller: &Caller, id: &str, scope_id: &str) -> Result<(ResourceView, ScopeView), Failure> {
    let resource = caller.get(&operation(id, "")).await?;
    let scopes: Vec<ScopeView> = caller.get(&operation(id, "/scopes")).await?;
    let scope = scopes.into_iter().find(|scope| scope.id == scope_id).ok_or_else(|| Failure::missing(caller))?;
    Ok((resource, scope))
}
