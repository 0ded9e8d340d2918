//! Deleting: a page that says what goes with it and asks for the name, and the form that comes back.

use crate::answer::{done, show_as};
use crate::caller::Caller;
use crate::failure::Failure;
use crate::form::Form;
use crate::frame::Frame;
use crate::section::Section;
use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;

/// What is to be deleted.
pub(crate) struct Deletion {
    pub(crate) section: Section,
    /// What it is: "user".
    pub(crate) kind: &'static str,
    /// What has to be typed.
    pub(crate) name: String,
    /// The page of it, where nothing has changed.
    pub(crate) page: String,
    /// What goes with it, a sentence each.
    pub(crate) consequences: Vec<String>,
    /// The path of the operation.
    pub(crate) operation: String,
    /// The page that follows.
    pub(crate) then: String,
}

#[derive(Template)]
#[template(path = "deletion.html")]
struct DeletionPage<'a> {
    frame: Frame,
    deletion: &'a Deletion,
    alert: String,
}

impl Deletion {
    /// Asks.
    pub(crate) fn ask(&self, caller: &Caller) -> Result<Response, Failure> {
        self.show(caller, StatusCode::OK, String::new())
    }

    /// Deletes it if its name was typed.
    pub(crate) async fn carry_out(&self, caller: &Caller, form: &Form) -> Result<Response, Failure> {
        if form.text("name") != self.name.trim() {
            let alert = format!("Nothing was deleted: this is not the name of the {}.", self.kind);
            return self.show(caller, StatusCode::UNPROCESSABLE_ENTITY, alert);
        }
        match caller.delete(&self.operation).await {
            Ok(()) => Ok(done(&self.then, "deleted")),
            Err(failure) => {
                let refusal = failure.about_input()?;
                self.show(caller, StatusCode::UNPROCESSABLE_ENTITY, refusal.text())
            }
        }
    }

    fn show(&self, caller: &Caller, status: StatusCode, alert: String) -> Result<Response, Failure> {
        let frame = Frame::new(caller, self.section);
        show_as(caller, status, &DeletionPage { frame, deletion: self, alert })
    }
}
