//! `/profile`: what everybody must have, and this person lacks. An address or a number is asked for last, and proved with a
//! code.

use super::identifier::{identifier, unreachable};
use super::messages::field_error;
use super::send_code::send_further;
use super::visitor::{Posted, Visitor, finish};
use crate::domain::interaction::IdentifierType;
use crate::domain::sign_in_experience::mandatory::Missing;
use crate::domain::sign_in_experience::methods::Channel;
use crate::http::extract::form::Form;
use crate::http::pages::form::FieldError;
use crate::http::pages::profile::ProfilePage;
use crate::interaction::identify::identify;
use crate::interaction::profile::{add_password, add_username, missing};
use crate::interaction::refusal::Refusal;
use axum::response::Response;

/// What was entered.
#[derive(Clone, Copy, Default)]
struct Entered<'e> {
    username: &'e str,
    identifier: &'e str,
}

pub(super) async fn show(visitor: Visitor) -> Response {
    match missing(&visitor.current).await {
        Ok(lacks) => page(&visitor, &lacks, Entered::default(), None),
        Err(refusal) => visitor.fail(&refusal),
    }
}

pub(super) async fn submit(Posted(mut visitor, form): Posted) -> Response {
    let text = |name: &str| form.all(name).next().unwrap_or_default().trim().to_owned();
    let entered = Entered { username: &text("username"), identifier: &text("identifier") };
    let lacks = match missing(&visitor.current).await {
        Ok(lacks) => lacks,
        Err(refusal) => return visitor.fail(&refusal),
    };
    if !lacks.contains(&Missing::Username) && !lacks.contains(&Missing::Password) && !channels(&lacks).is_empty() {
        return add_address(visitor, &lacks, entered).await;
    }
    match complete(&mut visitor, &lacks, entered.username, &form).await {
        Ok(()) => finish(visitor).await,
        Err(refusal) => match field_error(&visitor.frame, &refusal) {
            Some(error) => page(&visitor, &lacks, entered, Some(error)),
            None => visitor.next(&refusal),
        },
    }
}

/// Stages what was entered of what is missing. Whoever registers is known by their profile afterwards.
async fn complete(visitor: &mut Visitor, lacks: &[Missing], username: &str, form: &Form) -> Result<(), Refusal> {
    let current = &mut visitor.current;
    if lacks.contains(&Missing::Username) {
        add_username(current, username).await?;
    }
    if lacks.contains(&Missing::Password) {
        add_password(current, form.all("password").next().unwrap_or_default()).await?;
    }
    if current.progress.user_id.is_none() {
        identify(current, None).await?;
    }
    Ok(())
}

/// Sends a code to the address or the number that was entered.
async fn add_address(mut visitor: Visitor, lacks: &[Missing], entered: Entered<'_>) -> Response {
    if entered.identifier.is_empty() {
        let error = FieldError::at("identifier", visitor.frame.t.errors.required.clone());
        return page(&visitor, lacks, entered, Some(error));
    }
    let event = match visitor.current.event() {
        Ok(event) => event,
        Err(refusal) => return visitor.fail(&refusal),
    };
    let kind = identifier(entered.identifier).kind;
    if !channels(lacks).iter().any(|channel| Some(*channel) == kind.channel()) {
        let wanted = if channels(lacks) == [Channel::Phone] { IdentifierType::Phone } else { IdentifierType::Email };
        let error = unreachable(&visitor.frame, wanted);
        return page(&visitor, lacks, entered, Some(error));
    }
    match send_further(&mut visitor, entered.identifier, event).await {
        Ok(sent) => sent,
        Err(error) => page(&visitor, lacks, entered, Some(error)),
    }
}

/// Over what a missing address or number is reached.
fn channels(lacks: &[Missing]) -> &'static [Channel] {
    let first = lacks.iter().find_map(|missing| match missing {
        Missing::Email => Some(&[Channel::Email][..]),
        Missing::Phone => Some(&[Channel::Phone][..]),
        Missing::EmailOrPhone => Some(&[Channel::Email, Channel::Phone][..]),
        Missing::Username | Missing::Password => None,
    });
    first.unwrap_or_default()
}

fn page(visitor: &Visitor, lacks: &[Missing], entered: Entered<'_>, error: Option<FieldError<'_>>) -> Response {
    let username = lacks.contains(&Missing::Username).then_some(entered.username);
    let asks_password = lacks.contains(&Missing::Password);
    let asks_address = username.is_none() && !asks_password;
    let channels = channels(lacks);
    if asks_address && channels.is_empty() {
        // Nothing that can be given here.
        return visitor.fail(&Refusal::MissingProfile(lacks.to_vec()));
    }
    let identifier = asks_address.then_some(entered.identifier);
    let (frame, csrf) = (&visitor.frame, &visitor.csrf);
    ProfilePage { frame, csrf, error, username, asks_password, identifier, channels }.answer()
}
