//! The page of a connector.

use super::model::{self, FactoryFacts, page_of, path_of};
use super::outage;
use super::setup::mail::MailService;
use super::setup::{Guide, RedirectUris};
use super::sign_in_page::SignInPage;
use crate::answer::{done, show, show_as};
use crate::caller::{Caller, segment};
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
use claimsmith_api::connectors::{ConnectorView, FactoryView};
use claimsmith_api::dashboard::ProviderOutageView;
use claimsmith_domain::documents::connector::ConnectorType;
use serde_json::json;

#[derive(Template)]
#[template(path = "connectors/connector.html")]
struct ConnectorPage {
    frame: Frame,
    connector: ConnectorView,
    factory: FactoryView,
    fields: Vec<Field>,
    /// The redirect URIs of a social connector.
    uris: Option<RedirectUris>,
    guide: Option<&'static Guide>,
    /// Which social connectors the sign-in page shows, for a social connector.
    sign_in_page: Option<SignInPage>,
    form: Form,
    problem: String,
    outage: Option<ProviderOutageView>,
    /// The users who need the connector at its place on the sign-in page.
    locked_out: Option<LockedOut>,
}

impl ConnectorPage {
    async fn read(caller: &Caller, id: &str) -> Result<Self, Failure> {
        let connector = model::read(caller, id).await?;
        let factory = model::read_factory(caller, &connector.connector_id).await?;
        let fields: Vec<_> = factory.fields().into_iter().map(Field::kept).collect();
        let form = form_of(&fields, &connector.config);
        let is_social = connector.kind == ConnectorType::Social;
        let uris = is_social.then(|| RedirectUris::of_social(caller, &connector.id));
        let service = MailService::of(&connector.config).filter(|_| factory.id == "smtp");
        let guide = service.map(|service| &service.guide).or_else(|| Guide::of_social(&factory.id));
        let sign_in_page = if is_social { Some(SignInPage::read(caller).await?) } else { None };
        let frame = Frame::new(caller, Section::Connectors);
        let outage = if is_social { outage::read(caller, &connector.id).await } else { None };
        let (problem, locked_out) = (String::new(), None);
        Ok(Self { frame, connector, factory, fields, uris, guide, sign_in_page, form, problem, outage, locked_out })
    }

    /// Whether the switch of the sign-in page is on. It stays off when hiding the connector was refused.
    fn is_shown(&self) -> bool {
        let shows = |page: &SignInPage| page.shows(&self.connector.target);
        self.locked_out.is_none() && self.sign_in_page.as_ref().is_some_and(shows)
    }
}

pub(super) async fn show_connector(caller: Caller, Path(id): Path<String>) -> Result<Response, Failure> {
    show(&caller, &ConnectorPage::read(&caller, &id).await?)
}

pub(super) async fn save(Path(id): Path<String>, Posted { caller, form }: Posted) -> Result<Response, Failure> {
    let page = ConnectorPage::read(&caller, &id).await?;
    let problem = match page.factory.config(&form, &page.connector.config) {
        Err(problem) => problem,
        Ok(config) => match caller.change(Method::PATCH, &path_of(&id), json!({ "config": config })).await {
            Ok(()) => return Ok(done(&page_of(&id), "saved")),
            Err(failure) => failure.about_input()?.text(),
        },
    };
    show_as(&caller, StatusCode::UNPROCESSABLE_ENTITY, &ConnectorPage { form, problem, ..page })
}

/// Shows the connector on the sign-in page, moves it there, or hides it.
pub(super) async fn save_place(Path(id): Path<String>, Posted { caller, form }: Posted) -> Result<Response, Failure> {
    let page = ConnectorPage::read(&caller, &id).await?;
    let Some(shown) = &page.sign_in_page else { return Err(Failure::missing(&caller)) };
    match shown.change(&caller, &page.connector.target, &form).await {
        Ok(()) => Ok(done(&page_of(&id), "saved")),
        Err(failure) => {
            let (problem, locked_out) = LockedOut::split(&failure.about_input()?);
            show_as(&caller, StatusCode::UNPROCESSABLE_ENTITY, &ConnectorPage { problem, locked_out, ..page })
        }
    }
}

/// Sends a test message with the saved configuration.
pub(super) async fn test(Path(id): Path<String>, Posted { caller, form }: Posted) -> Result<Response, Failure> {
    let page = ConnectorPage::read(&caller, &id).await?;
    let member = if page.factory.kind == ConnectorType::Sms { "phone" } else { "email" };
    let body = json!({ member: form.text("to"), "config": page.connector.config });
    let path = format!("/api/connectors/{}/test", segment(&page.factory.id));
    match caller.change(Method::POST, &path, body).await {
        Ok(()) => Ok(done(&page_of(&id), "sent")),
        Err(failure) => {
            let problem = failure.about_input()?.text();
            let fields = page.form.fields().iter().cloned().chain([("to".to_owned(), form.text("to").to_owned())]);
            let form = Form::of(fields.collect());
            show_as(&caller, StatusCode::UNPROCESSABLE_ENTITY, &ConnectorPage { form, problem, ..page })
        }
    }
}

fn deletion(connector: &ConnectorView) -> Deletion {
    Deletion {
        section: Section::Connectors,
        kind: "connector",
        name: connector.target.clone(),
        page: page_of(&connector.id),
        consequences: vec!["Nothing is sent, and nobody signs in, by this connector any more.".to_owned()],
        operation: path_of(&connector.id),
        then: "/console/connectors".to_owned(),
    }
}

pub(super) async fn ask_to_delete(caller: Caller, Path(id): Path<String>) -> Result<Response, Failure> {
    deletion(&model::read(&caller, &id).await?).ask(&caller)
}

pub(super) async fn delete(Path(id): Path<String>, Posted { caller, form }: Posted) -> Result<Response, Failure> {
    deletion(&model::read(&caller, &id).await?).carry_out_unless_locking(&caller, &form).await
}
