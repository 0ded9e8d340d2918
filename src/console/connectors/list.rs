//! The list of connectors, and the gallery of available factories.

use super::model::{self, FactoryFacts};
use super::new_id;
use super::setup::mail::{self, MailService};
use super::sign_in_page::SignInPage;
use crate::answer::show;
use crate::caller::{Caller, segment};
use crate::failure::Failure;
use crate::frame::Frame;
use crate::section::Section;
use askama::Template;
use axum::response::Response;
use claimsmith_api::connectors::{ConnectorView, FactoryView};
use claimsmith_domain::documents::connector::ConnectorType;

#[derive(Template)]
#[template(path = "connectors/list.html")]
struct ListPage {
    frame: Frame,
    connectors: Vec<ConnectorView>,
    factories: Vec<FactoryView>,
    sign_in_page: SignInPage,
    /// The id of a new connector, which its page is opened with.
    new_id: String,
}

impl ListPage {
    fn title_of<'p>(&'p self, connector: &'p ConnectorView) -> &'p str {
        let factory = self.factories.iter().find(|factory| factory.id == connector.connector_id);
        factory.map_or(connector.connector_id.as_str(), FactoryFacts::title)
    }

    /// Whether it is a social connector that the sign-in page does not show.
    fn is_hidden(&self, connector: &ConnectorView) -> bool {
        connector.kind == ConnectorType::Social && !self.sign_in_page.shows(&connector.target)
    }

    /// The connector of a factory of which there can be only one.
    fn only_one_of(&self, factory: &FactoryView) -> Option<&ConnectorView> {
        let is_single = factory.kind == ConnectorType::Social && !factory.about.is_standard;
        self.connectors.iter().find(|connector| is_single && connector.connector_id == factory.id)
    }

    /// The mail services that a factory has presets for.
    fn services(factory: &FactoryView) -> &'static [MailService] {
        if factory.id == "smtp" { mail::ALL } else { &[] }
    }

    /// The page that creates a connector. A standard one has its id from here, so that reloading keeps it.
    fn new_page(&self, factory: &FactoryView) -> String {
        let id = if factory.about.is_standard { format!("?id={}", self.new_id) } else { String::new() };
        format!("/console/connectors/new/{}{id}", segment(&factory.id))
    }
}

pub(super) async fn show_list(caller: Caller) -> Result<Response, Failure> {
    let connectors = model::all(&caller).await?;
    let factories = caller.get("/api/connector-factories").await?;
    let sign_in_page = SignInPage::read(&caller).await?;
    let new_id = new_id::random(&caller)?;
    let frame = Frame::new(&caller, Section::Connectors);
    show(&caller, &ListPage { frame, connectors, factories, sign_in_page, new_id })
}
