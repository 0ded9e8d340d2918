//! The look of the sign-in pages for one application.

use super::model::{ApplicationFacts, TypeFacts, path_of, read};
use crate::answer::{done, show, show_as};
use crate::caller::Caller;
use crate::failure::Failure;
use crate::form::Form;
use crate::frame::Frame;
use crate::json::{self, FormBuilder};
use crate::posted::Posted;
use crate::section::Section;
use askama::Template;
use axum::extract::Path;
use axum::http::{Method, StatusCode};
use axum::response::Response;
use claimsmith_api::applications::{ApplicationDetails, ApplicationSignInExperienceView};
use serde_json::{Map, Value, json};

const IMAGES: [&str; 4] = ["logoUrl", "darkLogoUrl", "favicon", "darkFavicon"];
const COLOURS: [&str; 2] = ["primaryColor", "darkPrimaryColor"];
const TEXTS: [&str; 4] = ["displayName", "termsOfUseUrl", "privacyPolicyUrl", "customCss"];

#[derive(Template)]
#[template(path = "applications/branding.html")]
struct BrandingPage {
    frame: Frame,
    app: ApplicationDetails,
    form: Form,
    problem: String,
}

pub(super) async fn show_branding(caller: Caller, Path(id): Path<String>) -> Result<Response, Failure> {
    let app = read(&caller, &id).await?;
    let settings: Option<ApplicationSignInExperienceView> =
        caller.get_if_allowed(&format!("{}/sign-in-experience", path_of(&id))).await?;
    let form = form_of(&json!(settings));
    let frame = Frame::new(&caller, Section::Applications);
    show(&caller, &BrandingPage { frame, app, form, problem: String::new() })
}

pub(super) async fn save(Path(id): Path<String>, Posted { caller, form }: Posted) -> Result<Response, Failure> {
    let app = read(&caller, &id).await?;
    match caller.change(Method::PUT, &format!("{}/sign-in-experience", path_of(&id)), body_of(&form)).await {
        Ok(()) => Ok(done(&format!("{}/branding", app.application.page()), "saved")),
        Err(failure) => {
            let problem = failure.about_input()?.text();
            let frame = Frame::new(&caller, Section::Applications);
            show_as(&caller, StatusCode::UNPROCESSABLE_ENTITY, &BrandingPage { frame, app, form, problem })
        }
    }
}

fn form_of(settings: &Value) -> Form {
    let mut filled = FormBuilder::default().tick("isDarkModeEnabled", settings["color"]["isDarkModeEnabled"] == true);
    for name in IMAGES {
        filled = filled.value(name, &settings["branding"][name]);
    }
    for name in COLOURS {
        filled = filled.value(name, &settings["color"][name]);
    }
    for name in TEXTS {
        filled = filled.value(name, &settings[name]);
    }
    filled.form()
}

fn body_of(form: &Form) -> Value {
    let texts = |names: &[&str]| -> Map<String, Value> {
        names.iter().map(|name| ((*name).to_owned(), json::text(form, name))).collect()
    };
    let (branding, mut color) = (texts(&IMAGES), texts(&COLOURS));
    let is_dark = if form.is_ticked("isDarkModeEnabled") { true.into() } else { Value::Null };
    color.insert("isDarkModeEnabled".to_owned(), is_dark);
    json!({
        "branding": branding,
        "color": color,
        "displayName": json::text(form, "displayName"),
        "termsOfUseUrl": json::text(form, "termsOfUseUrl"),
        "privacyPolicyUrl": json::text(form, "privacyPolicyUrl"),
        "customCss": json::text(form, "customCss"),
    })
}
