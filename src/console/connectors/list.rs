//! The list of connectors, and the gallery of available factories.

use super::model::FactoryFacts;
use crate::answer::show;
use crate::caller::{Caller, segment};
use crate::failure::Failure;
use crate::frame::Frame;
use crate::section::Section;
use askama::Template;
use axum::response::Response;
use claimsmith_api::connectors::{ConnectorView, FactoryView};

#[derive(Template)]
#[template(path = "connectors/list.html")]
struct ListPage {
    frame: Frame,
    connectors: Vec<ConnectorView>,
    factories: Vec<FactoryView>,
}

impl ListPage {
    fn title_of<'p>(&'p self, connector: &'p ConnectorView) -> &'p str {
        let factory = self.factories.iter().find(|factory| factory.id == connector.connector_id);
        factory.map_or(connector.connector_id.as_str(), FactoryFacts::title)
    }

    fn new_page(factory: &FactoryView) -> String {
        format!("/console/connectors/new/{}", segment(&factory.id))
    }
}

pub(super) async fn show_list(caller: Caller) -> Result<Response, Failure> {
    let connectors = caller.get("/api/connectors").await?;
    let factories = caller.get("/api/connector-factories").await?;
    let frame = Frame::new(&caller, Section::Connectors);
    show(&caller, &ListPage { frame, connectors, factories })
}
