//! The custom data of a user: JSON that is validated before it is sent.

use super::profile::ProfilePage;
use super::user::{PROFILE, PageHead, operation, page};
use crate::answer::show_as;
use crate::custom_data;
use crate::failure::Failure;
use crate::posted::Posted;
use axum::extract::Path;
use axum::http::StatusCode;
use axum::response::Response;

pub(super) async fn save_custom_data(
    Path(id): Path<String>,
    Posted { caller, form }: Posted,
) -> Result<Response, Failure> {
    let next = format!("{}#custom-data", page(&id, ""));
    let alert = match custom_data::save(&caller, &form, &operation(&id, ""), &next).await? {
        Ok(answer) => return Ok(answer),
        Err(problem) => problem,
    };
    let mut shown = ProfilePage::new(&caller, PageHead::load(&caller, &id, PROFILE).await?);
    form.raw("customData").clone_into(&mut shown.custom_data);
    shown.custom_data_alert = alert;
    show_as(&caller, StatusCode::UNPROCESSABLE_ENTITY, &shown)
}
