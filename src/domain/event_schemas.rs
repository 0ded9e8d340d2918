//! How events are described in the OpenAPI document: by their names.

use crate::event::EventType;
use crate::event_pattern::EventPattern;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

impl PartialSchema for EventType {
    fn schema() -> RefOr<Schema> {
        one_of("What can happen", Self::ALL.iter().map(|event| event.as_str()))
    }
}

impl ToSchema for EventType {}

impl PartialSchema for EventPattern {
    fn schema() -> RefOr<Schema> {
        one_of("An event, a family of events, or all of them", Self::all().map(String::from))
    }
}

impl ToSchema for EventPattern {}

fn one_of<N: Into<serde_json::Value>>(description: &str, names: impl Iterator<Item = N>) -> RefOr<Schema> {
    let names = names.map(Into::into);
    ObjectBuilder::new().schema_type(Type::String).description(Some(description)).enum_values(Some(names)).into()
}
