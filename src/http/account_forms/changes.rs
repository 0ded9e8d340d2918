//! Forms that change the account: name and picture, username, addresses, linked accounts, second factors.

use super::guard::{prove, settle};
use super::overview;
use super::visitor::AccountPost;
use axum::response::Response;
use claimsmith_domain::documents::account_center::Field;
use claimsmith_domain::documents::text::Text;
use claimsmith_domain::documents::user::AvatarUrl;
use claimsmith_identity::accounts::UserIdentifier;
use claimsmith_identity::own_account::profile::{ProfileChange, change};
use claimsmith_identity::own_account::refusal::OwnAccountRefusal;
use claimsmith_identity::own_account::{company, factors, identifiers};
use claimsmith_pages::form::FieldError;
use claimsmith_pages::paths;
use claimsmith_web::extract::form::Form;

/// The first value of a field, trimmed.
fn text<'f>(form: &'f Form, name: &str) -> &'f str {
    form.all(name).next().unwrap_or_default().trim()
}

/// Sets name and picture.
pub(super) async fn profile(AccountPost(person, form): AccountPost) -> Response {
    let (name, avatar) = (text(&form, "name").to_owned(), text(&form, "avatar").to_owned());
    let (fields, texts) = (&person.settings.fields, &person.frame.t.errors);
    let wrong = if Text::<0, 128>::try_from(name.clone()).is_err() {
        Some(FieldError::at("name", texts.unexpected.as_str()))
    } else if AvatarUrl::try_from(avatar.clone()).is_err() {
        Some(FieldError::at("avatar", texts.url_format.as_str()))
    } else {
        None
    };
    if let Some(error) = wrong {
        return overview::page(&person, Some(&form), Some(error), false).await;
    }
    let given = |value: String| Some(value).filter(|value| !value.is_empty());
    let wanted = ProfileChange {
        name: fields.edits(Field::Name).then(|| given(name)),
        avatar: fields.edits(Field::Avatar).then(|| given(avatar)),
        ..ProfileChange::default()
    };
    let outcome = change(&person.owner, wanted).await.map(drop);
    settle(&person, &form, paths::ACCOUNT_PROFILE, outcome).await
}

/// Sets the username.
pub(super) async fn username(AccountPost(person, form): AccountPost) -> Response {
    if let Err(asked) = prove(&person, &form, paths::ACCOUNT_USERNAME).await {
        return asked;
    }
    let username = Some(text(&form, "username").to_owned()).filter(|username| !username.is_empty());
    let wanted = ProfileChange { username: Some(username), ..ProfileChange::default() };
    let outcome = change(&person.owner, wanted).await.map(drop);
    settle(&person, &form, paths::ACCOUNT_USERNAME, outcome).await
}

/// Removes the email address or the phone number.
pub(super) async fn remove_address(AccountPost(person, form): AccountPost) -> Response {
    if let Err(asked) = prove(&person, &form, paths::ACCOUNT_ADDRESS).await {
        return asked;
    }
    let which = if text(&form, "address") == "phone" { UserIdentifier::Phone } else { UserIdentifier::Email };
    let outcome = identifiers::remove(&person.owner, which).await;
    settle(&person, &form, paths::ACCOUNT_ADDRESS, outcome).await
}

/// Unlinks an account.
pub(super) async fn unlink(AccountPost(person, form): AccountPost) -> Response {
    if let Err(asked) = prove(&person, &form, paths::ACCOUNT_IDENTITY).await {
        return asked;
    }
    let outcome = match form.all("enterprise").next() {
        Some(id) => company::unlink(&person.owner, &id.into()).await,
        None => identifiers::unlink(&person.owner, text(&form, "target")).await,
    };
    settle(&person, &form, paths::ACCOUNT_IDENTITY, outcome).await
}

/// Renames a second factor.
pub(super) async fn rename_factor(AccountPost(person, form): AccountPost) -> Response {
    if let Err(asked) = prove(&person, &form, paths::ACCOUNT_FACTOR_NAME).await {
        return asked;
    }
    let outcome = match Text::<1, 128>::try_from(text(&form, "name").to_owned()) {
        Ok(name) => factors::rename(&person.owner, &text(&form, "id").into(), name.as_str()).await,
        Err(_) => Err(OwnAccountRefusal::UnknownFactor),
    };
    settle(&person, &form, paths::ACCOUNT_FACTOR_NAME, outcome).await
}

/// Removes a second factor.
pub(super) async fn remove_factor(AccountPost(person, form): AccountPost) -> Response {
    if let Err(asked) = prove(&person, &form, paths::ACCOUNT_FACTOR).await {
        return asked;
    }
    let outcome = factors::remove(&person.owner, &text(&form, "id").into()).await;
    settle(&person, &form, paths::ACCOUNT_FACTOR, outcome).await
}
