//! `/console/users/{id}`: the profile of a user, and the form that changes it.

use super::user::{PROFILE, PageHead, operation, page};
use crate::answer::{done, show_as};
use crate::caller::Caller;
use crate::failure::Failure;
use crate::form::Form;
use crate::frame::Frame;
use crate::json;
use crate::model::UserFacts;
use crate::posted::Posted;
use crate::section::Section;
use askama::Template;
use axum::extract::Path;
use axum::http::{Method, StatusCode};
use axum::response::Response;
use claimsmith_api::users::UserFields;
use serde_json::{Map, Value};

/// Top-level text fields of a user, with the same name in the form and the API.
const FIELDS: &[&str] = &["name", "username", "primaryEmail", "primaryPhone", "avatar"];

/// Standard profile claims: API name and label.
pub(super) const CLAIMS: &[(&str, &str)] = &[
    ("givenName", "Given name"),
    ("familyName", "Family name"),
    ("middleName", "Middle name"),
    ("nickname", "Nickname"),
    ("preferredUsername", "Preferred user name"),
    ("profile", "Profile page"),
    ("website", "Website"),
    ("gender", "Gender"),
    ("birthdate", "Date of birth"),
    ("zoneinfo", "Time zone"),
    ("locale", "Locale"),
];

/// Parts of the postal address.
pub(super) const ADDRESS: &[(&str, &str)] = &[
    ("formatted", "Whole address"),
    ("streetAddress", "Street"),
    ("postalCode", "Postal code"),
    ("locality", "City"),
    ("region", "Region"),
    ("country", "Country"),
];

#[derive(Template)]
#[template(path = "users/profile.html")]
pub(super) struct ProfilePage {
    pub(super) frame: Frame,
    pub(super) head: PageHead,
    /// The values of the form.
    pub(super) fields: Form,
    pub(super) custom_data: String,
    /// The validation error of the custom data.
    pub(super) custom_data_alert: String,
}

impl ProfilePage {
    /// The page with the stored values.
    pub(super) fn new(caller: &Caller, head: PageHead) -> Self {
        let fields = fields(&head.user);
        let custom_data = json::pretty(&head.user.custom_data);
        Self { frame: Frame::new(caller, Section::Users), head, fields, custom_data, custom_data_alert: String::new() }
    }

    /// Whether any part of the postal address is known.
    fn has_address(&self) -> bool {
        ADDRESS.iter().any(|(name, _)| !self.fields.text(&format!("address.{name}")).is_empty())
    }
}

pub(super) async fn show_profile(caller: Caller, Path(id): Path<String>) -> Result<Response, Failure> {
    let head = PageHead::load(&caller, &id, PROFILE).await?;
    show_as(&caller, StatusCode::OK, &ProfilePage::new(&caller, head))
}

pub(super) async fn save_profile(Path(id): Path<String>, Posted { caller, form }: Posted) -> Result<Response, Failure> {
    let head = PageHead::load(&caller, &id, PROFILE).await?;
    let body = changes(&head.user, &form);
    if body.is_empty() {
        return Ok(done(&page(&id, ""), "saved"));
    }
    match caller.change(Method::PATCH, &operation(&id, ""), body).await {
        Ok(()) => Ok(done(&page(&id, ""), "saved")),
        Err(failure) => {
            let refusal = failure.about_input()?;
            let mut shown = ProfilePage::new(&caller, head.with_alert(refusal.text()));
            shown.fields = form;
            show_as(&caller, StatusCode::UNPROCESSABLE_ENTITY, &shown)
        }
    }
}

/// Fills the form with the stored values.
fn fields(user: &UserFields) -> Form {
    let own = [&user.name, &user.username, &user.primary_email, &user.phone(), &user.avatar];
    let own = FIELDS.iter().zip(own).map(|(name, value)| ((*name).to_owned(), value.clone().unwrap_or_default()));
    let text = |value: Option<&Value>| value.and_then(Value::as_str).unwrap_or_default().to_owned();
    let claims = CLAIMS.iter().map(|(name, _)| ((*name).to_owned(), text(user.profile.get(*name))));
    let address = user.profile.get("address");
    let parts = ADDRESS
        .iter()
        .map(|(name, _)| (format!("address.{name}"), text(address.and_then(|address| address.get(*name)))));
    Form::of(own.chain(claims).chain(parts).collect())
}

/// The changed members only: an unchanged email or phone number needs no permission to change it.
fn changes(user: &UserFields, form: &Form) -> Map<String, Value> {
    let known = fields(user);
    let mut body = Map::new();
    for name in FIELDS {
        if form.text(name) != known.text(name) {
            body.insert((*name).to_owned(), form.filled(name).map_or(Value::Null, Value::from));
        }
    }
    let profile = profile(form);
    if profile != self::profile(&known) {
        body.insert("profile".to_owned(), Value::Object(profile));
    }
    body
}

/// The profile object from a form.
pub(super) fn profile(form: &Form) -> Map<String, Value> {
    let filled = |prefix: &str, names: &[(&str, &str)]| -> Map<String, Value> {
        let pairs = names.iter().filter_map(|(name, _)| {
            form.filled(&format!("{prefix}{name}")).map(|value| ((*name).to_owned(), Value::from(value)))
        });
        pairs.collect()
    };
    let mut profile = filled("", CLAIMS);
    let address = filled("address.", ADDRESS);
    if !address.is_empty() {
        profile.insert("address".to_owned(), Value::Object(address));
    }
    profile
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn ada() -> UserFields {
        crate::model::user(&json!({
            "name": "Ada", "username": "ada", "primaryPhone": "4915112345678",
            "profile": { "givenName": "Ada", "address": { "country": "UK" } }
        }))
    }

    #[test]
    fn a_form_that_comes_back_as_it_was_changes_nothing() {
        assert_eq!(changes(&ada(), &fields(&ada())), Map::new());
    }

    #[test]
    fn only_what_is_different_is_sent() {
        let mut sent = fields(&ada()).fields().to_vec();
        for (name, value) in &mut sent {
            match name.as_str() {
                "username" => value.clear(),
                "address.country" => "FR".clone_into(value),
                _ => {}
            }
        }
        let body = Value::Object(changes(&ada(), &Form::of(sent)));
        let profile = json!({ "givenName": "Ada", "address": { "country": "FR" } });
        assert_eq!(body, json!({ "username": null, "profile": profile }));
    }
}
