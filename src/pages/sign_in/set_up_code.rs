//! Setting up codes by email or text message: `POST` to the path of the channel with `decision=send`, and the
//! `identifier` if the user has none yet; with `code`; or with `decision=skip`.

use super::identifier::unreachable;
use super::messages::field_error;
use super::set_up_ways::{self, set_up_path, skip_asked, to_set_up};
use super::visitor::{InteractionPost, Visitor, finish};
use crate::form::{FieldError, FormPage};
use crate::frame::Frame;
use crate::headers::Forms;
use crate::page;
use crate::texts::tree::fill;
use askama::Template;
use axum::response::Response;
use claimsmith_domain::documents::mfa::FactorType;
use claimsmith_domain::documents::sign_in_experience::methods::Channel;
use claimsmith_domain::identifier::Identifier;
use claimsmith_domain::sent_code::SentCode;
use claimsmith_domain::verification_code::CodeRefusal;
use claimsmith_identity::interaction::factors::bind::bind;
use claimsmith_identity::interaction::factors::codes::known_address;
use claimsmith_identity::interaction::refusal::InteractionRefusal;
use claimsmith_identity::interaction::verification_codes::send::send;
use claimsmith_identity::interaction::verification_codes::verify::verify;
use claimsmith_web::extract::form::Form;

/// Maximum bytes of a code.
const MAX_CODE_BYTES: usize = 64;
/// Maximum bytes of an email address or phone number.
const MAX_ADDRESS_BYTES: usize = 256;

/// The page.
#[derive(Debug, Template)]
#[template(path = "set_up_code.html")]
pub(crate) struct SetUpCodePage<'a> {
    /// What every page has.
    pub(crate) frame: &'a Frame,
    /// Ties the form to the browser.
    pub(crate) csrf: &'a str,
    /// What was wrong.
    pub(crate) error: Option<FieldError<'a>>,
    /// The channel of the codes.
    pub(crate) channel: Channel,
    /// What was entered, if the user has no such email address or phone number yet.
    pub(crate) identifier: Option<&'a str>,
    /// Where a code goes or was sent; empty while that is unknown.
    pub(crate) address: &'a str,
    /// Whether a code was sent.
    pub(crate) is_sent: bool,
    /// The other factors that could be set up.
    pub(crate) others: &'a [FactorType],
    /// Whether it can be skipped.
    pub(crate) is_skippable: bool,
}

impl SetUpCodePage<'_> {
    #[expect(clippy::misnamed_getters, reason = "the title of another page is beside it")]
    fn title(&self) -> &str {
        &self.frame.t.second_factor.set_up_title
    }

    fn description(&self) -> String {
        let texts = &self.frame.t.second_factor;
        let to = [("address", self.address)];
        if self.is_sent {
            return fill(&self.frame.t.verification_code.description, &to);
        }
        let why = if self.is_skippable { &texts.set_up_description } else { &texts.set_up_required };
        let how = if self.address.is_empty() { texts.set_up_code.clone() } else { fill(&texts.send_description, &to) };
        format!("{why} {how}")
    }

    fn action(&self) -> String {
        self.frame.path(set_up_path(FactorType::over(self.channel)))
    }

    fn label(&self) -> &str {
        self.frame.channels_label(&[self.channel])
    }

    fn autocomplete(&self) -> &'static str {
        match self.channel {
            Channel::Email => "email",
            Channel::Phone => "tel",
        }
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

impl FormPage for SetUpCodePage<'_> {
    fn fields(&self) -> Vec<(&'static str, bool)> {
        let code = self.is_sent.then_some(("code", true));
        let identifier = self.identifier.map(|entered| ("identifier", !self.is_sent && entered.is_empty()));
        code.into_iter().chain(identifier).collect()
    }

    fn error(&self) -> Option<&FieldError<'_>> {
        self.error.as_ref()
    }
}

pub(super) async fn show_email(visitor: Visitor) -> Response {
    page(&visitor, Channel::Email, None, None).await
}

pub(super) async fn show_phone(visitor: Visitor) -> Response {
    page(&visitor, Channel::Phone, None, None).await
}

pub(super) async fn submit_email(InteractionPost(visitor, form): InteractionPost) -> Response {
    submit(visitor, Channel::Email, &form).await
}

pub(super) async fn submit_phone(InteractionPost(visitor, form): InteractionPost) -> Response {
    submit(visitor, Channel::Phone, &form).await
}

async fn submit(mut visitor: Visitor, channel: Channel, form: &Form) -> Response {
    let text = |name: &str| form.all(name).next().unwrap_or_default().trim();
    match text("decision") {
        "skip" => match skip_asked(&mut visitor).await {
            Ok(()) => finish(visitor).await,
            Err(refusal) => visitor.fail(&refusal),
        },
        "send" => ask(visitor, channel, text("identifier")).await,
        _ => confirm(visitor, channel, text("code")).await,
    }
}

/// Sends a code to the user's email address or phone number, or else to the entered one.
async fn ask(mut visitor: Visitor, channel: Channel, entered: &str) -> Response {
    let known = match known_address(&visitor.current, channel).await {
        Ok(known) => known,
        Err(refusal) => return visitor.next(&refusal),
    };
    if known.is_none() && (entered.is_empty() || entered.len() > MAX_ADDRESS_BYTES) {
        let error = unreachable(&visitor.frame, channel.identifier());
        return page(&visitor, channel, Some(entered), Some(error)).await;
    }
    let wanted = known.unwrap_or_else(|| Identifier { kind: channel.identifier(), value: entered.to_owned() });
    let steps = async {
        let event = visitor.current.event()?;
        send(&mut visitor.current, wanted, event).await
    };
    match steps.await {
        Ok(_) => visitor.at(set_up_path(FactorType::over(channel))),
        Err(refusal) => refused(&visitor, channel, Some(entered), &refusal).await,
    }
}

/// Verifies the code: the factor is added when the interaction is submitted.
async fn confirm(mut visitor: Visitor, channel: Channel, code: &str) -> Response {
    let kind = FactorType::over(channel);
    let Some((id, sent)) = sent(&visitor, channel) else { return visitor.at(set_up_path(kind)) };
    if code.is_empty() {
        let error = FieldError::at("code", visitor.frame.t.errors.required.clone());
        return page(&visitor, channel, None, Some(error)).await;
    }
    let steps = async {
        if code.len() > MAX_CODE_BYTES {
            return Err(InteractionRefusal::Code(CodeRefusal::Mismatch));
        }
        let id = verify(&mut visitor.current, &sent.identifier, &id, code).await?;
        bind(&mut visitor.current, kind, &id).await
    };
    match steps.await {
        Ok(()) => finish(visitor).await,
        // A newer code was sent meanwhile.
        Err(InteractionRefusal::UnknownVerification) => visitor.at(set_up_path(kind)),
        Err(refusal) => refused(&visitor, channel, Some(&sent.identifier.value), &refusal).await,
    }
}

async fn refused(visitor: &Visitor, channel: Channel, entered: Option<&str>, refusal: &InteractionRefusal) -> Response {
    match field_error(&visitor.frame, refusal) {
        Some(error) => page(visitor, channel, entered, Some(error)).await,
        None => visitor.next(refusal),
    }
}

/// The code that was sent over this channel and not entered yet, with the id of its verification.
fn sent(visitor: &Visitor, channel: Channel) -> Option<(String, SentCode)> {
    let verifications = visitor.current.progress.verifications.iter();
    let mut found = verifications.filter_map(|kept| Some((kept.id.clone(), kept.method.identifying_code()?.clone())));
    found.find(|(_, sent)| sent.identifier.kind == channel.identifier() && !sent.verified)
}

/// The page, if codes over this channel can be set up; otherwise the one that comes next.
async fn page(visitor: &Visitor, channel: Channel, entered: Option<&str>, error: Option<FieldError<'_>>) -> Response {
    let kind = FactorType::over(channel);
    let asked = match to_set_up(visitor).await {
        Ok(asked) => asked,
        Err(response) => return response,
    };
    if let Some(first) = asked.possible.first().filter(|_| !asked.possible.contains(&kind)) {
        return visitor.at(set_up_path(*first));
    }
    let known = match known_address(&visitor.current, channel).await {
        Ok(known) => known,
        Err(refusal) => return visitor.next(&refusal),
    };
    let sent = sent(visitor, channel);
    let typed = sent.as_ref().map_or("", |(_, sent)| &sent.identifier.value);
    let masked = known.as_ref().map(Identifier::masked);
    SetUpCodePage {
        frame: &visitor.frame,
        csrf: &visitor.csrf,
        error,
        channel,
        identifier: masked.is_none().then(|| entered.unwrap_or(typed)),
        address: masked.as_deref().unwrap_or(typed),
        is_sent: sent.is_some(),
        others: &asked.others(kind),
        is_skippable: asked.is_skippable,
    }
    .answer()
}
