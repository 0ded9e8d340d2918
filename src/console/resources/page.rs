//! `/console/resources/{id}`: an API resource, its token settings, and its scopes.

use super::create::seconds;
use crate::answer::{done, show_as};
use crate::caller::{Caller, segment};
use crate::failure::Failure;
use crate::find::searched;
use crate::form::Form;
use crate::frame::Frame;
use crate::list::List;
use crate::model::{Described, ResourceFacts};
use crate::posted::Posted;
use crate::section::Section;
use askama::Template;
use axum::extract::Path;
use axum::http::{Method, StatusCode};
use axum::response::Response;
use claimsmith_api::resources::{ResourceView, ScopeView};
use serde_json::json;

#[derive(Template)]
#[template(path = "resources/resource.html")]
struct ResourcePage {
    frame: Frame,
    resource: ResourceView,
    scopes: List<ScopeView>,
    query: String,
    /// Why it is read-only; none if it is not.
    fixed: Option<&'static str>,
    fields: Form,
    alert: String,
    /// The submitted fields of a new scope.
    scope_fields: Form,
    scope_alert: String,
}

/// Which form is shown again after an error: the settings, or the new scope.
pub(super) enum FormError {
    None,
    Settings(Form, String),
    Scope(Form, String),
}

pub(super) async fn show_resource(caller: Caller, Path(id): Path<String>) -> Result<Response, Failure> {
    show_with(&caller, &id, FormError::None).await
}

pub(super) async fn show_with(caller: &Caller, id: &str, error: FormError) -> Result<Response, Failure> {
    let resource: ResourceView = caller.get(&operation(id, "")).await?;
    let query = caller.query("q").unwrap_or_default().to_owned();
    let scopes = caller.list(&searched(&operation(id, "/scopes"), &query, true), caller.paging()).await?;
    let fixed = resource.fixed(&caller.console().management_resource);
    let known = Form::of(vec![
        ("name".to_owned(), resource.name.clone()),
        ("accessTokenTtl".to_owned(), resource.access_token_ttl.to_string()),
    ]);
    let status = if matches!(error, FormError::None) { StatusCode::OK } else { StatusCode::UNPROCESSABLE_ENTITY };
    let (fields, alert, scope_fields, scope_alert) = match error {
        FormError::None => (known, String::new(), Form::default(), String::new()),
        FormError::Settings(form, alert) => (form, alert, Form::default(), String::new()),
        FormError::Scope(form, alert) => (known, String::new(), form, alert),
    };
    let frame = Frame::new(caller, Section::Resources);
    let shown = ResourcePage { frame, resource, scopes, query, fixed, fields, alert, scope_fields, scope_alert };
    show_as(caller, status, &shown)
}

pub(super) async fn save_resource(
    Path(id): Path<String>,
    Posted { caller, form }: Posted,
) -> Result<Response, Failure> {
    let body = json!({ "name": form.text("name"), "accessTokenTtl": seconds(&form) });
    match caller.change(Method::PATCH, &operation(&id, ""), body).await {
        Ok(()) => Ok(done(&page(&id), "saved")),
        Err(failure) => {
            let alert = failure.about_input()?.text();
            show_with(&caller, &id, FormError::Settings(form, alert)).await
        }
    }
}

pub(super) async fn set_default(Path(id): Path<String>, Posted { caller, form }: Posted) -> Result<Response, Failure> {
    let body = json!({ "isDefault": form.is_ticked("isDefault") });
    match caller.change(Method::PATCH, &operation(&id, "/is-default"), body).await {
        Ok(()) => Ok(done(&page(&id), "saved")),
        Err(failure) => {
            let alert = failure.about_input()?.text();
            let resource: ResourceView = caller.get(&operation(&id, "")).await?;
            let known = Form::of(vec![
                ("name".to_owned(), resource.name),
                ("accessTokenTtl".to_owned(), resource.access_token_ttl.to_string()),
            ]);
            show_with(&caller, &id, FormError::Settings(known, alert)).await
        }
    }
}

/// The path of a resource's page.
pub(super) fn page(id: &str) -> String {
    format!("/console/resources/{}", segment(id))
}

/// The path of an operation on a resource.
pub(super) fn operation(id: &str, rest: &str) -> String {
    format!("/api/resources/{}{rest}", segment(id))
}
