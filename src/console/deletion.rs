//! Deletion: a confirmation page that lists the consequences and asks for the name, and its form.

use crate::answer::{done, show_as};
use crate::caller::Caller;
use crate::failure::Failure;
use crate::form::Form;
use crate::frame::Frame;
use crate::section::Section;
use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;

/// An object to be deleted.
pub(crate) struct Deletion {
    pub(crate) section: Section,
    /// The kind of object, such as "user".
    pub(crate) kind: &'static str,
    /// The name to type as confirmation.
    pub(crate) name: String,
    /// The path of the object's page, for cancelling.
    pub(crate) page: String,
    /// What is deleted with it, one sentence each.
    pub(crate) consequences: Vec<String>,
    /// The API path of the DELETE operation.
    pub(crate) operation: String,
    /// The path of the next page.
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
    /// Shows the confirmation page.
    pub(crate) fn ask(&self, caller: &Caller) -> Result<Response, Failure> {
        self.show(caller, StatusCode::OK, String::new())
    }

    /// Deletes the object if the typed name matches.
    pub(crate) async fn carry_out(&self, caller: &Caller, form: &Form) -> Result<Response, Failure> {
        if form.text("name") != self.name.trim() {
            let problem = format!("Nothing was deleted: this is not the name of the {}.", self.kind);
            let alert = form.refuse("name", problem);
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
