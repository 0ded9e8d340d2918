//! `/assets/…`: the files of the pages, the style sheet of the operator's colours, and the one that the operator wrote.

use super::assets::{self, File};
use super::brand::Brand;
use super::{experience, failure::PageError};
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use claimsmith_domain::id::{ApplicationId, OrganizationId};
use claimsmith_services::app::App;
use serde::Deserialize;

/// Whose style sheet it is.
#[derive(Deserialize)]
pub(super) struct StyleSheetOwner {
    application: Option<ApplicationId>,
    organization: Option<OrganizationId>,
}

/// Answers a file.
pub(super) async fn show_asset(
    State(app): State<App>,
    Path(name): Path<String>,
    Query(owner): Query<StyleSheetOwner>,
) -> Result<Response, PageError> {
    let parts: Vec<&str> = name.split('.').collect();
    let [stem, _, extension] = parts[..] else { return Ok(StatusCode::NOT_FOUND.into_response()) };
    if let Some(file) = File::find(stem, extension) {
        return Ok(file.answer(&name));
    }
    let css = match (stem, extension) {
        ("custom", "css") => {
            let mut tx = app.db.read().await?;
            let found = experience::find(&mut tx, owner.application.as_ref(), owner.organization.as_ref()).await?;
            found.settings.custom_css.map(String::from).unwrap_or_default()
        }
        (_, "css") => match stem.strip_prefix("brand-").and_then(Brand::parse) {
            Some(brand) => brand.style_sheet(),
            None => return Ok(StatusCode::NOT_FOUND.into_response()),
        },
        _ => return Ok(StatusCode::NOT_FOUND.into_response()),
    };
    let is_current = assets::name(stem, css.as_bytes(), "css") == name;
    Ok(assets::answer(css, assets::CSS, is_current))
}
