//! The page of an enterprise connector.

use super::PAGE;
use super::model::{Connector, body, fields, page_of, path_of};
use crate::answer::{done, show, show_as};
use crate::caller::Caller;
use crate::connectors::outage;
use crate::connectors::setup::{Guide, RedirectUris, enterprise};
use crate::deletion::Deletion;
use crate::failure::Failure;
use crate::fields::{Field, form_of};
use crate::form::Form;
use crate::frame::Frame;
use crate::locked_out::LockedOut;
use crate::posted::Posted;
use crate::section::Section;
use askama::Template;
use axum::extract::Path;
use axum::http::{Method, StatusCode};
use axum::response::Response;
use claimsmith_api::dashboard::ProviderOutageView;
use serde::Deserialize;
use serde_json::Value;

#[derive(Template)]
#[template(path = "connectors/enterprise/connector.html")]
struct ConnectorPage {
    frame: Frame,
    connector: Connector,
    fields: Vec<Field>,
    form: Form,
    uris: RedirectUris,
    guide: Option<&'static Guide>,
    problem: String,
    outage: Option<ProviderOutageView>,
    /// The users whom the submitted settings lock out.
    locked_out: Option<LockedOut>,
}

/// Reads the connector: its page, and its JSON from the API.
async fn read(caller: &Caller, id: &str) -> Result<(ConnectorPage, Value), Failure> {
    let shown: Value = caller.get(&path_of(id)).await?;
    let connector = Connector::deserialize(&shown).map_err(|error| Failure::broken(caller, &error))?;
    let fields: Vec<_> = fields(&connector.provider).into_iter().map(Field::kept).collect();
    let form = form_of(&fields, &shown);
    let uris = RedirectUris::of_enterprise(caller, &connector.id);
    let guide = enterprise::guide(&connector.provider);
    let frame = Frame::new(caller, Section::Connectors);
    let outage = outage::read(caller, &connector.id).await;
    let (problem, locked_out) = (String::new(), None);
    let page = ConnectorPage { frame, connector, fields, form, uris, guide, problem, outage, locked_out };
    Ok((page, shown))
}

pub(super) async fn show_connector(caller: Caller, Path(id): Path<String>) -> Result<Response, Failure> {
    show(&caller, &read(&caller, &id).await?.0)
}

pub(super) async fn save(Path(id): Path<String>, Posted { caller, form }: Posted) -> Result<Response, Failure> {
    let (page, shown) = read(&caller, &id).await?;
    let (problem, locked_out) = match body(&page.connector.provider, &form, &shown) {
        Err(problem) => (problem, None),
        Ok(body) => match caller.change(Method::PATCH, &LockedOut::refusing(&path_of(&id), &form), body).await {
            Ok(()) => return Ok(done(&page_of(&id), "saved")),
            Err(failure) => LockedOut::split(&failure.about_input()?),
        },
    };
    show_as(&caller, StatusCode::UNPROCESSABLE_ENTITY, &ConnectorPage { form, problem, locked_out, ..page })
}

async fn deletion(caller: &Caller, id: &str) -> Result<Deletion, Failure> {
    let connector: Connector = caller.get(&path_of(id)).await?;
    Ok(Deletion {
        section: Section::Connectors,
        kind: "enterprise connector",
        page: connector.page(),
        name: connector.name,
        consequences: vec![
            "Nobody signs in at this provider any more; the accounts that users have there are forgotten.".to_owned(),
            "The users stay, and sign in by what else they have.".to_owned(),
        ],
        operation: path_of(id),
        then: PAGE.to_owned(),
    })
}

pub(super) async fn ask_to_delete(caller: Caller, Path(id): Path<String>) -> Result<Response, Failure> {
    deletion(&caller, &id).await?.ask(&caller)
}

pub(super) async fn delete(Path(id): Path<String>, Posted { caller, form }: Posted) -> Result<Response, Failure> {
    deletion(&caller, &id).await?.carry_out_unless_locking(&caller, &form).await
}
