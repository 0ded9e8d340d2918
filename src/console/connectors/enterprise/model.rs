//! Enterprise connectors and their providers, as the API describes them.

use super::PAGE;
use crate::caller::{Caller, segment};
use crate::failure::Failure;
use crate::fields::{Field, FieldKind, body_of};
use crate::form::Form;
use serde::Deserialize;
use serde_json::{Map, Value};

/// The API path of all enterprise connectors.
pub(super) const PATH: &str = "/api/sso-connectors";

/// A provider that a connector can be created for.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct EnterpriseProvider {
    #[serde(rename = "providerName")]
    pub(super) id: String,
    name: Map<String, Value>,
    description: Map<String, Value>,
}

/// An enterprise connector.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Connector {
    pub(super) id: String,
    #[serde(rename = "providerName")]
    pub(super) provider: String,
    #[serde(rename = "connectorName")]
    pub(super) name: String,
    pub(super) config: Value,
    pub(super) domains: Vec<String>,
    /// Whether administrators may sign in with it.
    pub(super) signs_in_administrators: bool,
    /// Metadata that the provider publishes about itself.
    pub(super) provider_config: Option<Value>,
    #[serde(rename = "name")]
    provider_names: Map<String, Value>,
}

impl EnterpriseProvider {
    pub(super) async fn all(caller: &Caller) -> Result<Vec<Self>, Failure> {
        caller.get("/api/sso-connector-providers").await
    }

    pub(super) async fn read(caller: &Caller, name: &str) -> Result<Self, Failure> {
        let found = Self::all(caller).await?.into_iter().find(|provider| provider.id == name);
        found.ok_or_else(|| Failure::missing(caller))
    }

    pub(super) fn title(&self) -> &str {
        self.name.get("en").and_then(Value::as_str).unwrap_or(&self.id)
    }

    pub(super) fn about(&self) -> &str {
        self.description.get("en").and_then(Value::as_str).unwrap_or_default()
    }

    /// The path of the page that creates a connector for it.
    pub(super) fn new_page(&self) -> String {
        format!("{PAGE}/new/{}", segment(&self.id))
    }

    /// The same, with the id of the new connector, so that reloading keeps its redirect URI.
    pub(super) fn new_page_with(&self, id: &str) -> String {
        format!("{}?id={}", self.new_page(), segment(id))
    }
}

impl Connector {
    pub(super) fn page(&self) -> String {
        page_of(&self.id)
    }

    /// Its API path.
    pub(super) fn path(&self) -> String {
        path_of(&self.id)
    }

    /// The display name of the provider.
    pub(super) fn provider_title(&self) -> &str {
        self.provider_names.get("en").and_then(Value::as_str).filter(|name| !name.is_empty()).unwrap_or(&self.provider)
    }

    /// Whether the API returned its configuration.
    pub(super) fn is_readable(&self) -> bool {
        self.config.is_object()
    }

    /// Whether it has been configured.
    pub(super) fn is_configured(&self) -> bool {
        self.config.as_object().is_some_and(|members| !members.is_empty())
    }
}

/// The API path of an enterprise connector.
pub(super) fn path_of(id: &str) -> String {
    format!("{PATH}/{}", segment(id))
}

pub(super) fn page_of(id: &str) -> String {
    format!("{PAGE}/{}", segment(id))
}

/// The form fields of a connector for a provider.
pub(super) fn fields(provider: &str) -> Vec<Field> {
    let domains = if provider == "GoogleWorkspace" {
        "Accounts of these companies at Google are taken; without a domain, nobody's."
    } else {
        "Whoever has an address of one of them signs in at the provider, and nowhere else."
    };
    let mut fields = vec![
        Field::new("connectorName", "Name", FieldKind::Text).hint("For those who administer; unique.").required(),
        Field::new("domains", "Domains of addresses, one a line", FieldKind::Lines).hint(domains),
    ];
    fields.extend(configuration(provider));
    fields.extend([
        Field::new("branding.displayName", "Name on the pages", FieldKind::Text),
        Field::new("branding.logo", "Logo (URL)", FieldKind::Text),
        Field::new("branding.darkLogo", "Logo on dark pages (URL)", FieldKind::Text),
        Field::new("syncProfile", "Name and picture follow the provider at each sign-in", FieldKind::Switch),
        Field::new("signsInAdministrators", "Users who administer this server sign in here", FieldKind::Switch)
            .hint("By an account that they linked themselves at /account."),
    ]);
    fields
}

fn configuration(provider: &str) -> Vec<Field> {
    let issuer = || Field::new("config.issuer", "Issuer (URL)", FieldKind::Text);
    let mut fields = match provider {
        "OIDC" | "Okta" => vec![issuer()],
        "AzureAdOidc" => vec![
            Field::new("config.tenantId", "Tenant ID", FieldKind::Text).hint("Or the issuer."),
            issuer().hint("Or the tenant ID."),
        ],
        "GoogleWorkspace" => Vec::new(),
        _ => return vec![Field::new("config", "Configuration (JSON)", FieldKind::Json)],
    };
    fields.extend([
        Field::new("config.clientId", "Client ID", FieldKind::Text),
        Field::new("config.clientSecret", "Client secret", FieldKind::Secret),
        Field::new("config.scope", "Scopes", FieldKind::Text)
            .hint("With spaces between. Empty: those that are needed."),
        Field::new(
            "config.trustUnverifiedEmail",
            "Take addresses that the provider has not verified",
            FieldKind::Switch,
        ),
    ]);
    fields
}

/// The request body of a submitted form.
pub(super) fn body(provider: &str, form: &Form, current: &Value) -> Result<Value, String> {
    let mut body = body_of(&fields(provider), form, current)?;
    body["branding"] = crate::json::change(&current["branding"], &body["branding"]);
    // An empty name is sent, so that the API reports it; its switches are booleans without an unset state.
    body["connectorName"] = form.text("connectorName").into();
    for switch in ["syncProfile", "signsInAdministrators"] {
        body[switch] = (body[switch] == true).into();
    }
    if body["config"].is_null() {
        body["config"] = Map::new().into();
    }
    Ok(body)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_secret_that_is_left_empty_stays() {
        let fields =
            [("connectorName", " Acme "), ("domains", "a.example\n\nb.example"), ("config.issuer", "https://b")];
        let form = Form::of(fields.map(|(name, value)| (name.to_owned(), value.to_owned())).into());
        let current = json!({ "config": { "issuer": "https://a", "clientSecret": "********", "clientId": "c" } });
        let expected = json!({
            "connectorName": "Acme", "domains": ["a.example", "b.example"], "branding": {}, "syncProfile": false,
            "signsInAdministrators": false,
            "config": { "issuer": "https://b", "clientSecret": "********" },
        });
        assert_eq!(body("OIDC", &form, &current), Ok(expected));
    }
}
