//! The preview: a sign-in page with the unsaved settings of a form.

use super::tabs::Tab;
use crate::base_path::CompleteLinks;
use crate::caller::Caller;
use crate::failure::Failure;
use crate::fields::body_of;
use crate::json::change_members;
use crate::posted::Posted;
use axum::body::Body;
use axum::http::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::http::{HeaderValue, Method, Response, StatusCode};
use serde_json::{Value, json};

pub(super) async fn show_saved(caller: Caller) -> Result<Response<Body>, Failure> {
    render(&caller, json!({ "page": "sign-in" })).await
}

pub(super) async fn show_draft(Posted { caller, form }: Posted) -> Result<Response<Body>, Failure> {
    let tab = Tab::find("branding");
    let current: Value = caller.get("/api/sign-in-exp").await?;
    let settings = match body_of(&tab.fields(), &form, &current) {
        Ok(settings) => change_members(&current, &settings),
        Err(problem) => return Ok(refused(problem)),
    };
    match render(&caller, json!({ "page": "sign-in", "settings": settings })).await {
        Ok(page) => Ok(page),
        Err(failure) => Ok(refused(failure.about_input()?.text())),
    }
}

/// Shows the error as plain text in the preview's frame, because pages of the console must not be framed.
fn refused(problem: String) -> Response<Body> {
    let mut response = Response::new(Body::from(problem));
    *response.status_mut() = StatusCode::UNPROCESSABLE_ENTITY;
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
    headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static("default-src 'none'; frame-ancestors 'self'"));
    response
}

/// The rendered page with the CSP from the server, which allows its style sheets by hash.
async fn render(caller: &Caller, body: Value) -> Result<Response<Body>, Failure> {
    let answer = caller.write_if(Method::POST, "/api/sign-in-exp/preview", body, None).await?;
    let (parts, body) = answer.into_parts();
    let mut response = Response::new(body);
    *response.status_mut() = parts.status;
    // It is a page of the server's own.
    response.extensions_mut().insert(CompleteLinks);
    for name in [CONTENT_TYPE, CONTENT_SECURITY_POLICY] {
        if let Some(value) = parts.headers.get(&name) {
            response.headers_mut().insert(name, value.clone());
        }
    }
    Ok(response)
}
