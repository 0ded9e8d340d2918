//! The quickstart of an application: a small program in a framework, with the application's values.

use super::model::{ApplicationFacts, TypeFacts, read};
use crate::Console;
use crate::answer::show as show_page;
use crate::caller::Caller;
use crate::failure::Failure;
use crate::frame::Frame;
use crate::model::ResourceFacts;
use crate::quickstart::{self, Framework, Values};
use crate::resources::obtainable::{Recipient, obtainable, options};
use crate::section::Section;
use askama::Template;
use axum::extract::Path;
use axum::response::Response;
use claimsmith_api::applications::ApplicationDetails;
use claimsmith_api::resources::ResourceWithScopes;
use claimsmith_domain::documents::id_token::IdTokenClaims;
use url::Url;

/// Options of the quickstart page.
#[derive(Default)]
pub(super) struct Guide {
    /// The client secret, available only right after creation.
    pub(super) secret: Option<String>,
    /// Whether the application has just been created.
    pub(super) is_new: bool,
    /// The id of the selected framework.
    pub(super) chosen: String,
    /// The indicator of the selected API; empty: the first one.
    pub(super) resource: String,
}

#[derive(Template)]
#[template(path = "applications/guide.html")]
struct GuidePage {
    frame: Frame,
    app: ApplicationDetails,
    guide: Guide,
    frameworks: Vec<&'static Framework>,
    framework: &'static Framework,
    resources: Vec<(String, String)>,
    /// The selected API; none if there is none to select.
    resource: Option<ResourceWithScopes>,
    files: Vec<(&'static str, String)>,
    /// What the program needs that the application does not have.
    remarks: Vec<&'static str>,
}

impl GuidePage {
    fn is_chosen(&self, framework: &Framework) -> bool {
        framework.id == self.framework.id
    }

    fn indicator(&self) -> &str {
        self.resource.as_ref().map_or("", |listed| &listed.resource.indicator)
    }
}

pub(super) async fn show_guide(caller: Caller, Path(id): Path<String>) -> Result<Response, Failure> {
    let app = read(&caller, &id).await?;
    let [chosen, resource] = ["with", "resource"].map(|name| caller.query(name).unwrap_or_default().to_owned());
    show(&caller, app, Guide { chosen, resource, ..Guide::default() }).await
}

/// Shows the quickstart of an application.
pub(super) async fn show(caller: &Caller, app: ApplicationDetails, guide: Guide) -> Result<Response, Failure> {
    let frameworks: Vec<_> = offered(&app).collect();
    let chosen = frameworks.iter().find(|framework| framework.id == guide.chosen);
    let Some(framework) = chosen.or_else(|| frameworks.first()).copied() else {
        return Err(Failure::missing(caller));
    };
    let listed = obtainable(caller, Recipient::Application(app.application.kind())).await?;
    let resources = options(&listed).collect();
    let asked = listed.iter().find(|listed| listed.resource.indicator == guide.resource);
    let resource = asked.or_else(|| listed.first()).cloned();
    let values = values(caller, &app, framework, guide.secret.clone(), resource.clone());
    let remarks = remarks(&app, framework, &values);
    let files = values.fill(&framework.program);
    let frame = Frame::new(caller, Section::Applications);
    let page = GuidePage { frame, app, guide, frameworks, framework, resources, resource, files, remarks };
    show_page(caller, &page)
}

/// The frameworks that fit an application: those of the device flow or those of the code flow.
fn offered(app: &ApplicationDetails) -> impl Iterator<Item = &'static Framework> {
    let is_device = app.application.is_device();
    quickstart::of(app.application.kind()).filter(move |framework| framework.is_device_flow() == is_device)
}

fn values(
    caller: &Caller,
    app: &ApplicationDetails,
    framework: &Framework,
    client_secret: Option<String>,
    api: Option<ResourceWithScopes>,
) -> Values {
    let registered = app.application.redirect_uris();
    let redirect_uri = fitting(registered, framework.redirect_uri);
    let post_logout = app.application.oidc_client_metadata.post_logout_redirect_uris.as_slice();
    let Console { base_url, management_resource, .. } = caller.console();
    let is_management = api.as_ref().is_some_and(|api| api.resource.indicator == **management_resource);
    Values {
        issuer: format!("{base_url}/oidc"),
        api_url: is_management.then(|| format!("{base_url}/api/users?page_size=1")),
        client_id: app.application.id.to_string(),
        client_secret,
        post_logout_uri: of_origin(post_logout, &redirect_uri).unwrap_or_else(|| home_of(&redirect_uri, framework)),
        redirect_uri,
        api,
    }
}

/// The redirect URI of the program: the framework's own one if it is registered or nothing is, else the first
/// registered one of the web.
fn fitting(registered: &[String], own: &str) -> String {
    let is_own = registered.iter().any(|uri| uri == own);
    let first = registered.iter().find(|uri| uri.starts_with("http")).or_else(|| registered.first());
    first.filter(|_| !is_own).cloned().unwrap_or_else(|| own.to_owned())
}

/// The registered URI with the same origin as the redirect URI, else the first one.
fn of_origin(registered: &[String], redirect_uri: &str) -> Option<String> {
    let origin = |text: &str| Url::parse(text).ok().map(|url| url.origin());
    let wanted = origin(redirect_uri);
    registered.iter().find(|uri| origin(uri) == wanted).or_else(|| registered.first()).cloned()
}

/// The home page of the redirect URI's origin.
fn home_of(redirect_uri: &str, framework: &Framework) -> String {
    let home = Url::parse(redirect_uri).ok().and_then(|url| url.join("/").ok());
    home.map_or_else(|| framework.post_logout_uri.to_owned(), String::from)
}

/// What is missing so that the program works, as sentences.
fn remarks(app: &ApplicationDetails, framework: &Framework, values: &Values) -> Vec<&'static str> {
    let metadata = &app.application.oidc_client_metadata;
    let has_codes = app.application.kind().has_users() && !framework.is_device_flow();
    let mut remarks = Vec::new();
    if has_codes && !app.application.redirect_uris().contains(&values.redirect_uri) {
        remarks.push("Register the redirect URI below in the settings of this application: it is not registered yet.");
    }
    let is_missing = !metadata.post_logout_redirect_uris.contains(&values.post_logout_uri);
    if has_codes && !framework.post_logout_uri.is_empty() && is_missing {
        remarks.push("Register the post-logout redirect URI below in the settings of this application.");
    }
    let in_tokens = app.application.custom_client_metadata.id_token_claims.as_ref();
    let has_name = in_tokens.is_some_and(|claims| claims.contains(&IdTokenClaims::Profile));
    if app.application.kind().has_users() && !has_name {
        remarks.push(
            "The ID tokens of this application do not contain the user's name, so the code shows the user ID. Add the \
             profile claims to ID tokens in the settings.",
        );
    }
    if app.application.has_keys_alone() || app.application.sends_secret_in_body() {
        remarks.push(
            "The code authenticates with the secret in the Basic header. This application uses another method: change \
             the authentication in the code.",
        );
    }
    remarks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_program_listens_where_the_application_is_registered() {
        let texts = |uris: &[&str]| uris.iter().map(|uri| (*uri).to_owned()).collect::<Vec<_>>();
        let own = "http://localhost:3000/callback";
        for (registered, expected) in [
            (&[][..], own),
            (&["https://a.test/cb", own], own),
            (&["com.shop:/x", "http://localhost:8080/cb"], "http://localhost:8080/cb"),
            (&["com.shop:/x"], "com.shop:/x"),
        ] {
            assert_eq!(fitting(&texts(registered), own), expected, "{registered:?}");
        }
        let registered = texts(&["https://a.test/", "http://localhost:8080/bye"]);
        let found = of_origin(&registered, "http://localhost:8080/cb");
        assert_eq!(found.as_deref(), Some("http://localhost:8080/bye"));
        assert_eq!(of_origin(&registered, "http://localhost:1/").as_deref(), Some("https://a.test/"));
    }
}
