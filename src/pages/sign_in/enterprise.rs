//! Enterprise single sign-on: `POST /single-sign-on` with `email`, and with the chosen `connector` if several apply.

use super::federated::fail;
use super::leave::leave_by_address;
use super::visitor::{InteractionPost, Visitor};
use crate::form::{FieldError, FormPage};
use crate::frame::Frame;
use crate::headers::Forms;
use crate::{page, paths};
use askama::Template;
use axum::response::Response;

/// The page.
#[derive(Debug, Template)]
#[template(path = "enterprise.html")]
pub(crate) struct EnterprisePage<'a> {
    /// What every page has.
    pub(crate) frame: &'a Frame,
    /// Ties the form to the browser.
    pub(crate) csrf: &'a str,
    /// What was wrong.
    pub(crate) error: Option<FieldError<'a>>,
    /// What was entered.
    pub(crate) email: &'a str,
}

impl EnterprisePage<'_> {
    fn title(&self) -> &str {
        &self.frame.t.enterprise.title
    }

    /// The page as an answer.
    #[must_use]
    pub(crate) fn answer(&self) -> Response {
        page::answer(self, self.frame, self.status(), Forms::Onward)
    }
}

impl FormPage for EnterprisePage<'_> {
    fn fields(&self) -> Vec<(&'static str, bool)> {
        vec![("email", self.email.is_empty())]
    }

    fn error(&self) -> Option<&FieldError<'_>> {
        self.error.as_ref()
    }
}

/// The page that asks for the email address.
pub(super) async fn show(visitor: Visitor) -> Response {
    if !visitor.frame.settings.single_sign_on_enabled {
        return visitor.at(paths::SIGN_IN);
    }
    let hint = visitor.current.request.login_hint.clone().unwrap_or_default();
    EnterprisePage { frame: &visitor.frame, csrf: &visitor.csrf, error: None, email: &hint }.answer()
}

/// Redirects to the enterprise connector of an email address.
pub(super) async fn submit(InteractionPost(mut visitor, form): InteractionPost) -> Response {
    let email = form.all("email").next().unwrap_or_default().trim().to_owned();
    let chosen = form.all("connector").next();
    let outcome = leave_by_address(&mut visitor, &email, chosen).await;
    let page = |visitor: &Visitor, message: String| {
        let error = Some(FieldError::at("email", message));
        EnterprisePage { frame: &visitor.frame, csrf: &visitor.csrf, error, email: &email }.answer()
    };
    match outcome {
        Ok(Some(away)) => away,
        Ok(None) => page(&visitor, visitor.frame.t.errors.no_company.clone()),
        Err(refusal) => fail(&visitor, &refusal),
    }
}
