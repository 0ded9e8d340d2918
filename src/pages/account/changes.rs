//! Forms that change the account: name and picture, username, password, custom profile fields, email address and phone
//! number, linked accounts, second factors.

use super::messages::field_error;
use super::overview;
use super::proof::{prove, refused, settle, verify};
use super::visitor::{AccountPost, AccountVisitor};
use crate::custom_fields::{entered, told};
use crate::form::FieldError;
use crate::paths;
use axum::response::Response;
use claimsmith_domain::documents::account_center::Field;
use claimsmith_domain::documents::custom_profile_field::CustomProfileField;
use claimsmith_domain::documents::text::Text;
use claimsmith_domain::documents::user::AvatarUrl;
use claimsmith_domain::identifier::IdentifierType;
use claimsmith_identity::interaction::refusal::InteractionRefusal;
use claimsmith_identity::own_account::profile::{ProfileChange, change};
use claimsmith_identity::own_account::refusal::OwnAccountRefusal;
use claimsmith_identity::own_account::{company, factors, identifiers, password, profile_fields};
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
    let which = if text(&form, "address") == "phone" { IdentifierType::Phone } else { IdentifierType::Email };
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

/// Sets the password. The form also asks for the current one, if the user has one.
pub(super) async fn password(AccountPost(person, form): AccountPost) -> Response {
    let text = |name: &str| form.all(name).next().unwrap_or_default();
    let (current, new) = (text("current_password"), text("new_password"));
    let has_password = person.user.password_digest.is_some();
    if !has_password && let Err(asked) = prove(&person, &form, paths::ACCOUNT_PASSWORD).await {
        return asked;
    }
    for (field, value, is_asked) in [("current_password", current, has_password), ("new_password", new, true)] {
        if is_asked && value.is_empty() {
            let error = FieldError::at(field, person.frame.t.errors.required.as_str());
            return overview::page(&person, None, Some(error), false).await;
        }
    }
    if has_password && let Err(refusal) = verify(&person, current).await {
        return match field_error(&person.frame, &refusal) {
            Some(error) => overview::page(&person, None, Some(error), false).await,
            None => person.fail(&refusal),
        };
    }
    let outcome = password::set(&person.owner, new).await;
    match outcome {
        Err(refusal) => refused(&person, &form, paths::ACCOUNT_PASSWORD, refusal).await,
        done => settle(&person, &form, paths::ACCOUNT_PASSWORD, done).await,
    }
}

/// Sets the custom profile fields.
pub(super) async fn fields(AccountPost(person, form): AccountPost) -> Response {
    let fields = match editable(&person).await {
        Ok(fields) => fields,
        Err(refusal) => return person.fail(&refusal),
    };
    match profile_fields::set(&person.owner, &entered(&form, &fields)).await {
        Err(OwnAccountRefusal::Common(InteractionRefusal::ExtraProfile(refused))) => {
            let error = FieldError::of_form(told(&person.frame, &fields, &refused));
            overview::page(&person, Some(&form), Some(error), false).await
        }
        outcome => settle(&person, &form, paths::ACCOUNT_FIELDS, outcome).await,
    }
}

async fn editable(person: &AccountVisitor) -> Result<Vec<CustomProfileField>, OwnAccountRefusal> {
    let own = profile_fields::fields(&mut person.owner.read().await?, &person.settings).await?;
    Ok(own.into_iter().filter(|field| field.is_editable).map(|field| field.definition).collect())
}
