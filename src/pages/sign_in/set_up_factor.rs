//! Setting up an authenticator: `POST /second-factor/set-up` with `code` and `verification_id`, or with
//! `decision=skip`.

use super::messages::field_error;
use super::set_up_ways::{self, set_up_path, skip_asked, to_set_up};
use super::visitor::{InteractionPost, Visitor, finish};
use crate::form::{FieldError, FormPage};
use crate::frame::Frame;
use crate::headers::Forms;
use crate::{page, paths};
use askama::Template;
use axum::response::Response;
use claimsmith_domain::documents::mfa::FactorType;
use claimsmith_identity::interaction::factors::bind::bind;
use claimsmith_identity::interaction::factors::totp;
use claimsmith_identity::interaction::refusal::InteractionRefusal;

/// Maximum bytes of a code.
const MAX_BYTES: usize = 64;

/// The page.
#[derive(Debug, Template)]
#[template(path = "set_up_factor.html")]
pub(crate) struct SetUpFactorPage<'a> {
    /// What every page has.
    pub(crate) frame: &'a Frame,
    /// Ties the form to the browser.
    pub(crate) csrf: &'a str,
    /// What was wrong.
    pub(crate) error: Option<FieldError<'a>>,
    /// The verification of the secret.
    pub(crate) verification_id: &'a str,
    /// The secret, in base 32.
    pub(crate) secret: &'a str,
    /// A picture of it, as a data URI.
    pub(crate) qr_code: &'a str,
    /// The other factors that are accepted.
    pub(crate) others: &'a [FactorType],
    /// Whether it can be skipped.
    pub(crate) is_skippable: bool,
}

impl SetUpFactorPage<'_> {
    #[expect(clippy::misnamed_getters, reason = "the title of another page is beside it")]
    fn title(&self) -> &str {
        &self.frame.t.second_factor.set_up_title
    }

    fn description(&self) -> &str {
        let texts = &self.frame.t.second_factor;
        if self.is_skippable { &texts.set_up_description } else { &texts.set_up_required }
    }

    /// The secret in groups of four, for typing.
    fn grouped_secret(&self) -> String {
        let letters: Vec<char> = self.secret.chars().collect();
        letters.chunks(4).map(|group| group.iter().collect::<String>()).collect::<Vec<_>>().join(" ")
    }

    /// The other factors: the page that sets up each, with the text of its link.
    fn ways(&self) -> Vec<(String, &str)> {
        set_up_ways::ways(self.frame, self.others)
    }

    /// The page as an answer.
    #[must_use]
    pub(crate) fn answer(&self) -> Response {
        page::answer(self, self.frame, self.status(), Forms::Onward)
    }
}

impl FormPage for SetUpFactorPage<'_> {
    fn fields(&self) -> Vec<(&'static str, bool)> {
        vec![("code", true)]
    }

    fn error(&self) -> Option<&FieldError<'_>> {
        self.error.as_ref()
    }
}

pub(super) async fn show(visitor: Visitor) -> Response {
    page(visitor, None).await
}

pub(super) async fn submit(InteractionPost(mut visitor, form): InteractionPost) -> Response {
    let text = |name: &str| form.all(name).next().unwrap_or_default();
    if text("decision") == "skip" {
        return match skip_asked(&mut visitor).await {
            Ok(()) => finish(visitor).await,
            Err(refusal) => visitor.fail(&refusal),
        };
    }
    let (id, code) = (text("verification_id"), text("code").trim());
    if code.is_empty() {
        let error = FieldError::at("code", visitor.frame.t.errors.required.clone());
        return page(visitor, Some(error)).await;
    }
    let steps = async {
        if code.len() > MAX_BYTES {
            return Err(InteractionRefusal::InvalidTotp);
        }
        let confirmed = totp::confirm(&mut visitor.current, id, code).await?;
        bind(&mut visitor.current, FactorType::Totp, &confirmed).await
    };
    match steps.await {
        Ok(()) => finish(visitor).await,
        // A newer secret was generated meanwhile.
        Err(InteractionRefusal::UnknownVerification) => page(visitor, None).await,
        Err(refusal) => {
            let error = field_error(&visitor.frame, &refusal);
            let error = error.map(|error| FieldError::at("code", error.message.into_owned()));
            match error {
                Some(error) => page(visitor, Some(error)).await,
                None => visitor.fail(&refusal),
            }
        }
    }
}

/// The page, if an authenticator app can be set up; otherwise the one that comes next.
async fn page(mut visitor: Visitor, error: Option<FieldError<'_>>) -> Response {
    let asked = match to_set_up(&visitor).await {
        Ok(asked) => asked,
        Err(response) => return response,
    };
    if let Some(first) = asked.possible.first().filter(|_| !asked.possible.contains(&FactorType::Totp)) {
        return visitor.at(set_up_path(*first));
    }
    let new = match totp::pending_secret(&mut visitor.current).await {
        Ok(new) => new,
        Err(refusal) => return visitor.fail(&refusal),
    };
    SetUpFactorPage {
        frame: &visitor.frame,
        csrf: &visitor.csrf,
        error,
        verification_id: &new.verification_id,
        secret: &new.secret,
        qr_code: &new.qr_code,
        others: &asked.others(FactorType::Totp),
        is_skippable: asked.is_skippable,
    }
    .answer()
}
