//! Public documents: everything that can be fetched without credentials. They are generated once and shared: requests
//! get the same bytes, compressed or not, with `Access-Control-Allow-Origin: *`, an `ETag` and a lifetime.

mod copy;
mod shared;

pub(super) use shared::PublicDocuments;

use axum::extract::Request;
use axum::http::{Method, header};

/// A document that can be fetched without credentials. A test compares these with the routes that need no credentials.
#[derive(Debug)]
pub struct PublicDocument {
    /// Its path. `{name}` stands for one segment, `{*file}` for the rest of the path.
    pub path: &'static str,
    /// When its content changes.
    pub changes: Changes,
    /// The query parameters on which its content depends.
    pub parameters: &'static [&'static str],
    /// Whether its content depends on `Accept-Language`.
    pub by_language: bool,
}

/// When the content of a document changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Changes {
    /// Never while the server runs.
    Never,
    /// With what is stored.
    WithDatabase,
}

const fn never(path: &'static str) -> PublicDocument {
    PublicDocument { path, changes: Changes::Never, parameters: &[], by_language: false }
}

const fn stored(path: &'static str, parameters: &'static [&'static str]) -> PublicDocument {
    PublicDocument { path, changes: Changes::WithDatabase, parameters, by_language: false }
}

/// Parameters of the settings of sign-in.
const OF_SETTINGS: &[&str] = &["appId", "organizationId"];

/// All public documents. The first matching path counts.
pub const ALL: [PublicDocument; 20] = [
    never("/oidc/.well-known/openid-configuration"),
    never("/oidc/.well-known/oauth-authorization-server"),
    never("/.well-known/oauth-authorization-server/oidc"),
    stored("/oidc/jwks", &[]),
    never("/api/swagger.json"),
    never("/api/.well-known/management.openapi.json"),
    never("/api/.well-known/experience.openapi.json"),
    never("/api/.well-known/user.openapi.json"),
    never("/api/docs/"),
    never("/api/docs/{*file}"),
    stored("/api/.well-known/sign-in-exp", OF_SETTINGS),
    stored("/api/.well-known/experience", OF_SETTINGS),
    PublicDocument { by_language: true, ..stored("/api/.well-known/phrases", &["lng"]) },
    stored("/api/.well-known/account-center", &[]),
    never("/api/.well-known/endpoints/{tenantId}"),
    stored("/.well-known/webauthn", &[]),
    // Custom style sheets of an application or organization. The name changes with the content.
    stored("/assets/custom.{name}", &["application", "organization"]),
    never("/assets/{name}"),
    never("/console/assets/{name}"),
    stored("/avatars/{id}", &[]),
];

/// Public `GET` responses that are computed for each request: pages, and the readiness check. The rate of pages is
/// limited per address.
pub const COMPUTED: [&str; 7] = ["/", "/signed-out", "/demo", "/device", "/device/connected", "/device/denied", STATUS];

/// The readiness check, which is not limited: load balancers use it to decide whether the server gets requests.
const STATUS: &str = "/api/status";

/// Whether the rate of a request is limited per address.
pub(super) fn is_limited(request: &Request) -> bool {
    let path = request.uri().path();
    path != STATUS && COMPUTED.contains(&path)
}

impl PublicDocument {
    /// The document that a request is for, also if it is a preflight.
    #[must_use]
    pub fn of(request: &Request) -> Option<&'static Self> {
        let is_preflight = request.method() == Method::OPTIONS
            && request.headers().contains_key(header::ACCESS_CONTROL_REQUEST_METHOD);
        if !is_preflight && request.method() != Method::GET && request.method() != Method::HEAD {
            return None;
        }
        Self::at(request.uri().path())
    }

    /// The document of a path.
    #[must_use]
    pub fn at(path: &str) -> Option<&'static Self> {
        static DOCUMENTS: [PublicDocument; ALL.len()] = ALL;
        DOCUMENTS.iter().find(|document| document.has(path))
    }

    /// Whether its path is fixed and its content independent of the request.
    fn is_single(&self) -> bool {
        !self.path.contains('{') && self.parameters.is_empty() && !self.by_language
    }

    fn has(&self, path: &str) -> bool {
        let Some((start, name)) = self.path.split_once('{') else { return self.path == path };
        let rest = path.strip_prefix(start).unwrap_or_default();
        !rest.is_empty() && (name.starts_with('*') || !rest.contains('/'))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_that_of_its_document() {
        for (path, pattern) in [
            ("/oidc/jwks", Some("/oidc/jwks")),
            ("/oidc/jwks/", None),
            ("/oidc/token", None),
            ("/api/docs/", Some("/api/docs/")),
            ("/api/docs/swagger-ui.css", Some("/api/docs/{*file}")),
            ("/api/docs/a/b", Some("/api/docs/{*file}")),
            ("/assets/custom.123.css", Some("/assets/custom.{name}")),
            ("/assets/pages.123.css", Some("/assets/{name}")),
            ("/assets/a/b", None),
            ("/assets/", None),
            ("/assets", None),
            ("/console/assets/console.css", Some("/console/assets/{name}")),
            ("/console/users", None),
            ("/", None),
        ] {
            assert_eq!(PublicDocument::at(path).map(|document| document.path), pattern, "{path}");
        }
    }
}
