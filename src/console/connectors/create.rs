//! Creates a connector from a factory. The page shows the redirect URI, which is known before the connector exists.

use super::model::{self, FactoryFacts, page_of};
use super::new_id;
use super::setup::mail::{self, MailService};
use super::setup::{Guide, RedirectUris};
use super::sign_in_page::SignInPage;
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
use claimsmith_domain::documents::connector::ConnectorType;
use serde_json::{Value, json};

#[derive(Template)]
#[template(path = "connectors/new.html")]
struct NewPage {
    frame: Frame,
    fields: Vec<Field>,
    factory: FactoryView,
    /// The redirect URIs of a social connector.
    uris: Option<RedirectUris>,
    guide: Option<&'static Guide>,
    /// The mail services with presets.
    services: &'static [MailService],
    /// The chosen one.
    service: Option<&'static MailService>,
    /// The connector in whose way a new one would be.
    other: Option<ConnectorView>,
    form: Form,
    problem: String,
}

impl NewPage {
    /// Whether a connector of this kind exists already, and there cannot be another one.
    fn is_taken(&self) -> bool {
        self.other.is_some() && self.factory.kind == ConnectorType::Social
    }

    fn is_chosen(&self, service: &MailService) -> bool {
        self.service.is_some_and(|chosen| chosen.id == service.id)
    }
}

fn page(caller: &Caller, factory: FactoryView, connectors: Vec<ConnectorView>, form: Form, problem: String) -> NewPage {
    let frame = Frame::new(caller, Section::Connectors);
    let service = MailService::find(form.text("preset")).filter(|_| factory.id == "smtp");
    let other = connectors.into_iter().find(|other| match factory.kind {
        ConnectorType::Social => !factory.about.is_standard && other.connector_id == factory.id,
        kind => other.kind == kind,
    });
    NewPage {
        frame,
        fields: factory.fields(),
        uris: (factory.kind == ConnectorType::Social).then(|| RedirectUris::of_social(caller, form.text("id"))),
        guide: service.map(|service| &service.guide).or_else(|| Guide::of_social(&factory.id)),
        services: if factory.id == "smtp" { mail::ALL } else { &[] },
        service,
        other,
        factory,
        form,
        problem,
    }
}

/// The form to begin with: the id, what a preset fills in, and the button on the sign-in page.
fn first_form(caller: &Caller, factory: &FactoryView, connectors: &[ConnectorView]) -> Result<Form, Failure> {
    let mut fields = Vec::new();
    if factory.kind == ConnectorType::Social {
        // Those of which there is one have an id that people can read.
        let is_free = !factory.about.is_standard && connectors.iter().all(|other| *other.id != *factory.id);
        let id = match new_id::asked(caller) {
            Some(id) => id,
            None if is_free => factory.id.clone(),
            None => new_id::random(caller)?,
        };
        fields.extend([("id".to_owned(), id), ("shown".to_owned(), "true".to_owned())]);
    }
    if let Some(service) = caller.query("preset").and_then(MailService::find) {
        fields.push(("preset".to_owned(), service.id.to_owned()));
        fields.extend(service.fields.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
    }
    Ok(Form::of(fields))
}

/// The request body. A standard connector takes its name and its target from the form.
fn body_of(factory: &FactoryView, form: &Form) -> Result<Value, String> {
    let config = factory.config(form, &Value::Null)?;
    let mut body = json!({ "connectorId": factory.id, "config": config });
    if let Some(id) = form.filled("id").filter(|_| factory.kind == ConnectorType::Social) {
        body["id"] = id.into();
    }
    if factory.about.is_standard {
        body["metadata"] = json!({ "target": form.text("target"), "name": { "en": form.text("name") } });
    }
    Ok(body)
}

pub(super) async fn ask(caller: Caller, Path(id): Path<String>) -> Result<Response, Failure> {
    let factory = model::read_factory(&caller, &id).await?;
    let connectors = model::all(&caller).await?;
    let form = first_form(&caller, &factory, &connectors)?;
    show(&caller, &page(&caller, factory, connectors, form, String::new()))
}

pub(super) async fn submit(Path(id): Path<String>, Posted { caller, form }: Posted) -> Result<Response, Failure> {
    let factory = model::read_factory(&caller, &id).await?;
    let problem = match body_of(&factory, &form) {
        Err(problem) => problem,
        Ok(body) => match caller.write::<ConnectorView>(Method::POST, "/api/connectors", body).await {
            Ok(connector) => return finish(&caller, &connector, &form).await,
            Err(failure) => failure.about_input()?.text(),
        },
    };
    let connectors = model::all(&caller).await?;
    show_as(&caller, StatusCode::UNPROCESSABLE_ENTITY, &page(&caller, factory, connectors, form, problem))
}

/// Shows the new connector on the sign-in page, if that is wanted. Where this fails, its own page says so.
async fn finish(caller: &Caller, connector: &ConnectorView, form: &Form) -> Result<Response, Failure> {
    let is_wanted = connector.kind == ConnectorType::Social && form.is_ticked("shown");
    let added = if is_wanted { add(caller, &connector.target).await } else { Ok(()) };
    Ok(done(&page_of(&connector.id), if added.is_ok() { "created" } else { "created-hidden" }))
}

async fn add(caller: &Caller, target: &str) -> Result<(), Failure> {
    SignInPage::read(caller).await?.append(caller, target).await
}
