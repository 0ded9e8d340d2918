//! The texts of a language: the effective ones, and the custom ones that override built-in texts.

use super::languages::{is_built_in, page_of, path_of, texts};
use crate::answer::{done, show, show_as};
use crate::caller::{Caller, segment};
use crate::deletion::Deletion;
use crate::failure::Failure;
use crate::form::Form;
use crate::frame::Frame;
use crate::json::{parse_object, pretty};
use crate::posted::Posted;
use crate::section::Section;
use askama::Template;
use axum::extract::Path;
use axum::http::{Method, StatusCode};
use axum::response::Response;
use claimsmith_api::custom_phrases::CustomPhrasesView;
use serde::Deserialize;
use serde_json::Value;

/// The path of the languages tab.
const LANGUAGES: &str = "/console/sign-in-experience/languages";

/// The effective texts of a language.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Phrases {
    language_tag: String,
    translation: Value,
}

#[derive(Template)]
#[template(path = "sign_in_experience/phrases.html")]
struct PhrasesPage {
    frame: Frame,
    language: String,
    /// The custom texts.
    own: Option<CustomPhrasesView>,
    /// The effective texts, which visitors see.
    seen: Phrases,
    form: Form,
    problem: String,
}

impl PhrasesPage {
    async fn read(caller: &Caller, language: String) -> Result<Self, Failure> {
        let own: Option<CustomPhrasesView> = caller.get_if_allowed(&path_of(&language)).await?;
        let seen = caller.get(&format!("/api/.well-known/phrases?lng={}", segment(&language))).await?;
        let text = own.as_ref().map(|own| pretty(&own.translation)).unwrap_or_default();
        let form = Form::of(vec![("translation".to_owned(), text)]);
        let frame = Frame::new(caller, Section::SignInExperience);
        Ok(Self { frame, language, own, seen, form, problem: String::new() })
    }

    fn page(&self) -> String {
        page_of(&self.language)
    }

    fn path(&self) -> String {
        path_of(&self.language)
    }

    /// Each effective text: dotted name, text, and whether it is custom.
    fn texts(&self) -> Vec<(String, &str, bool)> {
        let own = self.own.as_ref().map(|own| texts(&own.translation)).unwrap_or_default();
        let is_own = |name: &str| own.iter().any(|(known, _)| known == name);
        let seen = texts(&self.seen.translation).into_iter();
        seen.map(|(name, text)| (name.clone(), text, is_own(&name))).collect()
    }
}

pub(super) async fn show_language(caller: Caller, Path(language): Path<String>) -> Result<Response, Failure> {
    show(&caller, &PhrasesPage::read(&caller, language).await?)
}

pub(super) async fn save(Path(language): Path<String>, Posted { caller, form }: Posted) -> Result<Response, Failure> {
    let problem = match parse_object(form.raw("translation")) {
        Err(problem) => form.refuse("translation", problem),
        Ok(texts) => match caller.change(Method::PUT, &path_of(&language), texts).await {
            Ok(()) => return Ok(done(&page_of(&language), "saved")),
            Err(failure) => failure.about_input()?.text(),
        },
    };
    let page = PhrasesPage::read(&caller, language).await?;
    show_as(&caller, StatusCode::UNPROCESSABLE_ENTITY, &PhrasesPage { form, problem, ..page })
}

async fn deletion(caller: &Caller, language: &str) -> Result<Deletion, Failure> {
    let own: CustomPhrasesView = caller.get(&path_of(language)).await?;
    let instead = if is_built_in(language) {
        "The built-in texts stand in their place again."
    } else {
        "The language is no longer offered: people see its general form, such as de for de-AT, or the fallback."
    };
    Ok(Deletion {
        section: Section::SignInExperience,
        kind: "custom phrases",
        name: own.language_tag,
        page: page_of(language),
        consequences: vec![instead.to_owned()],
        operation: path_of(language),
        then: LANGUAGES.to_owned(),
    })
}

pub(super) async fn ask_to_delete(caller: Caller, Path(language): Path<String>) -> Result<Response, Failure> {
    deletion(&caller, &language).await?.ask(&caller)
}

pub(super) async fn delete(Path(language): Path<String>, Posted { caller, form }: Posted) -> Result<Response, Failure> {
    deletion(&caller, &language).await?.carry_out(&caller, &form).await
}
