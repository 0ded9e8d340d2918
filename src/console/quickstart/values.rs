//! The values of an application or an API resource, and their place in the environment file of a program.

use super::Program;
use claimsmith_api::resources::ResourceWithScopes;
use url::Url;

/// Maximum number of scopes that a program requests.
const MAX_SCOPES: usize = 20;
/// Where the programs of "Protect this API" listen.
const LOCAL_API: &str = "http://localhost:4000";
/// Their port.
const LOCAL_PORT: u16 = 4000;
/// The port of web applications whose redirect URI names none, as behind a proxy.
const WEB_PORT: u16 = 3000;

/// The values of the placeholders. Empty values are allowed: programs leave out what they need them for.
#[derive(Default)]
pub(crate) struct Values {
    /// The issuer of the server's tokens.
    pub(crate) issuer: String,
    /// The id of the application.
    pub(crate) client_id: String,
    /// The secret of the application, known only right after its creation.
    pub(crate) client_secret: Option<String>,
    /// The redirect URI that the program listens at.
    pub(crate) redirect_uri: String,
    /// Where users return after signing out.
    pub(crate) post_logout_uri: String,
    /// The API that the program calls.
    pub(crate) api: Option<ResourceWithScopes>,
    /// The URL of that API if it is not one on the developer's machine.
    pub(crate) api_url: Option<String>,
}

impl Values {
    /// The files of a program with these values.
    pub(crate) fn fill(&self, program: &Program) -> Vec<(&'static str, String)> {
        let mut files: Vec<_> = program.files.iter().map(|(path, text)| (*path, (*text).to_owned())).collect();
        if let Some((_, environment)) = files.first_mut() {
            *environment = self.environment(environment);
        }
        files
    }

    /// Replaces each placeholder once: a value with braces is not a placeholder.
    fn environment(&self, template: &str) -> String {
        let mut parts = template.split("{{");
        let mut filled = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            if let Some((name, rest)) = part.split_once("}}") {
                filled.push_str(&literal(&self.value(name)));
                filled.push_str(rest);
            }
        }
        filled
    }

    fn value(&self, name: &str) -> String {
        let api = self.api.as_ref();
        let scopes = api.iter().flat_map(|api| &api.scopes).map(|scope| scope.name.as_str());
        match name {
            "issuer" => self.issuer.clone(),
            "client_id" => self.client_id.clone(),
            "client_secret" => self.client_secret.clone().unwrap_or_else(|| "YOUR_CLIENT_SECRET".to_owned()),
            "redirect_uri" => self.redirect_uri.clone(),
            "post_logout_uri" => self.post_logout_uri.clone(),
            "resource" => api.map(|api| api.resource.indicator.clone()).unwrap_or_default(),
            "api_url" => {
                let local = || api.map(|api| url_of(&api.resource.indicator));
                self.api_url.clone().or_else(local).unwrap_or_default()
            }
            "api_port" => {
                let port = api.and_then(|api| Url::parse(&url_of(&api.resource.indicator)).ok()?.port());
                port.unwrap_or(LOCAL_PORT).to_string()
            }
            "port" => {
                let port = Url::parse(&self.redirect_uri).ok().and_then(|uri| uri.port());
                port.unwrap_or(WEB_PORT).to_string()
            }
            "scopes" => scopes.take(MAX_SCOPES).collect::<Vec<_>>().join(" "),
            "user_scopes" => {
                ["openid", "profile", "email"].into_iter().chain(scopes.take(MAX_SCOPES)).collect::<Vec<_>>().join(" ")
            }
            "scope" => scopes.map(str::to_owned).next().unwrap_or_default(),
            _ => String::new(),
        }
    }
}

/// The URL of the API on a developer's machine: its indicator if that is a URL of this machine.
fn url_of(indicator: &str) -> String {
    let is_local = ["http://localhost:", "http://127.0.0.1:"].iter().any(|start| indicator.starts_with(start));
    if is_local { indicator.trim_end_matches('/').to_owned() } else { LOCAL_API.to_owned() }
}

/// A value between quotes: shells and readers of environment files take it literally between single ones.
fn literal(value: &str) -> String {
    let mut text = String::with_capacity(value.len());
    for letter in value.chars() {
        match letter {
            '\'' => text.push_str("%27"),
            '\\' => text.push_str("%5C"),
            '"' => text.push_str("%22"),
            letter if letter.is_control() => text.push(' '),
            letter => text.push(letter),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::quickstart::{PROTECTED_APIS, frameworks};
    use serde_json::json;

    fn api(indicator: &str, scopes: &[&str]) -> Result<ResourceWithScopes, serde_json::Error> {
        let scope = |name: &&str| {
            json!({
                "tenantId": "default", "id": name, "resourceId": "r", "name": name, "description": null,
                "createdAt": 0,
            })
        };
        serde_json::from_value(json!({
            "tenantId": "default", "id": "r", "name": "Orders", "indicator": indicator, "isDefault": false,
            "accessTokenTtl": 3600, "scopes": scopes.iter().map(scope).collect::<Vec<_>>(),
        }))
    }

    #[test]
    fn every_placeholder_has_a_value_and_only_environment_files_have_placeholders() -> Result<(), serde_json::Error> {
        let values = Values {
            issuer: "https://id.test/oidc".to_owned(),
            client_id: "abc".to_owned(),
            client_secret: None,
            redirect_uri: "https://app.test/callback".to_owned(),
            post_logout_uri: "https://app.test/".to_owned(),
            api: Some(api("https://orders.test", &["orders:read", "orders:write"])?),
            api_url: None,
        };
        let programs = frameworks::ALL.iter().map(|framework| (framework.id, &framework.program));
        for (id, program) in programs.chain(PROTECTED_APIS.iter().map(|api| (api.id, &api.program))) {
            let files = values.fill(program);
            let (_, environment) = &files[0];
            let is_filled =
                ["'", "=", "\""].iter().any(|mark| environment.contains(&format!("{mark}https://id.test/oidc")));
            assert!(is_filled, "{id}: {environment}");
            assert!(environment.contains("https://orders.test"), "{id}: {environment}");
            assert!(environment.contains("orders:read"), "{id}: {environment}");
            for line in program.files[0].1.lines().filter(|line| line.contains("{{")) {
                let name = line.split("{{").nth(1).and_then(|rest| rest.split("}}").next()).unwrap_or_default();
                assert!(!values.value(name).is_empty(), "{id}: {line}");
            }
            for (path, text) in &program.files[1..] {
                for name in ["issuer", "client_id", "client_secret", "redirect_uri", "resource", "scope"] {
                    assert!(!text.contains(&format!("{{{{{name}}}}}")), "{id}: {path}");
                }
            }
        }
        Ok(())
    }

    #[test]
    fn a_value_cannot_leave_its_quotes() -> Result<(), serde_json::Error> {
        let values = Values {
            redirect_uri: "http://localhost/'$(id)'\\\nX='{{client_id}}".to_owned(),
            api: Some(api("http://localhost:9000/", &[])?),
            ..Values::default()
        };
        let text = values.environment("A='{{redirect_uri}}'\nB='{{api_url}}'\nC='{{scopes}}'\n");
        let expected = "A='http://localhost/%27$(id)%27%5C X=%27{{client_id}}'\nB='http://localhost:9000'\nC=''\n";
        assert_eq!(text, expected);
        Ok(())
    }
}
