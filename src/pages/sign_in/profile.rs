//! Completing a profile: `POST /profile` with `username`, `password` or both, as they are missing, or with the
//! `identifier` to which a code is sent.

use super::identifier::{identifier, send_further, unreachable};
use super::messages::field_error;
use super::visitor::{InteractionPost, Visitor, finish};
use crate::custom_fields::{InputView, entered as values_of, inputs, told};
use crate::form::{FieldError, FormPage};
use crate::frame::Frame;
use crate::headers::Forms;
use crate::{page, paths};
use askama::Template;
use axum::response::Response;
use claimsmith_domain::documents::custom_profile_field::CustomProfileField;
use claimsmith_domain::documents::sign_in_experience::methods::Channel;
use claimsmith_domain::identifier::IdentifierType;
use claimsmith_domain::sign_in_experience::mandatory::Missing;
use claimsmith_identity::interaction::asked_fields::fields;
use claimsmith_identity::interaction::extra_profile::add_extra;
use claimsmith_identity::interaction::identify::identify;
use claimsmith_identity::interaction::profile::{add_password, add_username, missing};
use claimsmith_identity::interaction::refusal::InteractionRefusal;
use claimsmith_web::extract::form::Form;
use serde_json::{Map, Value};

/// The page.
#[derive(Debug, Template)]
#[template(path = "profile.html")]
pub(crate) struct ProfilePage<'a> {
    /// What every page has.
    pub(crate) frame: &'a Frame,
    /// Ties the form to the browser.
    pub(crate) csrf: &'a str,
    /// What was wrong.
    pub(crate) error: Option<FieldError<'a>>,
    /// What was entered, when a user name is missing.
    pub(crate) username: Option<&'a str>,
    /// Whether a password is missing.
    pub(crate) asks_password: bool,
    /// What was entered, when an address or a number is missing and nothing else.
    pub(crate) identifier: Option<&'a str>,
    /// The channels that it may use.
    pub(crate) channels: &'a [Channel],
    /// Custom profile fields, if nothing else is missing.
    pub(crate) inputs: Vec<InputView>,
}

impl ProfilePage<'_> {
    fn title(&self) -> &str {
        &self.frame.t.profile.title
    }

    fn description(&self) -> String {
        self.frame.titled(&self.frame.t.profile.description_for_application, &self.frame.t.profile.description)
    }

    /// The page as an answer.
    #[must_use]
    pub(crate) fn answer(&self) -> Response {
        page::answer(self, self.frame, self.status(), Forms::Onward)
    }
}

impl FormPage for ProfilePage<'_> {
    fn fields(&self) -> Vec<(&'static str, bool)> {
        let username = self.username.map(|name| ("username", name.is_empty()));
        let identifier = self.identifier.map(|address| ("identifier", address.is_empty()));
        username.into_iter().chain(self.asks_password.then_some(("password", true))).chain(identifier).collect()
    }

    fn error(&self) -> Option<&FieldError<'_>> {
        self.error.as_ref()
    }
}

/// The entered values.
#[derive(Clone, Copy, Default)]
struct EnteredProfile<'e> {
    username: &'e str,
    identifier: &'e str,
    /// Values of custom profile fields.
    values: Option<&'e Map<String, Value>>,
}

/// The missing values.
struct MissingProfile {
    lacks: Vec<Missing>,
    /// The custom profile fields, if nothing else is missing.
    fields: Vec<CustomProfileField>,
}

impl MissingProfile {
    async fn load(visitor: &Visitor) -> Result<Self, InteractionRefusal> {
        let lacks = missing(&visitor.current).await?;
        let asks = lacks.contains(&Missing::ExtraProfile);
        let fields = if asks { fields(&visitor.current).await? } else { Vec::new() };
        Ok(Self { lacks, fields })
    }

    fn lacks(&self, what: Missing) -> bool {
        self.lacks.contains(&what)
    }
}

pub(super) async fn show(visitor: Visitor) -> Response {
    match MissingProfile::load(&visitor).await {
        Ok(asked) => page(&visitor, &asked, EnteredProfile::default(), None),
        Err(refusal) => visitor.fail(&refusal),
    }
}

pub(super) async fn submit(InteractionPost(mut visitor, form): InteractionPost) -> Response {
    let text = |name: &str| form.all(name).next().unwrap_or_default().trim().to_owned();
    let asked = match MissingProfile::load(&visitor).await {
        Ok(asked) => asked,
        Err(refusal) => return visitor.fail(&refusal),
    };
    let values = values_of(&form, &asked.fields);
    let entered =
        EnteredProfile { username: &text("username"), identifier: &text("identifier"), values: Some(&values) };
    if !asked.lacks(Missing::Username) && !asked.lacks(Missing::Password) && !channels(&asked.lacks).is_empty() {
        return add_address(visitor, &asked, entered).await;
    }
    match complete(&mut visitor, &asked, entered, &form).await {
        Ok(()) => finish(visitor).await,
        Err(InteractionRefusal::ExtraProfile(refused)) => {
            let error = FieldError::of_form(told(&visitor.frame, &asked.fields, &refused));
            page(&visitor, &asked, entered, Some(error))
        }
        Err(refusal) => match field_error(&visitor.frame, &refusal) {
            Some(error) => page(&visitor, &asked, entered, Some(error)),
            None => visitor.next(&refusal),
        },
    }
}

/// Stages the entered values. In a registration, the profile then identifies the user.
async fn complete(
    visitor: &mut Visitor,
    asked: &MissingProfile,
    entered: EnteredProfile<'_>,
    form: &Form,
) -> Result<(), InteractionRefusal> {
    let current = &mut visitor.current;
    if asked.lacks(Missing::Username) {
        add_username(current, entered.username).await?;
    }
    if asked.lacks(Missing::Password) {
        add_password(current, form.all("password").next().unwrap_or_default()).await?;
    }
    if let Some(values) = entered.values.filter(|_| asked.lacks(Missing::ExtraProfile)) {
        add_extra(current, values).await?;
    }
    if current.progress.user_id.is_none() {
        identify(current, None).await?;
    }
    Ok(())
}

/// Sends a code to the entered email address or phone number.
async fn add_address(mut visitor: Visitor, asked: &MissingProfile, entered: EnteredProfile<'_>) -> Response {
    if entered.identifier.is_empty() {
        let error = FieldError::at("identifier", visitor.frame.t.errors.required.clone());
        return page(&visitor, asked, entered, Some(error));
    }
    let event = match visitor.current.event() {
        Ok(event) => event,
        Err(refusal) => return visitor.fail(&refusal),
    };
    let kind = identifier(entered.identifier).kind;
    let channels = channels(&asked.lacks);
    if !channels.iter().any(|channel| Some(*channel) == kind.channel()) {
        let wanted = if channels == [Channel::Phone] { IdentifierType::Phone } else { IdentifierType::Email };
        let error = unreachable(&visitor.frame, wanted);
        return page(&visitor, asked, entered, Some(error));
    }
    match send_further(&mut visitor, entered.identifier, event).await {
        Ok(sent) => sent,
        Err(error) => page(&visitor, asked, entered, Some(error)),
    }
}

/// The channels of the missing email address or phone number.
fn channels(lacks: &[Missing]) -> &'static [Channel] {
    let first = lacks.iter().find_map(|missing| match missing {
        Missing::Email => Some(&[Channel::Email][..]),
        Missing::Phone => Some(&[Channel::Phone][..]),
        Missing::EmailOrPhone => Some(&[Channel::Email, Channel::Phone][..]),
        Missing::Username | Missing::Password | Missing::ExtraProfile => None,
    });
    first.unwrap_or_default()
}

fn page(
    visitor: &Visitor,
    asked: &MissingProfile,
    entered: EnteredProfile<'_>,
    error: Option<FieldError<'_>>,
) -> Response {
    let username = asked.lacks(Missing::Username).then_some(entered.username);
    let asks_password = asked.lacks(Missing::Password);
    let asks_address = username.is_none() && !asks_password && !asked.lacks(Missing::ExtraProfile);
    let channels = channels(&asked.lacks);
    if asks_address && channels.is_empty() {
        // The missing values cannot be entered on this page.
        return visitor.fail(&InteractionRefusal::MissingProfile(asked.lacks.clone()));
    }
    let identifier = asks_address.then_some(entered.identifier);
    let (frame, csrf) = (&visitor.frame, &visitor.csrf);
    let staged = &visitor.current.progress.profile;
    let inputs = inputs(frame, &asked.fields, |name| match entered.values {
        Some(values) => values.get(name).cloned(),
        None => staged.entered(name),
    });
    ProfilePage { frame, csrf, error, username, asks_password, identifier, channels, inputs }.answer()
}
