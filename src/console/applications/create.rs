//! Creates an application in three short steps: type, name and URIs, and quickstart code.

use super::guide::{self, Guide};
use super::model::{TYPES, TypeFacts, path_of};
use crate::answer::{show, show_as};
use crate::caller::Caller;
use crate::failure::Failure;
use crate::form::Form;
use crate::frame::Frame;
use crate::json;
use crate::posted::Posted;
use crate::section::Section;
use askama::Template;
use axum::http::{Method, StatusCode};
use axum::response::Response;
use claimsmith_api::applications::{ApplicationDetails, CreatedApplication};
use claimsmith_domain::documents::application::ApplicationType;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use url::Url;

const PATH: &str = "/api/applications";
/// The scopes that a new third-party application may ask for: what apps show of a signed-in user.
const FIRST_SCOPES: [&str; 2] = ["profile", "email"];

#[derive(Template)]
#[template(path = "applications/new_type.html")]
struct TypePage {
    frame: Frame,
}

#[derive(Template)]
#[template(path = "applications/new_details.html")]
struct DetailsPage {
    frame: Frame,
    kind: ApplicationType,
    form: Form,
    problem: String,
}

pub(super) async fn ask(caller: Caller) -> Result<Response, Failure> {
    let frame = Frame::new(&caller, Section::Applications);
    match caller.query("type").and_then(ApplicationType::parse) {
        None => show(&caller, &TypePage { frame }),
        Some(kind) => show(&caller, &DetailsPage { frame, kind, form: Form::default(), problem: String::new() }),
    }
}

pub(super) async fn submit(Posted { caller, form }: Posted) -> Result<Response, Failure> {
    let Some(kind) = ApplicationType::parse(form.text("type")) else {
        return ask(caller).await;
    };
    match caller.write::<CreatedApplication>(Method::POST, PATH, body_of(kind, &form)).await {
        Ok(CreatedApplication { application, secret }) => {
            if application.is_third_party {
                let path = format!("{}/user-consent-scopes", path_of(&application.id));
                // The application exists now: if this fails, its page shows that no scopes are enabled.
                caller.change(Method::POST, &path, json!({ "userScopes": FIRST_SCOPES })).await.ok();
            }
            let app = ApplicationDetails { application, is_admin: false };
            guide::show(&caller, app, Guide { secret, is_new: true, ..Guide::default() }).await
        }
        Err(failure) => {
            let problem = failure.about_input()?.text();
            let frame = Frame::new(&caller, Section::Applications);
            show_as(&caller, StatusCode::UNPROCESSABLE_ENTITY, &DetailsPage { frame, kind, form, problem })
        }
    }
}

fn body_of(kind: ApplicationType, form: &Form) -> Value {
    let redirects = form.lines("redirectUris");
    // A single-page app calls the token endpoint from the origin of its redirect URI.
    let origins: BTreeSet<_> = redirects
        .iter()
        .filter_map(|uri| Url::parse(uri).ok())
        .filter(|url| kind == ApplicationType::Spa && matches!(url.scheme(), "http" | "https"))
        .map(|url| url.origin().ascii_serialization())
        .collect();
    json::filled(json!({
        "name": form.text("name"),
        "description": json::text(form, "description"),
        "type": kind.as_str(),
        "isThirdParty": form.is_ticked("isThirdParty").then_some(true),
        "oidcClientMetadata": {
            "redirectUris": redirects, "postLogoutRedirectUris": form.lines("postLogoutRedirectUris"),
        },
        "customClientMetadata": json::filled(json!({
            "corsAllowedOrigins": (!origins.is_empty()).then_some(origins),
            "isDeviceFlow": form.is_ticked("isDeviceFlow").then_some(true),
        })),
    }))
}

impl TypePage {
    /// The example command for the first type, which is selected by default.
    fn command(&self) -> String {
        command(&self.frame, TYPES[0])
    }
}

impl DetailsPage {
    fn command(&self) -> String {
        command(&self.frame, self.kind)
    }
}

/// An example command that creates such an application through the API.
fn command(frame: &Frame, kind: ApplicationType) -> String {
    let redirects = kind
        .has_users()
        .then(|| json!({ "redirectUris": ["https://app.example.com/callback"], "postLogoutRedirectUris": [] }));
    let body = json!({ "name": "Shop", "type": kind.as_str(), "oidcClientMetadata": redirects });
    frame.command("POST", PATH, &json::filled(body).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_single_page_may_call_from_where_it_runs() {
        let fields = [
            ("name", "Shop"),
            ("redirectUris", "https://shop.test/callback\r\nhttps://shop.test/silent\r\ncom.shop:/x"),
        ];
        let form = Form::of(fields.map(|(name, value)| (name.to_owned(), value.to_owned())).into());
        let body = body_of(ApplicationType::Spa, &form);
        assert_eq!(body["customClientMetadata"]["corsAllowedOrigins"], json!(["https://shop.test"]));
        let body = body_of(ApplicationType::Traditional, &form);
        assert_eq!(body["customClientMetadata"], json!({}));
        assert_eq!(body["oidcClientMetadata"]["redirectUris"].as_array().map(Vec::len), Some(3));
    }
}
