//! Creates a connector from a factory.

use super::model::{self, FactoryFacts, page_of};
use crate::answer::{done, show, show_as};
use crate::caller::Caller;
use crate::failure::Failure;
use crate::fields::Field;
use crate::form::Form;
use crate::frame::Frame;
use crate::posted::Posted;
use crate::section::Section;
use askama::Template;
use axum::extract::Path;
use axum::http::{Method, StatusCode};
use axum::response::Response;
use claimsmith_api::connectors::{ConnectorView, FactoryView};
use serde_json::{Value, json};

#[derive(Template)]
#[template(path = "connectors/new.html")]
struct NewPage {
    frame: Frame,
    fields: Vec<Field>,
    factory: FactoryView,
    form: Form,
    problem: String,
}

fn page(caller: &Caller, factory: FactoryView, form: Form, problem: String) -> NewPage {
    let frame = Frame::new(caller, Section::Connectors);
    NewPage { frame, fields: factory.fields(), factory, form, problem }
}

/// The request body. A standard connector takes its name and its target from the form.
fn body_of(factory: &FactoryView, form: &Form) -> Result<Value, String> {
    let config = factory.config(form, &Value::Null)?;
    let mut body = json!({ "connectorId": factory.id, "config": config });
    if factory.about.is_standard {
        body["metadata"] = json!({ "target": form.text("target"), "name": { "en": form.text("name") } });
    }
    Ok(body)
}

pub(super) async fn ask(caller: Caller, Path(id): Path<String>) -> Result<Response, Failure> {
    let factory = model::read_factory(&caller, &id).await?;
    show(&caller, &page(&caller, factory, Form::default(), String::new()))
}

pub(super) async fn submit(Path(id): Path<String>, Posted { caller, form }: Posted) -> Result<Response, Failure> {
    let factory = model::read_factory(&caller, &id).await?;
    let problem = match body_of(&factory, &form) {
        Err(problem) => problem,
        Ok(body) => match caller.write::<ConnectorView>(Method::POST, "/api/connectors", body).await {
            Ok(connector) => return Ok(done(&page_of(&connector.id), "created")),
            Err(failure) => failure.about_input()?.text(),
        },
    };
    show_as(&caller, StatusCode::UNPROCESSABLE_ENTITY, &page(&caller, factory, form, problem))
}
