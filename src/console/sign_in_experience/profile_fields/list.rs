//! The profile fields in display order, which can be changed, and the types of new ones.

use super::PAGE;
use super::model::{self, FieldFacts, TYPES};
use crate::answer::{done, see_other, show};
use crate::caller::Caller;
use crate::failure::Failure;
use crate::frame::Frame;
use crate::posted::Posted;
use crate::section::Section;
use askama::Template;
use axum::http::Method;
use axum::response::Response;
use claimsmith_api::custom_profile_fields::CustomProfileFieldView;
use serde::Deserialize;
use serde_json::{Value, json};

/// The API path of the operation that sets the order.
const ORDER: &str = "/api/custom-profile-fields/properties/sie-order";

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Settings {
    /// The fields asked at registration; all if there is no list.
    sign_up_profile_fields: Option<Vec<Value>>,
}

#[derive(Template)]
#[template(path = "sign_in_experience/profile_fields/list.html")]
struct ListPage {
    frame: Frame,
    list: Vec<CustomProfileFieldView>,
    settings: Settings,
}

impl ListPage {
    fn is_asked(&self, field: &CustomProfileFieldView) -> bool {
        let asked = self.settings.sign_up_profile_fields.as_ref();
        asked.is_none_or(|names| names.iter().any(|asked| asked["name"] == field.name.as_str()))
    }
}

pub(super) async fn show_list(caller: Caller) -> Result<Response, Failure> {
    let list = model::all(&caller).await?;
    let settings = caller.peek("/api/sign-in-exp").await.unwrap_or_default();
    let frame = Frame::new(&caller, Section::SignInExperience);
    show(&caller, &ListPage { frame, list, settings })
}

/// Moves a field up or down by one.
pub(super) async fn order(Posted { caller, form }: Posted) -> Result<Response, Failure> {
    let mut names: Vec<String> = model::all(&caller).await?.into_iter().map(|field| field.name).collect();
    let place = |name: &str| names.iter().position(|known| known == name);
    let first = match (form.filled("up"), form.filled("down")) {
        (Some(name), _) => place(name).and_then(|place| place.checked_sub(1)),
        (None, Some(name)) => place(name),
        (None, None) => None,
    };
    // The field may have been deleted meanwhile.
    let Some(first) = first.filter(|first| first + 1 < names.len()) else { return Ok(see_other(PAGE)) };
    names.swap(first, first + 1);
    let places = names.iter().zip(1..).map(|(name, place)| json!({ "name": name, "sieOrder": place }));
    caller.change(Method::POST, ORDER, json!({ "order": places.collect::<Vec<_>>() })).await?;
    Ok(done(PAGE, "saved"))
}
