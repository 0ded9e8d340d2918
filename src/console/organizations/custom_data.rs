//! The custom data of an organization, as JSON that is checked before it is sent.

use super::organization::{Head, SETTINGS, operation, page};
use super::settings::SettingsPage;
use crate::custom_data;
use crate::failure::Failure;
use crate::form::Posted;
use crate::frame::{done, show_as};
use axum::extract::Path;
use axum::http::{Method, StatusCode};
use axum::response::Response;
use serde_json::json;

pub(super) async fn save_custom_data(
    Path(id): Path<String>,
    Posted { caller, form }: Posted,
) -> Result<Response, Failure> {
    let written = form.raw("customData");
    let alert = match custom_data::parse(written) {
        Ok(data) => match caller.change(Method::PATCH, &operation(&id, ""), json!({ "customData": data })).await {
            Ok(()) => return Ok(done(&format!("{}#custom-data", page(&id, "")), "saved")),
            Err(failure) => failure.about_input()?.text(),
        },
        Err(problem) => problem,
    };
    let mut shown = SettingsPage::new(&caller, Head::load(&caller, &id, SETTINGS).await?);
    written.clone_into(&mut shown.custom_data);
    shown.custom_data_alert = alert;
    show_as(&caller, StatusCode::UNPROCESSABLE_ENTITY, &shown)
}
