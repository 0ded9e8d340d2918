//! Forms with fields: the error of one, and which field has the focus.

use axum::http::StatusCode;
use std::borrow::Cow;

/// Why an input is not accepted.
#[derive(Clone, Debug)]
pub struct FieldError<'a> {
    /// The name of the field; an unknown one means the whole form.
    pub field: &'a str,
    /// The reason, in the language of the page.
    pub message: Cow<'a, str>,
}

impl<'a> FieldError<'a> {
    /// The error of a field.
    pub fn at(field: &'a str, message: impl Into<Cow<'a, str>>) -> Self {
        Self { field, message: message.into() }
    }

    /// The error of a whole form.
    pub fn of_form(message: impl Into<Cow<'a, str>>) -> Self {
        Self::at("", message)
    }
}

/// A page with a form.
pub(super) trait FormPage {
    /// Its fields, in their order, with whether they have to be filled in.
    fn fields(&self) -> Vec<(&'static str, bool)>;

    /// What is wrong.
    fn error(&self) -> Option<&FieldError<'_>>;

    /// What is wrong with a field; empty when nothing is.
    fn message(&self, field: &str) -> &str {
        self.error().filter(|error| error.field == field).map_or("", |error| &error.message)
    }

    /// What is wrong with the form as a whole; empty when nothing is.
    fn alert(&self) -> &str {
        let is_field = |name: &str| self.fields().iter().any(|(field, _)| *field == name);
        self.error().filter(|error| !is_field(error.field)).map_or("", |error| &error.message)
    }

    /// Whether a field has the focus: the one with the error, or else the first that is to be filled in.
    fn has_focus(&self, field: &str) -> bool {
        let fields = self.fields();
        let wrong = self.error().map(|error| error.field).filter(|name| fields.iter().any(|(field, _)| field == name));
        let empty = || fields.iter().find(|(_, is_empty)| *is_empty).or(fields.last()).map(|(name, _)| *name);
        wrong.or_else(empty) == Some(field)
    }

    /// The ids of the elements that describe a field.
    fn described(&self, field: &str, has_hint: bool) -> String {
        let mut ids = Vec::new();
        if !self.message(field).is_empty() {
            ids.push(format!("{field}-error"));
        } else if !self.alert().is_empty() && self.has_focus(field) {
            // Screen readers begin at the field with the focus, and would not read what is above it.
            ids.push("form-error".to_owned());
        }
        if has_hint {
            ids.push(format!("{field}-hint"));
        }
        ids.join(" ")
    }

    /// 422 for a refused form, otherwise 200.
    fn status(&self) -> StatusCode {
        if self.error().is_some() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK }
    }
}
