//! Impersonation with an application: where the console hands subject tokens over, the code of that endpoint, and a test.
//! The test is the real thing, a form that the operator's browser posts, so that nothing is sent by the server.

mod outcome;
mod snippets;

use self::outcome::Outcome;
use self::snippets::{Endpoint, EndpointSnippet, Values};
use super::model::{ApplicationFacts, TypeFacts, page_of, path_of, read};
use crate::answer::{done, show, show_as};
use crate::caller::Caller;
use crate::failure::Failure;
use crate::form::Form;
use crate::frame::Frame;
use crate::hand_over::{self, HandOver};
use crate::json::{FormBuilder, text};
use crate::posted::Posted;
use crate::resources::obtainable::{Recipient, obtainable};
use crate::section::Section;
use askama::Template;
use axum::extract::Path;
use axum::http::{Method, StatusCode};
use axum::response::Response;
use claimsmith_api::applications::{ApplicationDetails, ApplicationView};
use claimsmith_api::resources::ResourceWithScopes;
use claimsmith_domain::grant::token_exchange::{ACCESS_TOKEN_TYPE, TEST_SUBJECT_TOKEN};
use serde_json::{Value, json};

/// How a pattern of HTML says what the API accepts.
const PATTERN: &str = r"https://[^#]+|http://(localhost|127\.[0-9.]+|\[::1\])([:\/?][^#]*)?";

#[derive(Template)]
#[template(path = "applications/impersonation.html")]
struct ImpersonationPage {
    frame: Frame,
    app: ApplicationDetails,
    form: Form,
    /// What was refused, unless it is said at the field of the URI.
    problem: String,
    /// The stored endpoint, or an example.
    endpoint: Endpoint,
    snippet: &'static EndpointSnippet,
    files: Vec<(String, String)>,
    /// The APIs to choose from, with their labels.
    resources: Vec<(String, String)>,
    resource: String,
    /// What came of the test, where it is asked for.
    outcome: Option<Outcome>,
    /// The id of the newest entry when the page was opened: later ones are of the test.
    newest: String,
}

impl ImpersonationPage {
    /// What is still to be done before the console can hand tokens over.
    fn missing(&self) -> Vec<&'static str> {
        let custom = &self.app.application.custom_client_metadata;
        let mut missing = Vec::new();
        if custom.impersonation_uri.is_none() {
            missing.push("Enter the URL of the endpoint.");
        }
        if custom.allow_token_exchange != Some(true) {
            missing.push("Allow the application to exchange tokens.");
        }
        missing
    }

    fn is_registered(&self) -> bool {
        self.app.application.redirect_uris().iter().any(|uri| uri == self.endpoint.callback.as_str())
    }

    fn snippets() -> &'static [EndpointSnippet] {
        &snippets::ALL
    }

    fn is_chosen(&self, snippet: &EndpointSnippet) -> bool {
        snippet.id == self.snippet.id
    }

    fn page(&self) -> String {
        format!("{}/impersonation", self.app.application.page())
    }
}

/// The page that sets an application up for impersonation.
pub(crate) fn page_for(application: &ApplicationView) -> String {
    format!("{}/impersonation", page_of(&application.id))
}

/// Whether an application can be set up for impersonation: one of the operator's own, that users sign in to.
pub(crate) fn is_possible(application: &ApplicationView) -> bool {
    !application.is_third_party && !application.is_built_in() && application.kind().has_users()
}

fn form_of(ApplicationDetails { application: app, .. }: &ApplicationDetails) -> Form {
    let custom = &app.custom_client_metadata;
    let uri = custom.impersonation_uri.as_deref();
    let callback = uri.and_then(Endpoint::at).map(|endpoint| endpoint.callback);
    let is_registered = callback.is_some_and(|callback| app.redirect_uris().iter().any(|uri| uri == callback.as_str()));
    // Both are needed, so they are ticked when it is set up for the first time.
    FormBuilder::default()
        .value("impersonationUri", &uri.into())
        .tick("allowTokenExchange", uri.is_none() || custom.allow_token_exchange == Some(true))
        .tick("callback", (uri.is_none() || is_registered) && custom.uses_codes(app.kind()))
        .form()
}

async fn page(
    caller: &Caller,
    app: ApplicationDetails,
    form: Form,
    problem: String,
) -> Result<ImpersonationPage, Failure> {
    let stored = app.application.custom_client_metadata.impersonation_uri.as_deref().and_then(Endpoint::at);
    let endpoint = stored.or_else(Endpoint::example).ok_or_else(|| Failure::missing(caller))?;
    let found = obtainable(caller, Recipient::AnyWithPlugins).await?;
    let asked = caller.query("resource");
    let chosen = found.iter().find(|one| Some(one.resource.indicator.as_str()) == asked).or_else(|| found.first());
    let scope = chosen.map(|one| one.scopes.iter().map(|scope| scope.name.as_str()).collect::<Vec<_>>().join(" "));
    let resource = chosen.map(|one| one.resource.indicator.clone()).unwrap_or_default();
    let all = &snippets::ALL;
    let with = caller.query("with");
    let snippet = all.iter().find(|snippet| Some(snippet.id) == with).unwrap_or(&all[0]);
    let values = Values {
        base_url: &caller.console().base_url,
        client_id: &app.application.id,
        endpoint: &endpoint,
        resource: if resource.is_empty() { "https://api.example.com" } else { &resource },
        scope: scope.as_deref().filter(|scope| !scope.is_empty()).unwrap_or("read"),
    };
    let files = values.files(snippet);
    let entries = outcome::entries(caller).await?;
    let outcome = caller.query("after").map(|after| Outcome::of(&entries, &app.application.id, after));
    let newest = entries.first().map_or_else(|| "none".to_owned(), |entry| entry.id.clone());
    let newest = caller.query("after").map_or(newest, str::to_owned);
    let label = |one: &ResourceWithScopes| format!("{} ({})", one.resource.name, one.resource.indicator);
    let resources = found.iter().map(|one| (one.resource.indicator.clone(), label(one))).collect();
    let frame = Frame::new(caller, Section::Applications);
    Ok(ImpersonationPage { frame, app, form, problem, endpoint, snippet, files, resources, resource, outcome, newest })
}

pub(super) async fn show_impersonation(caller: Caller, Path(id): Path<String>) -> Result<Response, Failure> {
    let app = read(&caller, &id).await?;
    let form = form_of(&app);
    show(&caller, &page(&caller, app, form, String::new()).await?)
}

pub(super) async fn save(Path(id): Path<String>, Posted { caller, form }: Posted) -> Result<Response, Failure> {
    let app = read(&caller, &id).await?;
    match caller.change(Method::PATCH, &path_of(&id), body_of(&app.application, &form)).await {
        Ok(()) => Ok(done(&page_for(&app.application), "saved")),
        Err(failure) => {
            let refusal = failure.about_input()?;
            // The field says it alone.
            let problem = if form.is_wrong("impersonationUri") { String::new() } else { refusal.text() };
            show_as(&caller, StatusCode::UNPROCESSABLE_ENTITY, &page(&caller, app, form, problem).await?)
        }
    }
}

/// The PATCH body of the form. The redirect URI of the endpoint comes and goes with it; others stay. Without an endpoint,
/// nothing is granted.
fn body_of(app: &ApplicationView, form: &Form) -> Value {
    let mut custom = json!({ "impersonationUri": text(form, "impersonationUri") });
    if !custom["impersonationUri"].is_null() {
        let is_allowed = form.is_ticked("allowTokenExchange");
        custom["allowTokenExchange"] = if is_allowed { true.into() } else { Value::Null };
    }
    let callback = |uri: &str| Endpoint::at(uri).map(|endpoint| endpoint.callback.to_string());
    let old = app.custom_client_metadata.impersonation_uri.as_deref().and_then(callback);
    let new = callback(form.text("impersonationUri"));
    let is_of_endpoint = |uri: &String| [&old, &new].into_iter().flatten().any(|callback| callback == uri);
    let mut uris: Vec<&String> = app.redirect_uris().iter().filter(|uri| !is_of_endpoint(uri)).collect();
    if let Some(new) = new.as_ref().filter(|_| form.is_ticked("callback")) {
        uris.push(new);
    }
    let mut body = json!({ "customClientMetadata": custom });
    let is_same = uris.len() == app.redirect_uris().len() && uris.iter().all(|uri| app.redirect_uris().contains(uri));
    if !is_same {
        body["oidcClientMetadata"] = json!({ "redirectUris": uris });
    }
    body
}

/// Hands the application a token that stands for no user, as an impersonation would.
pub(super) async fn test(Path(id): Path<String>, Posted { caller, .. }: Posted) -> Result<Response, Failure> {
    let ApplicationDetails { application, .. } = read(&caller, &id).await?;
    let uri = application.custom_client_metadata.impersonation_uri.clone().filter(|_| is_possible(&application));
    let address = uri.ok_or_else(|| {
        let message = "Enter the URL of the endpoint first, and save it.";
        Failure::page(&caller, StatusCode::UNPROCESSABLE_ENTITY, message)
    })?;
    let fields = vec![
        ("subject_token", TEST_SUBJECT_TOKEN.to_owned()),
        ("subject_token_type", ACCESS_TOKEN_TYPE.to_owned()),
        ("user_id", "test".to_owned()),
        ("reason", "Test from the console".to_owned()),
        ("ticket_id", "TEST".to_owned()),
    ];
    let title = format!("Test of {}", application.name);
    let note = "If nothing happens, continue by hand. The token is a test, so the application will report an error. Go back \
                to the console to see what it means.";
    let handed = HandOver { title, note, application: application.name, address, fields };
    hand_over::respond(&caller, Section::Applications, handed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_redirect_uri_comes_and_goes_with_the_endpoint() -> Result<(), serde_json::Error> {
        let app: ApplicationView = serde_json::from_value(json!({
            "tenantId": "default", "id": "shop", "name": "Shop", "type": "Traditional",
            "oidcClientMetadata": {
                "redirectUris": ["https://a.test/cb", "https://a.test/in/callback"], "postLogoutRedirectUris": [],
            },
            "customClientMetadata": { "impersonationUri": "https://a.test/in" }, "customData": {},
            "isThirdParty": false, "appLevelAccessControlEnabled": false, "createdAt": 0,
        }))?;
        let uris = |fields: &[(&str, &str)]| {
            let fields = fields.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
            body_of(&app, &Form::of(fields))["oidcClientMetadata"]["redirectUris"].clone()
        };
        let moved = [("impersonationUri", "https://a.test/new"), ("callback", "true")];
        assert_eq!(uris(&moved), json!(["https://a.test/cb", "https://a.test/new/callback"]));
        assert_eq!(uris(&moved[..1]), json!(["https://a.test/cb"]));
        assert_eq!(uris(&[("callback", "true")]), json!(["https://a.test/cb"]));
        assert_eq!(uris(&[("impersonationUri", "https://a.test/in"), ("callback", "true")]), Value::Null);
        let ticked = vec![("allowTokenExchange".to_owned(), "true".to_owned())];
        assert_eq!(body_of(&app, &Form::of(ticked))["customClientMetadata"], json!({ "impersonationUri": null }));
        Ok(())
    }
}
