//! Forgotten passwords: `POST /reset-password` with `identifier`, and, after a correct code, `POST /reset-password/new`
//! with `password`.

use super::identifier::{identifier, send_code};
use super::messages::field_error;
use super::visitor::{InteractionPost, Visitor, captcha_answer, finish};
use crate::form::{FieldError, FormPage};
use crate::frame::Frame;
use crate::headers::Forms;
use crate::{page, paths};
use askama::Template;
use axum::response::Response;
use claimsmith_domain::identifier::IdentifierType;
use claimsmith_domain::interaction::InteractionEvent;
use claimsmith_identity::interaction::forgotten_password::choose;

/// Maximum bytes of a password.
const MAX_BYTES: usize = 4096;

/// The page that asks whose password it is.
#[derive(Debug, Template)]
#[template(path = "reset_password.html")]
pub(crate) struct ResetPasswordPage<'a> {
    /// What every page has.
    pub(crate) frame: &'a Frame,
    /// Ties the form to the browser.
    pub(crate) csrf: &'a str,
    /// What was wrong.
    pub(crate) error: Option<FieldError<'a>>,
    /// What was entered, or what the application said (`login_hint`).
    pub(crate) identifier: &'a str,
}

impl ResetPasswordPage<'_> {
    fn title(&self) -> &str {
        &self.frame.t.forgot_password.title
    }

    fn description(&self) -> &str {
        &self.frame.t.forgot_password.description
    }

    fn label(&self) -> &str {
        self.frame.channels_label(&self.frame.resets())
    }

    /// The page as an answer.
    #[must_use]
    pub(crate) fn answer(&self) -> Response {
        page::answer(self, self.frame, self.status(), Forms::Onward)
    }
}

impl FormPage for ResetPasswordPage<'_> {
    fn fields(&self) -> Vec<(&'static str, bool)> {
        vec![("identifier", self.identifier.is_empty())]
    }

    fn error(&self) -> Option<&FieldError<'_>> {
        self.error.as_ref()
    }
}

/// The page that asks for the new one.
#[derive(Debug, Template)]
#[template(path = "new_password.html")]
pub(crate) struct NewPasswordPage<'a> {
    /// What every page has.
    pub(crate) frame: &'a Frame,
    /// Ties the form to the browser.
    pub(crate) csrf: &'a str,
    /// What was wrong.
    pub(crate) error: Option<FieldError<'a>>,
    /// The identifier, for password managers.
    pub(crate) identifier: &'a str,
}

impl NewPasswordPage<'_> {
    #[expect(clippy::misnamed_getters, reason = "the title of another page is beside it")]
    fn title(&self) -> &str {
        &self.frame.t.forgot_password.new_title
    }

    #[expect(clippy::misnamed_getters, reason = "the description of another page is beside it")]
    fn description(&self) -> &str {
        &self.frame.t.forgot_password.new_description
    }

    /// The page as an answer.
    #[must_use]
    pub(crate) fn answer(&self) -> Response {
        page::answer(self, self.frame, self.status(), Forms::Onward)
    }
}

impl FormPage for NewPasswordPage<'_> {
    fn fields(&self) -> Vec<(&'static str, bool)> {
        vec![("password", true)]
    }

    fn error(&self) -> Option<&FieldError<'_>> {
        self.error.as_ref()
    }
}

pub(super) async fn show(visitor: Visitor) -> Response {
    if visitor.frame.resets().is_empty() {
        return visitor.at(paths::SIGN_IN);
    }
    let hint = visitor.current.request.login_hint.clone().unwrap_or_default();
    page(&visitor, &hint, None)
}

/// The page for a user who signed in with an expired password. Usernames receive no codes.
pub(super) fn of_expired(visitor: &Visitor, entered: &str) -> Response {
    let is_username = identifier(entered).kind == IdentifierType::Username;
    let error = FieldError::of_form(visitor.frame.t.errors.password_expired.as_str());
    page(visitor, if is_username { "" } else { entered }, Some(error))
}

pub(super) async fn submit(InteractionPost(mut visitor, form): InteractionPost) -> Response {
    let entered = form.all("identifier").next().unwrap_or_default().trim();
    if entered.is_empty() {
        let error = FieldError::at("identifier", visitor.frame.t.errors.required.clone());
        return page(&visitor, entered, Some(error));
    }
    match send_code(&mut visitor, entered, InteractionEvent::ForgotPassword, captcha_answer(&form)).await {
        Ok(sent) => sent,
        Err(error) => page(&visitor, entered, Some(error)),
    }
}

pub(super) async fn show_new(visitor: Visitor) -> Response {
    if is_proved(&visitor) { new_page(&visitor, None) } else { visitor.at(paths::RESET_PASSWORD) }
}

pub(super) async fn submit_new(InteractionPost(mut visitor, form): InteractionPost) -> Response {
    if !is_proved(&visitor) {
        return visitor.at(paths::RESET_PASSWORD);
    }
    let password = form.all("password").next().unwrap_or_default();
    if password.is_empty() || password.len() > MAX_BYTES {
        let error = FieldError::at("password", visitor.frame.t.errors.required.clone());
        return new_page(&visitor, Some(error));
    }
    match choose(&mut visitor.current, password).await {
        Ok(()) => finish(visitor).await,
        Err(refusal) => match field_error(&visitor.frame, &refusal) {
            Some(error) => new_page(&visitor, Some(error)),
            None => visitor.fail(&refusal),
        },
    }
}

/// Whether the visitor proved to own the account.
fn is_proved(visitor: &Visitor) -> bool {
    let progress = &visitor.current.progress;
    progress.event == Some(InteractionEvent::ForgotPassword) && progress.user_id.is_some()
}

fn page(visitor: &Visitor, identifier: &str, error: Option<FieldError<'_>>) -> Response {
    ResetPasswordPage { frame: &visitor.frame, csrf: &visitor.csrf, error, identifier }.answer()
}

fn new_page(visitor: &Visitor, error: Option<FieldError<'_>>) -> Response {
    let mut verifications = visitor.current.progress.verifications.iter().rev();
    let proved = verifications.find_map(|kept| kept.method.identifier());
    let identifier = proved.map_or("", |identifier| &identifier.value);
    NewPasswordPage { frame: &visitor.frame, csrf: &visitor.csrf, error, identifier }.answer()
}
