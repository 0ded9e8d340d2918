//! Creating an account: `POST /register` with `username` and `password`, or with `identifier` and `decision=code`, and
//! `agree` if agreement is by a checkbox.

use super::identifier::send_code;
use super::messages::field_error;
use super::visitor::{InteractionPost, Visitor, captcha_answer, finish, has_ticked};
use crate::form::{FieldError, FormPage};
use crate::frame::Frame;
use crate::headers::Forms;
use crate::texts::tree::Piece;
use crate::{page, paths};
use askama::Template;
use axum::extract::RawQuery;
use axum::response::Response;
use claimsmith_domain::interaction::InteractionEvent;
use claimsmith_identity::interaction::identify::identify;
use claimsmith_identity::interaction::new_password_identity::new_password_identity;
use claimsmith_identity::interaction::refusal::InteractionRefusal;
use claimsmith_identity::interaction::start::start;
use claimsmith_web::extract::form::Form;

/// Maximum bytes of a username and of a password.
const MAX_BYTES: usize = 4096;

/// The page.
#[derive(Debug, Template)]
#[template(path = "register.html")]
pub(crate) struct RegisterPage<'a> {
    /// What every page has.
    pub(crate) frame: &'a Frame,
    /// Ties the form to the browser.
    pub(crate) csrf: &'a str,
    /// What was wrong.
    pub(crate) error: Option<FieldError<'a>>,
    /// What was entered as a user name.
    pub(crate) username: &'a str,
    /// What was entered as an address or a number.
    pub(crate) identifier: &'a str,
    /// Whether an email address or phone number is requested instead of a username.
    pub(crate) is_code: bool,
    /// Whether the terms were agreed to.
    pub(crate) has_agreed: bool,
}

impl RegisterPage<'_> {
    fn title(&self) -> String {
        self.frame.titled(&self.frame.t.register.title_for_application, &self.frame.t.register.title)
    }

    fn by_name(&self) -> bool {
        !self.is_code
    }

    fn asks_to_agree(&self) -> bool {
        self.frame.asks_to_agree(true)
    }

    fn agreement(&self) -> Vec<Piece<'_>> {
        self.frame.agreement(self.asks_to_agree())
    }

    /// The page as an answer.
    #[must_use]
    pub(crate) fn answer(&self) -> Response {
        page::answer(self, self.frame, self.status(), Forms::Onward)
    }
}

impl FormPage for RegisterPage<'_> {
    fn fields(&self) -> Vec<(&'static str, bool)> {
        let mut fields = if self.is_code {
            vec![("identifier", self.identifier.is_empty())]
        } else {
            vec![("username", self.username.is_empty()), ("password", true)]
        };
        if self.asks_to_agree() {
            fields.push(("agree", !self.has_agreed));
        }
        fields
    }

    fn error(&self) -> Option<&FieldError<'_>> {
        self.error.as_ref()
    }
}

/// The entered values, and the variant of the page.
#[derive(Clone, Copy, Default)]
struct EnteredRegistration<'e> {
    username: &'e str,
    identifier: &'e str,
    has_agreed: bool,
    is_code: bool,
}

pub(super) async fn show(RawQuery(query): RawQuery, visitor: Visitor) -> Response {
    if !visitor.frame.may_register() {
        return visitor.at(paths::SIGN_IN);
    }
    let query = Form::of_query(query.as_deref().unwrap_or_default()).unwrap_or_default();
    let by_name = visitor.frame.registers_by_name();
    let is_code = match query.all("with").next() {
        Some("code") => visitor.frame.registers_by_code(),
        _ => !by_name,
    };
    let hint = visitor.current.request.login_hint.clone().unwrap_or_default();
    let identifier = if is_code { hint.as_str() } else { "" };
    page(&visitor, EnteredRegistration { identifier, is_code, ..EnteredRegistration::default() }, None)
}

pub(super) async fn submit(InteractionPost(mut visitor, form): InteractionPost) -> Response {
    let text = |name: &str| form.all(name).next().unwrap_or_default();
    let is_code = text("decision") == "code";
    let (username, identifier, password) = (text("username").trim(), text("identifier").trim(), text("password"));
    let entered = EnteredRegistration { username, identifier, has_agreed: has_ticked(&form), is_code };
    let required =
        if is_code { vec![("identifier", identifier)] } else { vec![("username", username), ("password", password)] };
    for (field, value) in required {
        if value.is_empty() || value.len() > MAX_BYTES {
            let error = FieldError::at(field, visitor.frame.t.errors.required.clone());
            return page(&visitor, entered, Some(error));
        }
    }
    if !visitor.has_agreed(&form, true) {
        let error = FieldError::at("agree", visitor.frame.t.errors.agreement_required.clone());
        return page(&visitor, entered, Some(error));
    }
    if is_code {
        return match send_code(&mut visitor, identifier, InteractionEvent::Register, captcha_answer(&form)).await {
            Ok(sent) => sent,
            Err(error) => page(&visitor, entered, Some(error)),
        };
    }
    let steps = async {
        let current = &mut visitor.current;
        start(current, InteractionEvent::Register, captcha_answer(&form)).await?;
        let id = new_password_identity(current, username.to_owned(), password).await?;
        identify(current, Some(&id)).await.map(drop)
    };
    match steps.await {
        Ok(()) => finish(visitor).await,
        // The entered values are kept, and the missing ones are requested.
        Err(InteractionRefusal::MissingProfile(_)) => visitor.at(paths::PROFILE),
        Err(InteractionRefusal::Closed) => {
            let error = FieldError::of_form(visitor.frame.t.errors.registration_closed.clone());
            page(&visitor, entered, Some(error))
        }
        Err(refusal) => match field_error(&visitor.frame, &refusal) {
            Some(error) => page(&visitor, entered, Some(error)),
            None => visitor.fail(&refusal),
        },
    }
}

fn page(visitor: &Visitor, entered: EnteredRegistration<'_>, error: Option<FieldError<'_>>) -> Response {
    RegisterPage {
        frame: &visitor.frame,
        csrf: &visitor.csrf,
        error,
        username: entered.username,
        identifier: entered.identifier,
        is_code: entered.is_code,
        has_agreed: entered.has_agreed,
    }
    .answer()
}
