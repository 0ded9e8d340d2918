//! `GET /api/connector-factories` and `GET /api/connector-factories/{id}`.

use crate::refusals::AccessRefused;
use axum::Json;
use claimsmith_api::connectors::{AboutFactory, FactoryView, FormItem};
use claimsmith_domain::connector::{Factory, factories, factory};
use claimsmith_domain::documents::connector::FormItem as Item;
use claimsmith_domain::management::ConfigsRead;
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::ids::Id;
use claimsmith_web::extract::management::Management;
use serde_json::{Map, Value, json};

fn view(factory: &Factory) -> FactoryView {
    FactoryView {
        id: factory.id.to_owned(),
        kind: factory.kind,
        target: factory.target.to_owned(),
        about: about(factory, &Value::Null),
    }
}

/// What is said about a factory. Values in the operator's `metadata` replace those of the factory.
pub(super) fn about(factory: &Factory, metadata: &Value) -> AboutFactory {
    let text = |name: &str| metadata.get(name).and_then(Value::as_str).map(str::to_owned);
    let mut name = Map::from_iter([("en".to_owned(), Value::from(factory.name))]);
    if let Some(Value::Object(own)) = metadata.get("name") {
        name.extend(own.clone());
    }
    let item = |item: &Item| FormItem {
        key: item.key.to_owned(),
        kind: item.kind,
        label: item.label.to_owned(),
        required: item.required,
        is_confidential: item.is_confidential,
    };
    AboutFactory {
        name: Value::Object(name),
        description: json!({ "en": factory.description }),
        logo: text("logo").unwrap_or_else(|| factory.logo.to_owned()),
        logo_dark: text("logoDark"),
        readme: String::new(),
        config_template: factory.config_template.to_owned(),
        form_items: factory.form_items.iter().map(item).collect(),
        platform: factory.platform,
        is_standard: factory.is_standard,
        is_token_storage_supported: factory.is_token_storage_supported,
    }
}

/// Lists what connectors can be made of.
#[utoipa::path(
    get, path = "/api/connector-factories", tag = "Connectors",
    responses(
        (status = 200, description = "The factories", body = Vec<FactoryView>),
        AccessRefused,
    ),
)]
pub(super) async fn list_connector_factories(_: Management<ConfigsRead>) -> Json<Vec<FactoryView>> {
    Json(factories().map(view).collect())
}

/// Shows what connectors can be made of.
#[utoipa::path(
    get, path = "/api/connector-factories/{id}", tag = "Connectors",
    params(("id" = String, Path, description = "The factory, such as `smtp`")),
    responses(
        (status = 200, description = "The factory", body = FactoryView),
        AccessRefused,
        (status = 404, description = "No such factory", body = ApiErrorBody),
    ),
)]
pub(super) async fn show_connector_factory(
    _: Management<ConfigsRead>,
    Id(id): Id,
) -> Result<Json<FactoryView>, ApiError> {
    let found = factory(&id).ok_or_else(|| ApiError::not_found("connector factory", &id))?;
    Ok(Json(view(found)))
}
