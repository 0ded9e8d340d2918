//! Creates an enterprise connector for a provider. The page shows the redirect URI, which is known before the connector
//! exists.

use super::PAGE;
use super::model::{Connector, EnterpriseProvider, PATH, body, fields};
use crate::answer::{done, show, show_as};
use crate::caller::Caller;
use crate::connectors::new_id;
use crate::connectors::setup::{Guide, RedirectUris, enterprise};
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
use serde_json::Value;

#[derive(Template)]
#[template(path = "connectors/enterprise/new.html")]
struct NewPage {
    frame: Frame,
    fields: Vec<Field>,
    provider: EnterpriseProvider,
    uris: RedirectUris,
    guide: Option<&'static Guide>,
    form: Form,
    problem: String,
}

fn page(caller: &Caller, provider: EnterpriseProvider, form: Form, problem: String) -> NewPage {
    let frame = Frame::new(caller, Section::Connectors);
    let uris = RedirectUris::of_enterprise(caller, form.text("id"));
    NewPage {
        frame,
        fields: fields(&provider.id),
        uris,
        guide: enterprise::guide(&provider.id),
        provider,
        form,
        problem,
    }
}

pub(super) async fn ask(caller: Caller, Path(name): Path<String>) -> Result<Response, Failure> {
    let provider = EnterpriseProvider::read(&caller, &name).await?;
    let id = new_id::asked(&caller).map_or_else(|| new_id::random(&caller), Ok)?;
    let form = Form::of(vec![("id".to_owned(), id)]);
    show(&caller, &page(&caller, provider, form, String::new()))
}

pub(super) async fn submit(Path(name): Path<String>, Posted { caller, form }: Posted) -> Result<Response, Failure> {
    let provider = EnterpriseProvider::read(&caller, &name).await?;
    let problem = match body(&name, &form, &Value::Null) {
        Err(problem) => problem,
        Ok(mut body) => {
            body["providerName"] = name.into();
            if let Some(id) = form.filled("id") {
                body["id"] = id.into();
            }
            match caller.write::<Connector>(Method::POST, PATH, body).await {
                Ok(connector) => return Ok(done(&connector.page(), "created")),
                Err(failure) => failure.about_input()?.text(),
            }
        }
    };
    show_as(&caller, StatusCode::UNPROCESSABLE_ENTITY, &page(&caller, provider, form, problem))
}
