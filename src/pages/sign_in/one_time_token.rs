//! Continuing with a link from an email: `POST /one-time-token`. A link for a forgotten password leads to the page of the
//! new one. Opening the link alone does nothing, so that link scanners do not use it up.

use super::messages::field_error;
use super::visitor::{InteractionPost, Visitor, finish};
use crate::frame::Frame;
use crate::headers::Forms;
use crate::texts::tree::fill;
use crate::{page, paths};
use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;
use claimsmith_domain::identifier::{Identifier, IdentifierType};
use claimsmith_domain::interaction::InteractionEvent;
use claimsmith_domain::one_time_token::TokenRefusal;
use claimsmith_identity::interaction::identify::identify;
use claimsmith_identity::interaction::one_time_token::{event_of, verify_hashed};
use claimsmith_identity::interaction::refusal::InteractionRefusal;
use claimsmith_identity::interaction::start::{start, switch};

/// The page.
#[derive(Debug, Template)]
#[template(path = "one_time_token.html")]
pub(crate) struct OneTimeTokenPage<'a> {
    /// What every page has.
    pub(crate) frame: &'a Frame,
    /// Ties the form to the browser.
    pub(crate) csrf: &'a str,
    /// The email address that the link was made for.
    pub(crate) address: &'a str,
    /// Whether it is invalid.
    pub(crate) is_void: bool,
}

impl OneTimeTokenPage<'_> {
    fn title(&self) -> &str {
        let texts = &self.frame.t.one_time_link;
        if self.is_void { &texts.void_title } else { &texts.title }
    }

    fn description(&self) -> String {
        let texts = &self.frame.t.one_time_link;
        if self.is_void {
            texts.void_description.clone()
        } else {
            fill(&texts.description, &[("address", self.address)])
        }
    }

    /// The page as an answer.
    #[must_use]
    pub(crate) fn answer(&self) -> Response {
        let status = if self.is_void { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
        page::answer(self, self.frame, status, Forms::Onward)
    }
}

pub(super) async fn show(visitor: Visitor) -> Response {
    if visitor.current.request.one_time_token_hash.is_none() {
        return visitor.at(paths::SIGN_IN);
    }
    page(&visitor, false)
}

pub(super) async fn submit(InteractionPost(mut visitor, _): InteractionPost) -> Response {
    let Some(hash) = visitor.current.request.one_time_token_hash.clone() else { return visitor.at(paths::SIGN_IN) };
    match go_on(&mut visitor, &hash).await {
        Ok(InteractionEvent::ForgotPassword) => visitor.at(paths::NEW_PASSWORD),
        Ok(_) => finish(visitor).await,
        Err(InteractionRefusal::OneTimeToken(_)) => page(&visitor, true),
        Err(refusal) => match field_error(&visitor.frame, &refusal) {
            Some(_) => visitor.fail(&refusal),
            None => visitor.next(&refusal),
        },
    }
}

/// Signs in the user with the email address of the token, registers it, or identifies the user who forgot their
/// password; returns which of them.
async fn go_on(visitor: &mut Visitor, hash: &str) -> Result<InteractionEvent, InteractionRefusal> {
    let current = &mut visitor.current;
    let address = current.request.login_hint.clone().unwrap_or_default();
    let identifier = Identifier { kind: IdentifierType::Email, value: address };
    let event = event_of(current, hash).await?;
    start(current, event, None).await?;
    let id = verify_hashed(current, identifier, hash).await?;
    match identify(current, Some(&id)).await {
        Err(InteractionRefusal::UnknownIdentifier(_)) if event == InteractionEvent::SignIn => {
            switch(current, InteractionEvent::Register).await?;
            identify(current, Some(&id)).await.map(drop)?;
        }
        // The account was deleted, or has another address now.
        Err(InteractionRefusal::UnknownIdentifier(_)) => {
            return Err(InteractionRefusal::OneTimeToken(TokenRefusal::NotFound));
        }
        other => other.map(drop)?,
    }
    Ok(event)
}

fn page(visitor: &Visitor, is_void: bool) -> Response {
    let address = visitor.current.request.login_hint.clone().unwrap_or_default();
    OneTimeTokenPage { frame: &visitor.frame, csrf: &visitor.csrf, address: &address, is_void }.answer()
}
