//! The form of the operator's custom profile fields.

use super::guard::settle;
use super::overview;
use super::visitor::{AccountPost, AccountVisitor};
use crate::http::profile_fields::{entered, told};
use axum::response::Response;
use claimsmith_domain::documents::custom_profile_field::CustomProfileField;
use claimsmith_identity::interaction::refusal::InteractionRefusal;
use claimsmith_identity::own_account::profile_fields;
use claimsmith_identity::own_account::refusal::OwnAccountRefusal;
use claimsmith_pages::form::FieldError;
use claimsmith_pages::paths;

/// Sets the entered values.
pub(super) async fn set(AccountPost(person, form): AccountPost) -> Response {
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
