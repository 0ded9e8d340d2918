//! `/console/organizations/{id}`: name, sign-in branding and custom data of an organization.

use super::organization::{PageHead, SETTINGS, operation, page};
use crate::answer::{done, show_as};
use crate::caller::Caller;
use crate::failure::Failure;
use crate::form::Form;
use crate::frame::Frame;
use crate::json;
use crate::posted::Posted;
use crate::section::Section;
use askama::Template;
use axum::extract::Path;
use axum::http::{Method, StatusCode};
use axum::response::Response;
use serde_json::{Map, Value, json};

/// The images of an organization: API names and labels.
const PICTURES: &[(&str, &str)] =
    &[("logoUrl", "Logo"), ("darkLogoUrl", "Logo on dark"), ("favicon", "Icon"), ("darkFavicon", "Icon on dark")];

/// The colours of an organization: API names and labels.
const COLORS: &[(&str, &str)] = &[("primaryColor", "Colour"), ("darkPrimaryColor", "Colour on dark")];

#[derive(Template)]
#[template(path = "organizations/settings.html")]
pub(super) struct SettingsPage {
    pub(super) frame: Frame,
    pub(super) head: PageHead,
    pub(super) fields: Form,
    pub(super) custom_data: String,
    /// The validation error of the custom data.
    pub(super) custom_data_alert: String,
}

impl SettingsPage {
    /// The page with the stored values.
    pub(super) fn new(caller: &Caller, head: PageHead) -> Self {
        let fields = fields(&head);
        let custom_data = json::pretty(&head.organization.custom_data);
        let frame = Frame::new(caller, Section::Organizations);
        Self { frame, head, fields, custom_data, custom_data_alert: String::new() }
    }

    /// Whether it has branding of its own.
    fn has_look(&self) -> bool {
        let names = PICTURES.iter().chain(COLORS).map(|(name, _)| *name).chain(["customCss"]);
        names.into_iter().any(|name| !self.fields.text(name).is_empty())
    }
}

pub(super) async fn show_settings(caller: Caller, Path(id): Path<String>) -> Result<Response, Failure> {
    let head = PageHead::load(&caller, &id, SETTINGS).await?;
    show_as(&caller, StatusCode::OK, &SettingsPage::new(&caller, head))
}

pub(super) async fn save_settings(
    Path(id): Path<String>,
    Posted { caller, form }: Posted,
) -> Result<Response, Failure> {
    let head = PageHead::load(&caller, &id, SETTINGS).await?;
    // Null removes a value; branding members that the form does not have are left unchanged.
    let look = |names: &[(&str, &str)]| -> Map<String, Value> {
        names.iter().map(|(name, _)| ((*name).to_owned(), form.filled(name).into())).collect()
    };
    let body = json!({
        "name": form.text("name"),
        "description": form.filled("description"),
        "isMfaRequired": form.is_ticked("isMfaRequired"),
        "branding": look(PICTURES),
        "color": look(COLORS),
        "customCss": form.filled("customCss"),
    });
    match caller.change(Method::PATCH, &operation(&id, ""), body).await {
        Ok(()) => Ok(done(&page(&id, ""), "saved")),
        Err(failure) => {
            let refusal = failure.about_input()?;
            let mut shown = SettingsPage::new(&caller, head.with_alert(refusal.text()));
            shown.fields = form;
            show_as(&caller, StatusCode::UNPROCESSABLE_ENTITY, &shown)
        }
    }
}

/// Fills the form with the stored values.
fn fields(head: &PageHead) -> Form {
    let organization = &head.organization;
    let mut fields = vec![
        ("name".to_owned(), organization.name.clone()),
        ("description".to_owned(), organization.description.clone().unwrap_or_default()),
        ("customCss".to_owned(), organization.custom_css.clone().unwrap_or_default()),
    ];
    fields.extend(organization.is_mfa_required.then(|| ("isMfaRequired".to_owned(), "true".to_owned())));
    for (names, known) in [(PICTURES, json!(organization.branding)), (COLORS, json!(organization.color))] {
        let text = |name: &str| known.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
        fields.extend(names.iter().map(|(name, _)| ((*name).to_owned(), text(name))));
    }
    Form::of(fields)
}
