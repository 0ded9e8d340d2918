//! Code of the endpoint that receives subject tokens, for four frameworks. All of it does the same: it takes the form
//! from the console's origin alone, signs the operator in to the application, and exchanges both tokens.

use claimsmith_domain::documents::uri_rule::UriRule;
use url::Url;

/// The code for one framework.
pub(super) struct EndpointSnippet {
    pub(super) id: &'static str,
    pub(super) title: &'static str,
    /// The command that installs what it needs; empty for nothing.
    pub(super) install: &'static str,
    /// File names and contents.
    files: &'static [(&'static str, &'static str)],
}

/// The frameworks, in the order in which the console offers them.
pub(super) static ALL: [EndpointSnippet; 4] = [
    EndpointSnippet {
        id: "express",
        title: "Express",
        install: "npm install express@5",
        files: &[("impersonate.mjs", include_str!("../../templates/applications/impersonation/express.txt"))],
    },
    EndpointSnippet {
        id: "next",
        title: "Next.js",
        install: "",
        files: &[
            ("app{{path}}/route.js", include_str!("../../templates/applications/impersonation/next_receive.txt")),
            (
                "app{{callback_path}}/route.js",
                include_str!("../../templates/applications/impersonation/next_callback.txt"),
            ),
        ],
    },
    EndpointSnippet {
        id: "django",
        title: "Django",
        install: "",
        files: &[
            ("impersonation.py", include_str!("../../templates/applications/impersonation/django_views.txt")),
            ("urls.py", include_str!("../../templates/applications/impersonation/django_urls.txt")),
        ],
    },
    EndpointSnippet {
        id: "spring",
        title: "Spring Boot",
        install: "",
        files: &[(
            "ImpersonationController.java",
            include_str!("../../templates/applications/impersonation/spring.txt"),
        )],
    },
];

/// Where the console posts to, and where the operator comes back from signing in.
#[derive(Clone, Debug)]
pub(super) struct Endpoint {
    receiver: Url,
    pub(super) callback: Url,
}

impl Endpoint {
    /// The endpoint at this URI; none if the API would refuse it.
    pub(super) fn at(uri: &str) -> Option<Self> {
        let receiver = Url::parse(uri).ok().filter(|_| UriRule::Private.fault(uri).is_none())?;
        let mut callback = receiver.clone();
        callback.set_query(None);
        callback.set_path(&format!("{}/callback", receiver.path().trim_end_matches('/')));
        Some(Self { receiver, callback })
    }

    /// An example, while the application has none.
    pub(super) fn example() -> Option<Self> {
        Self::at("http://localhost:3000/impersonate")
    }
}

/// The values of the placeholders.
pub(super) struct Values<'v> {
    pub(super) base_url: &'v str,
    pub(super) client_id: &'v str,
    pub(super) endpoint: &'v Endpoint,
    pub(super) resource: &'v str,
    pub(super) scope: &'v str,
}

impl Values<'_> {
    /// The files of a snippet: names and contents.
    pub(super) fn files(&self, snippet: &EndpointSnippet) -> Vec<(String, String)> {
        snippet.files.iter().map(|(name, text)| (self.fill(name), self.fill(text))).collect()
    }

    fn fill(&self, text: &str) -> String {
        let origin = Url::parse(self.base_url).map(|url| url.origin().ascii_serialization()).unwrap_or_default();
        let (path, callback) = (self.endpoint.receiver.path(), &self.endpoint.callback);
        // The values stand between double quotes.
        let quoted = |value: &str| value.replace('\\', "%5C").replace('"', "%22");
        text.replace("{{issuer}}", &format!("{}/oidc", self.base_url))
            .replace("{{origin}}", &origin)
            .replace("{{client_id}}", self.client_id)
            .replace("{{callback}}", callback.as_str())
            .replace("{{callback_path}}", callback.path())
            .replace("{{callback_route}}", callback.path().trim_start_matches('/'))
            .replace("{{path}}", path)
            .replace("{{route}}", path.trim_start_matches('/'))
            .replace("{{resource}}", &quoted(self.resource))
            .replace("{{scope}}", &quoted(self.scope))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_operator_comes_back_below_the_endpoint() {
        for (uri, callback) in [
            ("https://desk.test/impersonate", Some("https://desk.test/impersonate/callback")),
            ("https://desk.test/impersonate/?tenant=1", Some("https://desk.test/impersonate/callback")),
            ("http://localhost:4000", Some("http://localhost:4000/callback")),
            ("http://desk.test/impersonate", None),
            ("", None),
        ] {
            let found = Endpoint::at(uri).map(|endpoint| endpoint.callback.to_string());
            assert_eq!(found.as_deref(), callback, "{uri}");
        }
    }

    #[test]
    fn every_name_gets_its_value() {
        let Some(endpoint) = Endpoint::at("https://desk.test/in") else { return };
        let values = Values {
            base_url: "https://id.test:8443/auth",
            client_id: "abc",
            endpoint: &endpoint,
            resource: "https://api.test/\"+x+\"",
            scope: "read write",
        };
        for snippet in &ALL {
            let whole: String = values.files(snippet).into_iter().map(|(name, text)| name + &text).collect();
            for value in [
                "https://id.test:8443/auth/oidc",
                "\"https://id.test:8443\"",
                "abc",
                "https://desk.test/in/callback",
                "read write",
                "%22+x+%22",
            ] {
                assert!(whole.contains(value), "{}: {value}", snippet.id);
            }
            assert!(!whole.contains("{{"), "{}: {whole}", snippet.id);
        }
    }
}
