//! Deletion: a confirmation page that lists the consequences and asks for the name, and its form.

use crate::answer::{done, show_as};
use crate::caller::Caller;
use crate::failure::Failure;
use crate::form::Form;
use crate::frame::Frame;
use crate::locked_out::LockedOut;
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
    locked_out: Option<LockedOut>,
}

impl Deletion {
    /// Shows the confirmation page.
    pub(crate) fn ask(&self, caller: &Caller) -> Result<Response, Failure> {
        self.show(caller, StatusCode::OK, (String::new(), None))
    }

    /// Deletes the object if the typed name matches.
    pub(crate) async fn carry_out(&self, caller: &Caller, form: &Form) -> Result<Response, Failure> {
        self.carry_out_by(&self.operation, caller, form).await
    }

    /// Deletes what users may sign in with: if that locks users out, the page says whom, and asks.
    pub(crate) async fn carry_out_unless_locking(&self, caller: &Caller, form: &Form) -> Result<Response, Failure> {
        self.carry_out_by(&LockedOut::refusing(&self.operation, form), caller, form).await
    }

    async fn carry_out_by(&self, operation: &str, caller: &Caller, form: &Form) -> Result<Response, Failure> {
        if form.text("name") != self.name.trim() {
            let problem = format!("Nothing was deleted: this is not the name of the {}.", self.kind);
            let alert = form.refuse("name", problem);
            return self.show(caller, StatusCode::UNPROCESSABLE_ENTITY, (alert, None));
        }
        match caller.delete(operation).await {
            Ok(()) => Ok(done(&self.then, "deleted")),
            Err(failure) => {
                let problem = LockedOut::split(&failure.about_input()?);
                self.show(caller, StatusCode::UNPROCESSABLE_ENTITY, problem)
            }
        }
    }

    fn show(
        &self,
        caller: &Caller,
        status: StatusCode,
        (alert, locked_out): (String, Option<LockedOut>),
    ) -> Result<Response, Failure> {
        let frame = Frame::new(caller, self.section);
        show_as(caller, status, &DeletionPage { frame, deletion: self, alert, locked_out })
    }
}
