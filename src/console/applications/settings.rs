//! The settings of an application.

use super::model::{ApplicationFacts, TypeFacts, path_of, read};
use crate::answer::{done, show, show_as};
use crate::caller::Caller;
use crate::failure::Failure;
use crate::form::Form;
use crate::frame::Frame;
use crate::json::{self, FormBuilder};
use crate::posted::Posted;
use crate::section::Section;
use askama::Template;
use axum::extract::Path;
use axum::http::{Method, StatusCode};
use axum::response::Response;
use claimsmith_api::application_access::{ConsentScopes, ScopesOfResource};
use claimsmith_api::applications::ApplicationDetails;
use claimsmith_domain::documents::application::ApplicationType;
use claimsmith_domain::documents::id_token::IdTokenClaims;
use claimsmith_domain::documents::uri_rule::UriRule;
use serde_json::{Value, json};

/// Boolean members of `customClientMetadata`.
const SWITCHES: [&str; 4] =
    ["allowTokenExchange", "alwaysIssueRefreshToken", "requirePkce", "requirePushedAuthorizationRequests"];
/// Numeric members of `customClientMetadata`.
const NUMBERS: [&str; 4] = ["idTokenTtl", "refreshTokenTtlInDays", "refreshTokenLeewayInSeconds", "maxAllowedGrants"];

#[derive(Template)]
#[template(path = "applications/settings.html")]
struct SettingsPage {
    frame: Frame,
    app: ApplicationDetails,
    /// What a third-party application may ask users for.
    consent: Option<ConsentScopes>,
    form: Form,
    problem: String,
}

impl SettingsPage {
    /// The names of the scopes that are enabled for a third party.
    fn scopes(consent: &ConsentScopes) -> Vec<String> {
        let of_resources = |list: &[ScopesOfResource], place: &str| -> Vec<String> {
            let named = |one: &ScopesOfResource| {
                let name = one.resource.name.clone();
                one.scopes.iter().map(move |scope| format!("{name}: {}{place}", scope.name)).collect::<Vec<_>>()
            };
            list.iter().flat_map(named).collect()
        };
        let mut names = consent.user_scopes.clone();
        names.extend(of_resources(&consent.resource_scopes, ""));
        names.extend(of_resources(&consent.organization_resource_scopes, " (in organizations)"));
        names.extend(
            consent.organization_scopes.iter().map(|scope| format!("{} (organization permission)", scope.name)),
        );
        names
    }

    /// What an operator should know about the URIs of a field.
    fn remark(&self, field: &str) -> String {
        let rule = if field == "corsAllowedOrigins" {
            UriRule::Origin
        } else {
            UriRule::Redirect(self.app.application.kind())
        };
        let lines = self.form.lines(field);
        let noted = lines.iter().find_map(|uri| Some(format!("{uri}: {}", rule.remark(uri)?)));
        noted.unwrap_or_default()
    }

    fn algorithms() -> &'static [(&'static str, &'static str)] {
        &[("", "As the server (RS256)"), ("RS256", "RS256"), ("ES256", "ES256"), ("ES384", "ES384"), ("EdDSA", "EdDSA")]
    }

    fn audiences() -> &'static [(&'static str, &'static str)] {
        &[("", "Issuer only"), ("legacy", "Issuer or endpoint (legacy)")]
    }

    fn claims_of_id_tokens(&self) -> [(IdTokenClaims, &'static str, bool); 5] {
        let label = |claims| match claims {
            IdTokenClaims::Profile => "Profile: name, username, picture",
            IdTokenClaims::Email => "Email address",
            IdTokenClaims::Phone => "Phone number",
            IdTokenClaims::Address => "Postal address",
            IdTokenClaims::Groups => "Groups: names of roles",
        };
        let is_chosen = |claims: IdTokenClaims| self.form.all("idTokenClaims").any(|name| name == claims.as_str());
        IdTokenClaims::ALL.map(|claims| (claims, label(claims), is_chosen(claims)))
    }

    fn methods(&self) -> &'static [(&'static str, &'static str)] {
        match self.app.application.kind() {
            ApplicationType::MachineToMachine => &[
                ("", "Any that its type allows"),
                ("client_secret_basic", "Secret in the Basic header"),
                ("client_secret_post", "Secret in the form"),
                ("private_key_jwt", "Signed assertion (private_key_jwt)"),
            ],
            _ => &[
                ("", "Secret in the Basic header, or signed assertion"),
                ("client_secret_basic", "Secret in the Basic header"),
                ("client_secret_post", "Secret in the form"),
                ("private_key_jwt", "Signed assertion (private_key_jwt)"),
            ],
        }
    }
}

pub(super) async fn show_settings(caller: Caller, Path(id): Path<String>) -> Result<Response, Failure> {
    let app = read(&caller, &id).await?;
    let consent = consent_of(&caller, &app).await?;
    let frame = Frame::new(&caller, Section::Applications);
    let form = form_of(&app);
    show(&caller, &SettingsPage { frame, app, consent, form, problem: String::new() })
}

pub(super) async fn save(Path(id): Path<String>, Posted { caller, form }: Posted) -> Result<Response, Failure> {
    let app = read(&caller, &id).await?;
    let problem = match body_of(&app, &form) {
        Err(problem) => problem,
        Ok(body) => match caller.change(Method::PATCH, &path_of(&id), body).await {
            Ok(()) => return Ok(done(&app.application.page(), "saved")),
            Err(failure) => failure.about_input()?.text(),
        },
    };
    let consent = consent_of(&caller, &app).await?;
    let frame = Frame::new(&caller, Section::Applications);
    show_as(&caller, StatusCode::UNPROCESSABLE_ENTITY, &SettingsPage { frame, app, consent, form, problem })
}

/// The scopes that a third-party application may ask users for.
async fn consent_of(caller: &Caller, app: &ApplicationDetails) -> Result<Option<ConsentScopes>, Failure> {
    if !app.application.is_third_party {
        return Ok(None);
    }
    let path = format!("{}/user-consent-scopes", path_of(&app.application.id));
    Ok(Some(caller.get(&path).await?))
}

fn form_of(ApplicationDetails { application: app, is_admin }: &ApplicationDetails) -> Form {
    let (oidc, custom) = (json!(app.oidc_client_metadata), json!(app.custom_client_metadata));
    let mut filled = FormBuilder::default()
        .value("name", &app.name.as_str().into())
        .value("description", &app.description.as_deref().into())
        .tick("isAdmin", *is_admin)
        .tick("keepRefreshToken", custom["rotateRefreshToken"] == false)
        .tick("backchannelLogoutSessionRequired", oidc["backchannelLogoutSessionRequired"] == true);
    for name in ["redirectUris", "postLogoutRedirectUris", "backchannelLogoutUri", "logoUri", "jwksUri"] {
        filled = filled.value(name, &oidc[name]);
    }
    for name in NUMBERS.into_iter().chain(["corsAllowedOrigins", "trustedActorClientIds", "idTokenSignedResponseAlg"]) {
        filled = filled.value(name, &custom[name]);
    }
    for claims in custom["idTokenClaims"].as_array().into_iter().flatten() {
        filled = filled.value("idTokenClaims", claims);
    }
    // The form shows the explicit default (`issuer`) as the empty choice.
    let audience = &custom["clientAssertionAudience"];
    filled = filled.value("clientAssertionAudience", if audience == "issuer" { &Value::Null } else { audience });
    for name in SWITCHES {
        filled = filled.tick(name, custom[name] == true);
    }
    let keys = if oidc["jwks"].is_null() { Value::Null } else { json::pretty(&oidc["jwks"]).into() };
    filled.value("jwks", &keys).value("tokenEndpointAuthMethod", &oidc["tokenEndpointAuthMethod"]).form()
}

/// The PATCH body of the form. In both metadata objects, only members that the form has change.
fn body_of(details: &ApplicationDetails, form: &Form) -> Result<Value, String> {
    let app = &details.application;
    let before = (json!(app.oidc_client_metadata), json!(app.custom_client_metadata));
    let list = |name: &str| Value::from(form.lines(name));
    let some = |name: &str| Some(form.lines(name)).filter(|lines| !lines.is_empty()).map_or(Value::Null, Value::from);
    let ticked = |name: &str| if form.is_ticked(name) { true.into() } else { Value::Null };
    let keys = if form.text("jwks").is_empty() { Value::Null } else { json::object(form, "jwks")? };
    let oidc = json::set(
        &before.0,
        [
            ("redirectUris", list("redirectUris")),
            ("postLogoutRedirectUris", list("postLogoutRedirectUris")),
            ("backchannelLogoutUri", json::text(form, "backchannelLogoutUri")),
            ("backchannelLogoutSessionRequired", ticked("backchannelLogoutSessionRequired")),
            ("logoUri", json::text(form, "logoUri")),
            ("tokenEndpointAuthMethod", json::text(form, "tokenEndpointAuthMethod")),
            ("jwks", keys),
            ("jwksUri", json::text(form, "jwksUri")),
        ],
    );
    let claims: Vec<&str> = form.all("idTokenClaims").collect();
    let claims = if claims.is_empty() { Value::Null } else { claims.into() };
    let keeps = if form.is_ticked("keepRefreshToken") { false.into() } else { Value::Null };
    let mut custom = json::set(
        &before.1,
        [
            ("corsAllowedOrigins", some("corsAllowedOrigins")),
            ("trustedActorClientIds", some("trustedActorClientIds")),
            ("idTokenSignedResponseAlg", json::text(form, "idTokenSignedResponseAlg")),
            ("idTokenClaims", claims),
            ("rotateRefreshToken", keeps),
            ("clientAssertionAudience", json::text(form, "clientAssertionAudience")),
        ],
    );
    custom = json::set(&custom, NUMBERS.map(|name| (name, json::number(form, name))));
    custom = json::set(&custom, SWITCHES.map(|name| (name, ticked(name))));
    let is_machine = !app.kind().has_users();
    let mut body = json!({
        "name": form.text("name"),
        "description": json::text(form, "description"),
        "oidcClientMetadata": json::change(&before.0, &oidc),
        "customClientMetadata": json::change(&before.1, &custom),
    });
    if is_machine && form.is_ticked("isAdmin") != details.is_admin {
        body = json::set(&body, [("isAdmin", form.is_ticked("isAdmin").into())]);
    }
    Ok(body)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_form_shows_comes_back_as_it_was() -> Result<(), String> {
        let oidc = json!({
            "redirectUris": ["https://a.test/b"], "postLogoutRedirectUris": [],
            "jwks": { "keys": [{ "kty": "OKP" }] }, "tokenEndpointAuthMethod": "private_key_jwt",
        });
        let custom = json!({
            "idTokenTtl": 300, "allowTokenExchange": true, "rotateRefreshToken": false, "impersonationUri": "not here",
            "idTokenClaims": ["email", "groups"],
            "refreshTokenLeewayInSeconds": 0, "clientAssertionAudience": "legacy", "requirePkce": true,
        });
        let details = serde_json::from_value(json!({
            "tenantId": "default", "id": "shop", "name": "Shop", "type": "Traditional", "oidcClientMetadata": oidc,
            "customClientMetadata": custom, "customData": {}, "isThirdParty": false,
            "appLevelAccessControlEnabled": false, "createdAt": 0, "isAdmin": false,
        }));
        let details = details.map_err(|error| error.to_string())?;
        let body = body_of(&details, &form_of(&details))?;
        assert_eq!(body["oidcClientMetadata"], oidc);
        assert_eq!(body["customClientMetadata"], custom);
        assert_eq!(body["description"], Value::Null);
        Ok(())
    }
}
