//! The fields of a submitted form, and what is wrong with them. Names may repeat; most screens read only the first
//! value.

use crate::refusal::ApiRefusal;
use std::sync::{Arc, Mutex, PoisonError};

/// The fields in the order in which they were sent.
#[derive(Clone, Default)]
pub(crate) struct Form {
    fields: Vec<(String, String)>,
    /// Problems by field. Shared by all copies, so that the page that shows the form again finds them.
    problems: Arc<Mutex<Vec<Problem>>>,
}

struct Problem {
    field: String,
    text: String,
    /// Whether the page has shown the text. Fields of a group share one name and one text.
    is_shown: bool,
}

impl Form {
    /// Creates a form from fields without the CSRF token.
    pub(crate) fn of(fields: Vec<(String, String)>) -> Self {
        Self { fields, problems: Arc::default() }
    }

    /// Records what is wrong with a field; returns the text, for the alert of the page. The first problem of a field
    /// counts.
    pub(crate) fn refuse(&self, name: &str, text: impl Into<String>) -> String {
        let text = text.into();
        let mut problems = self.problems.lock().unwrap_or_else(PoisonError::into_inner);
        if !problems.iter().any(|known| known.field == name) {
            problems.push(Problem { field: name.to_owned(), text: text.clone(), is_shown: false });
        }
        text
    }

    /// Records the problems of an error response at the fields that they concern.
    pub(crate) fn refuse_by(&self, refusal: &ApiRefusal) {
        if refusal.is_lockout() {
            // The page says whom it affects; no field is wrong.
            return;
        }
        let mut problems = refusal.problems_of_fields(|name| self.fields.iter().any(|(known, _)| known == name));
        let mut names = self.fields.iter().map(|(name, _)| name).filter(|name| *name != "etag");
        // The only field of a form is what the problem is about.
        if let (true, Some(only), None) = (problems.is_empty(), names.next(), names.next()) {
            problems.push((only.clone(), refusal.text()));
        }
        for (field, text) in problems {
            self.refuse(&field, text);
        }
    }

    /// Whether a problem of this field is known.
    pub(crate) fn is_wrong(&self, name: &str) -> bool {
        self.problems.lock().unwrap_or_else(PoisonError::into_inner).iter().any(|known| known.field == name)
    }

    /// The problem of a field, the first time that it is asked for; empty afterwards and without a problem.
    pub(crate) fn take_problem(&self, name: &str) -> String {
        let mut problems = self.problems.lock().unwrap_or_else(PoisonError::into_inner);
        match problems.iter_mut().find(|known| known.field == name && !known.is_shown) {
            Some(problem) => {
                problem.is_shown = true;
                problem.text.clone()
            }
            None => String::new(),
        }
    }

    /// The first value of a field, trimmed; empty if it was not sent.
    pub(crate) fn text(&self, name: &str) -> &str {
        self.raw(name).trim()
    }

    /// The first value of a field, untrimmed.
    pub(crate) fn raw(&self, name: &str) -> &str {
        self.fields.iter().find(|(known, _)| known == name).map_or("", |(_, value)| value)
    }

    /// The first value of a field; none if it is empty.
    pub(crate) fn filled(&self, name: &str) -> Option<&str> {
        Some(self.text(name)).filter(|value| !value.is_empty())
    }

    /// Whether a checkbox is ticked.
    pub(crate) fn is_ticked(&self, name: &str) -> bool {
        !self.text(name).is_empty()
    }

    /// All non-empty values of a field.
    pub(crate) fn all<'f>(&'f self, name: &'f str) -> impl Iterator<Item = &'f str> {
        let values = self.fields.iter().filter(move |(known, _)| known == name);
        values.map(|(_, value)| value.trim()).filter(|value| !value.is_empty())
    }

    /// The non-empty lines of a text area.
    pub(crate) fn lines(&self, name: &str) -> Vec<&str> {
        self.raw(name).lines().map(str::trim).filter(|line| !line.is_empty()).collect()
    }

    /// All fields in the order in which they were sent.
    pub(crate) fn fields(&self) -> &[(String, String)] {
        &self.fields
    }
}
