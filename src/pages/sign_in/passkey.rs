//! Passkeys: verifying one as a second factor, `POST /second-factor/passkey`, and creating one, `POST /passkey`, each
//! with `verification_id` and the `payload` of the browser; or with `decision=skip`.

use super::messages::field_error;
use super::second_factor::{path_of, text_of};
use super::set_up_ways::{self, skip_asked, to_set_up};
use super::trust::{self, finish_trusting};
use super::visitor::{InteractionPost, Visitor, finish};
use crate::form::{FieldError, FormPage};
use crate::frame::Frame;
use crate::headers::Forms;
use crate::{page, paths};
use askama::Template;
use axum::response::Response;
use claimsmith_domain::documents::mfa::FactorType;
use claimsmith_domain::interaction::InteractionEvent;
use claimsmith_identity::interaction::factors;
use claimsmith_identity::interaction::identify::identify;
use claimsmith_identity::interaction::passkeys::{register, second_factor, sign_in, unknown_credential};
use claimsmith_identity::interaction::refusal::InteractionRefusal;
use claimsmith_identity::interaction::start::start;
use claimsmith_runtime::json::{self, INCOMING};
use claimsmith_web::extract::form::Form;
use serde_json::{Map, Value};

/// The page.
#[derive(Debug, Template)]
#[template(path = "passkey.html")]
pub(crate) struct PasskeyPage<'a> {
    /// What every page has.
    pub(crate) frame: &'a Frame,
    /// Ties the form to the browser.
    pub(crate) csrf: &'a str,
    /// What was wrong.
    pub(crate) error: Option<FieldError<'a>>,
    /// Whether a passkey is created, rather than verified.
    pub(crate) is_new: bool,
    /// The other factors that are accepted.
    pub(crate) others: &'a [FactorType],
    /// Whether it can be skipped.
    pub(crate) is_skippable: bool,
}

impl PasskeyPage<'_> {
    fn title(&self) -> &str {
        if self.is_new { &self.frame.t.passkey.title } else { &self.frame.t.second_factor.title }
    }

    fn description(&self) -> &str {
        let texts = &self.frame.t.passkey;
        if self.is_new { &texts.description } else { &texts.prove }
    }

    fn button(&self) -> &str {
        let texts = &self.frame.t.passkey;
        if self.is_new { &texts.submit } else { &texts.prove_submit }
    }

    fn path(&self) -> &'static str {
        if self.is_new { paths::SET_UP_PASSKEY } else { paths::PASSKEY }
    }

    fn options(&self) -> &'static str {
        if self.is_new {
            "/api/experience/verification/web-authn/registration"
        } else {
            "/api/experience/verification/web-authn/authentication"
        }
    }

    /// The pages of the alternatives, each with the text of its link.
    fn ways(&self) -> Vec<(String, &str)> {
        if self.is_new {
            return set_up_ways::ways(self.frame, self.others);
        }
        let way = |kind: &FactorType| (self.frame.step(path_of(*kind)), text_of(self.frame, *kind));
        self.others.iter().map(way).collect()
    }

    /// The label of the checkbox that trusts the browser, if that is possible.
    fn trust(&self) -> Option<String> {
        if self.is_new { None } else { trust::text(self.frame) }
    }

    /// The page as an answer.
    #[must_use]
    pub(crate) fn answer(&self) -> Response {
        page::answer(self, self.frame, self.status(), Forms::Onward)
    }
}

impl FormPage for PasskeyPage<'_> {
    fn fields(&self) -> Vec<(&'static str, bool)> {
        Vec::new()
    }

    fn error(&self) -> Option<&FieldError<'_>> {
        self.error.as_ref()
    }
}

pub(super) async fn show(visitor: Visitor) -> Response {
    prove_page(&visitor, None).await
}

/// Verifies a passkey as a second factor.
pub(super) async fn prove(InteractionPost(mut visitor, form): InteractionPost) -> Response {
    let (id, answer) = match answer_of(&form) {
        Ok(answer) => answer,
        Err(refusal) => return prove_page(&visitor, Some(&refusal)).await,
    };
    match second_factor::verify(&mut visitor.current, id, answer).await {
        Ok(_) => finish_trusting(visitor, &form).await,
        Err(refusal) => prove_page(&visitor, Some(&refusal)).await,
    }
}

pub(super) async fn show_new(visitor: Visitor) -> Response {
    new_page(&visitor, None).await
}

/// Stores a new passkey, or postpones it.
pub(super) async fn set_up(InteractionPost(mut visitor, form): InteractionPost) -> Response {
    let steps = async {
        if form.all("decision").next() == Some("skip") {
            return skip_asked(&mut visitor).await;
        }
        let (id, answer) = answer_of(&form)?;
        let id = register::verify(&mut visitor.current, id, answer).await?;
        register::bind(&mut visitor.current, &id).await
    };
    match steps.await {
        Ok(()) => finish(visitor).await,
        Err(refusal) => new_page(&visitor, Some(&refusal)).await,
    }
}

/// Signs in with a passkey instead of a password.
pub(super) async fn sign_in(InteractionPost(mut visitor, form): InteractionPost) -> Response {
    let refusal = match answer_of(&form) {
        Err(refusal) => refusal,
        Ok((_, answer)) => match sign_in_with(&mut visitor, answer.clone()).await {
            Ok(()) => return finish(visitor).await,
            Err(refusal) => {
                if matches!(refusal, InteractionRefusal::InvalidPasskey) {
                    visitor.frame.unknown_passkey =
                        unknown_credential(&visitor.current, &answer).await.unwrap_or_default();
                }
                refusal
            }
        },
    };
    match field_error(&visitor.frame, &refusal) {
        Some(error) => super::credentials::again(&visitor, error),
        None => visitor.fail(&refusal),
    }
}

async fn sign_in_with(visitor: &mut Visitor, answer: Map<String, Value>) -> Result<(), InteractionRefusal> {
    let current = &mut visitor.current;
    start(current, InteractionEvent::SignIn, None).await?;
    let id = sign_in::verify(current, None, answer).await?;
    identify(current, Some(&id)).await.map(drop)
}

/// The response of the browser, and the verification that it belongs to.
fn answer_of(form: &Form) -> Result<(&str, Map<String, Value>), InteractionRefusal> {
    let text = |name: &str| form.all(name).next().unwrap_or_default();
    let answer = json::read(text("payload").as_bytes(), INCOMING).map_err(|_| InteractionRefusal::InvalidPasskey)?;
    Ok((text("verification_id"), answer))
}

/// The page, if a second factor is required; otherwise the one that comes next.
async fn prove_page(visitor: &Visitor, refusal: Option<&InteractionRefusal>) -> Response {
    let error = match shown(visitor, refusal) {
        Ok(error) => error,
        Err(response) => return response,
    };
    match factors::check(&visitor.current).await {
        Err(InteractionRefusal::FactorRequired(available, _)) if available.contains(&FactorType::WebAuthn) => {
            let others: Vec<_> = available.into_iter().filter(|other| *other != FactorType::WebAuthn).collect();
            page(visitor, error, false, &others, false)
        }
        Err(InteractionRefusal::FactorRequired(available, _)) => {
            visitor.at(path_of(available.first().copied().unwrap_or(FactorType::Totp)))
        }
        Err(refusal) => visitor.next(&refusal),
        Ok(()) => visitor.fail(&InteractionRefusal::WrongEvent),
    }
}

/// The page, if a passkey can be registered now; otherwise the one that comes next.
async fn new_page(visitor: &Visitor, refusal: Option<&InteractionRefusal>) -> Response {
    let error = match shown(visitor, refusal) {
        Ok(error) => error,
        Err(response) => return response,
    };
    if let Err(InteractionRefusal::PasskeySuggested) = factors::check(&visitor.current).await {
        return page(visitor, error, true, &[], true);
    }
    match to_set_up(visitor).await {
        Ok(asked) if asked.possible.contains(&FactorType::WebAuthn) => {
            page(visitor, error, true, &asked.others(FactorType::WebAuthn), asked.is_skippable)
        }
        Ok(_) => visitor.at(paths::SET_UP_FACTOR),
        Err(response) => response,
    }
}

/// The message of a refusal that the page can show; otherwise the page of the refusal.
#[expect(clippy::result_large_err, reason = "it is answered at once")]
fn shown<'v>(visitor: &'v Visitor, refusal: Option<&InteractionRefusal>) -> Result<Option<FieldError<'v>>, Response> {
    let Some(refusal) = refusal else { return Ok(None) };
    field_error(&visitor.frame, refusal).map(Some).ok_or_else(|| visitor.fail(refusal))
}

fn page(
    visitor: &Visitor,
    error: Option<FieldError<'_>>,
    is_new: bool,
    others: &[FactorType],
    is_skippable: bool,
) -> Response {
    PasskeyPage { frame: &visitor.frame, csrf: &visitor.csrf, error, is_new, others, is_skippable }.answer()
}
