//! `/console/organizations/create`.

use super::organization::page;
use crate::answer::{done, show_as};
use crate::caller::{Caller, without_nulls};
use crate::failure::Failure;
use crate::form::Form;
use crate::frame::Frame;
use crate::posted::Posted;
use crate::section::Section;
use askama::Template;
use axum::http::{Method, StatusCode};
use axum::response::Response;
use claimsmith_api::organizations::OrganizationView;
use serde_json::json;

#[derive(Template)]
#[template(path = "organizations/create.html")]
struct CreatePage {
    frame: Frame,
    fields: Form,
    alert: String,
}

pub(super) async fn show_form(caller: Caller) -> Result<Response, Failure> {
    let frame = Frame::new(&caller, Section::Organizations);
    show_as(&caller, StatusCode::OK, &CreatePage { frame, fields: Form::default(), alert: String::new() })
}

pub(super) async fn create_organization(Posted { caller, form }: Posted) -> Result<Response, Failure> {
    let body = without_nulls(json!({
        "name": form.text("name"),
        "description": form.filled("description"),
        "isMfaRequired": form.is_ticked("isMfaRequired"),
    }));
    match caller.write::<OrganizationView>(Method::POST, "/api/organizations", body).await {
        Ok(organization) => Ok(done(&page(&organization.id, "members"), "created")),
        Err(failure) => {
            let alert = failure.about_input()?.text();
            let frame = Frame::new(&caller, Section::Organizations);
            show_as(&caller, StatusCode::UNPROCESSABLE_ENTITY, &CreatePage { frame, fields: form, alert })
        }
    }
}
