//! A tab of the sign-in experience settings.

use super::languages::{Language, page_of, path_of};
use super::tabs::{SETTINGS, Tab};
use crate::answer::{done, see_other, show, show_as};
use crate::caller::Caller;
use crate::failure::Failure;
use crate::fields::{Field, body_of, form_of};
use crate::form::Form;
use crate::frame::Frame;
use crate::json::change_members;
use crate::locked_out::LockedOut;
use crate::posted::Posted;
use crate::section::Section;
use askama::Template;
use axum::extract::Path;
use axum::http::{Method, StatusCode};
use axum::response::Response;
use serde_json::Value;

/// The first tab.
const FIRST: &str = "methods";
/// The languages tab.
const LANGUAGES: &str = "languages";

#[derive(Template)]
#[template(path = "sign_in_experience/page.html")]
struct SettingsPage {
    frame: Frame,
    tab: &'static Tab,
    fields: Vec<Field>,
    form: Form,
    problem: String,
    /// Languages with built-in or custom texts.
    languages: Vec<Language>,
    /// The submitted language to add.
    language: String,
    /// The users whom the submitted settings lock out.
    locked_out: Option<LockedOut>,
}

async fn read(caller: &Caller, name: &str) -> Result<(SettingsPage, Value), Failure> {
    let tab = Tab::find(name);
    if tab.name != name {
        return Err(Failure::missing(caller));
    }
    let current: Value = caller.get(tab.operation).await?;
    let languages = if name == LANGUAGES { Language::all(caller).await? } else { Vec::new() };
    let fields = tab.fields();
    let form = form_of(&fields, &current);
    let frame = Frame::new(caller, Section::SignInExperience);
    let (problem, language) = (String::new(), String::new());
    Ok((SettingsPage { frame, tab, fields, form, problem, languages, language, locked_out: None }, current))
}

pub(super) async fn show_first(caller: Caller) -> Result<Response, Failure> {
    show_tab(caller, Path(FIRST.to_owned())).await
}

pub(super) async fn save_first(posted: Posted) -> Result<Response, Failure> {
    save(Path(FIRST.to_owned()), posted).await
}

pub(super) async fn show_tab(caller: Caller, Path(name): Path<String>) -> Result<Response, Failure> {
    show(&caller, &read(&caller, &name).await?.0)
}

pub(super) async fn save(Path(name): Path<String>, Posted { caller, form }: Posted) -> Result<Response, Failure> {
    let (page, current) = read(&caller, &name).await?;
    // Unless the operator has accepted it, a change that locks users out is shown to them first.
    let operation = match page.tab.operation {
        SETTINGS => LockedOut::refusing(SETTINGS, &form),
        other => other.to_owned(),
    };
    let (problem, locked_out) = match body_of(&page.fields, &form, &current) {
        Err(problem) => (problem, None),
        Ok(body) => match caller.change(Method::PATCH, &operation, change_members(&current, &body)).await {
            Ok(()) => return Ok(done(&page.tab.page(), "saved")),
            Err(failure) => LockedOut::split(&failure.about_input()?),
        },
    };
    show_as(&caller, StatusCode::UNPROCESSABLE_ENTITY, &SettingsPage { form, problem, locked_out, ..page })
}

/// Redirects to the texts of a new language. The language exists once it has a custom text.
pub(super) async fn add_language(caller: Caller) -> Result<Response, Failure> {
    let Some(language) = caller.query("language") else { return Ok(see_other(&Tab::find(LANGUAGES).page())) };
    let problem = match caller.get::<Value>(&path_of(language)).await {
        Ok(_) => return Ok(see_other(&page_of(language))),
        Err(failure) if failure.is_missing() => return Ok(see_other(&page_of(language))),
        Err(failure) => failure.about_input()?.text(),
    };
    let (page, _) = read(&caller, LANGUAGES).await?;
    let page = SettingsPage { language: language.to_owned(), problem, ..page };
    show_as(&caller, StatusCode::UNPROCESSABLE_ENTITY, &page)
}
