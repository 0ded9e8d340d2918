//! Signing in: `POST /sign-in` with `identifier` and `password`, or with `identifier` and `decision=code`.

use super::identifier::{identifier_with_password, send_code};
use super::leave::leave_by_address;
use super::messages::field_error;
use super::reset_password;
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
use claimsmith_identity::interaction::refusal::InteractionRefusal;
use claimsmith_identity::interaction::start::start;
use claimsmith_identity::interaction::verify_password::verify_password;
use claimsmith_web::extract::form::Form;

/// Maximum bytes of an identifier and of a password.
const MAX_BYTES: usize = 256;

/// The page.
#[derive(Debug, Template)]
#[template(path = "sign_in.html")]
pub(crate) struct SignInPage<'a> {
    /// What every page has.
    pub(crate) frame: &'a Frame,
    /// Ties the form to the browser.
    pub(crate) csrf: &'a str,
    /// What was wrong.
    pub(crate) error: Option<FieldError<'a>>,
    /// What was entered, or what the application said (`login_hint`).
    pub(crate) identifier: &'a str,
    /// Whether the terms were agreed to.
    pub(crate) has_agreed: bool,
    /// Whether a code is requested instead of a password.
    pub(crate) is_code: bool,
    /// Whether a forgotten password was replaced just now.
    pub(crate) has_new_password: bool,
}

impl SignInPage<'_> {
    fn title(&self) -> String {
        self.frame.titled(&self.frame.t.sign_in.title_for_application, &self.frame.t.sign_in.title)
    }

    fn asks_to_agree(&self) -> bool {
        self.frame.asks_to_agree(false)
    }

    /// How sign-in with a passkey is offered: by a button, or in the field of the identifier.
    fn passkey(&self) -> Option<&'static str> {
        let settings = &self.frame.settings.passkey_sign_in;
        let is_on = self.frame.has_passkeys && settings.enabled == Some(true);
        match (settings.show_passkey_button, settings.allow_autofill) {
            _ if !is_on => None,
            (_, Some(true)) => Some("offer"),
            (Some(true), _) => Some("button"),
            _ => None,
        }
    }

    fn agreement(&self) -> Vec<Piece<'_>> {
        if self.asks_to_agree() { self.frame.agreement(true) } else { Vec::new() }
    }

    fn label(&self) -> &str {
        self.frame.identifier_label(self.is_code)
    }

    /// Whether a forgotten password can be reset.
    fn may_reset(&self) -> bool {
        !self.is_code && !self.frame.resets().is_empty()
    }

    /// The page as an answer.
    #[must_use]
    pub(crate) fn answer(&self) -> Response {
        page::answer(self, self.frame, self.status(), Forms::Onward)
    }
}

impl FormPage for SignInPage<'_> {
    fn fields(&self) -> Vec<(&'static str, bool)> {
        let mut fields = vec![("identifier", self.identifier.is_empty())];
        if !self.is_code {
            fields.push(("password", true));
        }
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
#[derive(Clone, Copy)]
struct EnteredSignIn<'e> {
    identifier: &'e str,
    has_agreed: bool,
    is_code: bool,
}

pub(super) async fn show(RawQuery(query): RawQuery, visitor: Visitor) -> Response {
    let hint = visitor.current.request.login_hint.clone().unwrap_or_default();
    let query = Form::of_query(query.as_deref().unwrap_or_default()).unwrap_or_default();
    let is_code = match query.all("with").next() {
        Some("password") => !visitor.frame.takes_password(),
        _ => visitor.frame.prefers_code(),
    };
    SignInPage {
        frame: &visitor.frame,
        csrf: &visitor.csrf,
        error: None,
        identifier: &hint,
        has_agreed: false,
        is_code,
        has_new_password: query.all("password").next() == Some("new"),
    }
    .answer()
}

pub(super) async fn submit(InteractionPost(mut visitor, form): InteractionPost) -> Response {
    let text = |name: &str| form.all(name).next().unwrap_or_default();
    let password = text("password");
    let is_code = text("decision") == "code";
    let is_code_page = is_code && form.all("password").next().is_none();
    let entered =
        EnteredSignIn { identifier: text("identifier").trim(), has_agreed: has_ticked(&form), is_code: is_code_page };
    let required = [("identifier", entered.identifier), ("password", password)];
    for (field, value) in required.into_iter().take(if is_code { 1 } else { 2 }) {
        if value.is_empty() {
            let error = FieldError::at(field, visitor.frame.t.errors.required.clone());
            return page(&visitor, entered, Some(error));
        }
    }
    if !visitor.has_agreed(&form, false) {
        let error = FieldError::at("agree", visitor.frame.t.errors.agreement_required.clone());
        return page(&visitor, entered, Some(error));
    }
    // The server's own clients do not redirect by email domain, so that administrators can sign in with passwords.
    let left = if visitor.current.is_of_own_client() {
        Ok(None)
    } else {
        leave_by_address(&mut visitor, entered.identifier, None).await
    };
    match left {
        Ok(None) => {}
        Ok(Some(away)) => return away,
        Err(refusal) => {
            return match field_error(&visitor.frame, &refusal) {
                Some(error) => page(&visitor, entered, Some(error)),
                None => visitor.fail(&refusal),
            };
        }
    }
    if is_code {
        let answer = captcha_answer(&form);
        return match send_code(&mut visitor, entered.identifier, InteractionEvent::SignIn, answer).await {
            Ok(sent) => sent,
            Err(error) => page(&visitor, entered, Some(error)),
        };
    }
    let steps = async {
        if entered.identifier.len() > MAX_BYTES || password.len() > MAX_BYTES {
            return Err(InteractionRefusal::InvalidCredentials);
        }
        let current = &mut visitor.current;
        start(current, InteractionEvent::SignIn, captcha_answer(&form)).await?;
        let identifier = identifier_with_password(&visitor.frame, entered.identifier);
        let id = verify_password(current, identifier, password).await?;
        identify(current, Some(&id)).await.map(drop)
    };
    match steps.await {
        Ok(()) => finish(visitor).await,
        Err(InteractionRefusal::PasswordExpired) if !visitor.frame.resets().is_empty() => {
            reset_password::of_expired(&visitor, entered.identifier)
        }
        Err(refusal) => match field_error(&visitor.frame, &refusal) {
            Some(error) => page(&visitor, entered, Some(error)),
            None => visitor.fail(&refusal),
        },
    }
}

/// The page after a failed sign-in at a connector, in its preferred variant.
pub(super) fn show_again(visitor: &Visitor, identifier: &str, error: Option<FieldError<'_>>) -> Response {
    let is_code = visitor.frame.prefers_code();
    page(visitor, EnteredSignIn { identifier, has_agreed: false, is_code }, error)
}

fn page(visitor: &Visitor, entered: EnteredSignIn<'_>, error: Option<FieldError<'_>>) -> Response {
    SignInPage {
        frame: &visitor.frame,
        csrf: &visitor.csrf,
        error,
        identifier: entered.identifier,
        has_agreed: entered.has_agreed,
        is_code: entered.is_code,
        has_new_password: false,
    }
    .answer()
}

/// The page with an error from elsewhere.
pub(super) fn again(visitor: &Visitor, error: FieldError<'_>) -> Response {
    page(visitor, EnteredSignIn { identifier: "", has_agreed: false, is_code: false }, Some(error))
}
