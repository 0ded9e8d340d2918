//! Creates an application in three short steps: framework, name and URIs, and quickstart code.

use super::guide::{self, Guide};
use super::model::{TYPES, TypeFacts, path_of};
use super::try_it::resources as resource_options;
use crate::answer::{show, show_as};
use crate::caller::Caller;
use crate::failure::Failure;
use crate::form::Form;
use crate::frame::Frame;
use crate::json;
use crate::posted::Posted;
use crate::quickstart::{self, Framework};
use crate::section::Section;
use askama::Template;
use axum::http::{Method, StatusCode};
use axum::response::Response;
use claimsmith_api::applications::{ApplicationDetails, CreatedApplication};
use claimsmith_domain::documents::algorithm::Algorithm;
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
    framework: Option<&'static Framework>,
    resources: Vec<(String, String)>,
    form: Form,
    problem: String,
}

/// The first two steps. `with` is a framework or, for other frameworks, a type of application.
pub(super) async fn ask(caller: Caller) -> Result<Response, Failure> {
    let chosen = caller.query("with").or_else(|| caller.query("type")).unwrap_or_default();
    let framework = quickstart::find(chosen);
    let Some(kind) = framework.map(|framework| framework.kind).or_else(|| ApplicationType::parse(chosen)) else {
        return show(&caller, &TypePage { frame: Frame::new(&caller, Section::Applications) });
    };
    let form = framework.map_or_else(Form::default, prefilled);
    let page = DetailsPage::read(&caller, kind, framework, form, String::new()).await?;
    show(&caller, &page)
}

pub(super) async fn submit(Posted { caller, form }: Posted) -> Result<Response, Failure> {
    let Some(kind) = ApplicationType::parse(form.text("type")) else {
        return ask(caller).await;
    };
    let framework = quickstart::find(form.text("with")).filter(|framework| framework.kind == kind);
    match caller.write::<CreatedApplication>(Method::POST, PATH, body_of(kind, framework, &form)).await {
        Ok(CreatedApplication { application, secret }) => {
            if application.is_third_party {
                let path = format!("{}/user-consent-scopes", path_of(&application.id));
                // The application exists now: if this fails, its page shows that no scopes are enabled.
                caller.change(Method::POST, &path, json!({ "userScopes": FIRST_SCOPES })).await.ok();
            }
            let app = ApplicationDetails { application, is_admin: false };
            let [chosen, resource] = ["with", "resource"].map(|name| form.text(name).to_owned());
            guide::show(&caller, app, Guide { secret, is_new: true, chosen, resource }).await
        }
        Err(failure) => {
            let problem = failure.about_input()?.text();
            let page = DetailsPage::read(&caller, kind, framework, form, problem).await?;
            show_as(&caller, StatusCode::UNPROCESSABLE_ENTITY, &page)
        }
    }
}

/// The fields of the second step with the values of a framework.
fn prefilled(framework: &Framework) -> Form {
    let mut fields = vec![
        ("redirectUris".to_owned(), framework.redirect_uri.to_owned()),
        ("postLogoutRedirectUris".to_owned(), framework.post_logout_uri.to_owned()),
    ];
    if framework.kind.has_users() {
        fields.push(("nameInIdTokens".to_owned(), "true".to_owned()));
    }
    if framework.takes_es256() {
        fields.push(("es256IdTokens".to_owned(), "true".to_owned()));
    }
    Form::of(fields)
}

fn body_of(kind: ApplicationType, framework: Option<&Framework>, form: &Form) -> Value {
    let redirects = form.lines("redirectUris");
    // A single-page app calls the token endpoint from the origin of its redirect URI.
    let origins: BTreeSet<_> = redirects
        .iter()
        .filter_map(|uri| Url::parse(uri).ok())
        .filter(|url| kind == ApplicationType::Spa && matches!(url.scheme(), "http" | "https"))
        .map(|url| url.origin().ascii_serialization())
        .collect();
    let is_device = form.is_ticked("isDeviceFlow") || framework.is_some_and(Framework::is_device_flow);
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
            "isDeviceFlow": is_device.then_some(true),
            "idTokenClaims": form.is_ticked("nameInIdTokens").then_some(FIRST_SCOPES),
            "idTokenSignedResponseAlg": form.is_ticked("es256IdTokens").then_some(Algorithm::ES256.as_str()),
        })),
    }))
}

impl TypePage {
    /// The example command for the first type.
    fn command(&self) -> String {
        command(&self.frame, TYPES[0])
    }
}

impl DetailsPage {
    async fn read(
        caller: &Caller,
        kind: ApplicationType,
        framework: Option<&'static Framework>,
        form: Form,
        problem: String,
    ) -> Result<Self, Failure> {
        let mut resources = resource_options(caller, kind).await?;
        // The quickstart needs an API to call.
        resources.retain(|(indicator, _)| !indicator.is_empty());
        let frame = Frame::new(caller, Section::Applications);
        Ok(Self { frame, kind, framework, resources, form, problem })
    }

    fn title(&self) -> String {
        let framework = self.framework.map(|framework| framework.title);
        framework.map_or_else(|| self.kind.title().to_lowercase(), |title| format!("{title} application"))
    }

    fn is_device_flow(&self) -> bool {
        self.framework.is_some_and(Framework::is_device_flow)
    }

    /// What ES256 saves, if the application may choose it: the program of the framework accepts it, or there is none.
    fn es256(&self) -> Option<&'static str> {
        match self.framework {
            None => Some(
                "A sign-in takes about half the server's time that it takes with RS256. Choose it if your library accepts \
                 ES256.",
            ),
            Some(framework) if framework.takes_es256() => Some(
                "A sign-in takes about half the server's time that it takes with RS256. The quickstart code accepts ES256.",
            ),
            Some(_) => None,
        }
    }

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
        let body = body_of(ApplicationType::Spa, None, &form);
        assert_eq!(body["customClientMetadata"]["corsAllowedOrigins"], json!(["https://shop.test"]));
        let body = body_of(ApplicationType::Traditional, None, &form);
        assert_eq!(body["customClientMetadata"], json!({}));
        assert_eq!(body["oidcClientMetadata"]["redirectUris"].as_array().map(Vec::len), Some(3));
    }

    #[test]
    fn the_form_of_a_framework_has_its_redirect_uris_and_the_name_in_id_tokens() {
        for kind in TYPES {
            for framework in quickstart::of(kind) {
                let body = body_of(kind, Some(framework), &prefilled(framework));
                let redirects = &body["oidcClientMetadata"]["redirectUris"];
                let expected = Some(framework.redirect_uri).filter(|uri| !uri.is_empty());
                assert_eq!(redirects, &json!(expected.as_slice()), "{}", framework.id);
                let claims = &body["customClientMetadata"]["idTokenClaims"];
                assert_eq!(claims.is_array(), kind.has_users(), "{}", framework.id);
                let expected = framework.takes_es256().then_some("ES256");
                assert_eq!(
                    body["customClientMetadata"]["idTokenSignedResponseAlg"].as_str(),
                    expected,
                    "{}",
                    framework.id
                );
                let is_device = body["customClientMetadata"]["isDeviceFlow"] == true;
                assert_eq!(is_device, framework.is_device_flow(), "{}", framework.id);
            }
        }
    }
}
