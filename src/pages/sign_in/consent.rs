//! Consent for an application: `POST /consent` with `decision=allow` or `decision=deny`, and `organization` for each
//! chosen organization.

use crate::frame::Frame;
use crate::headers::Forms;
use crate::texts::Scopes;
use crate::texts::tree;
use crate::{page, paths};
use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;

/// The page.
#[derive(Debug, Template)]
#[template(path = "consent.html")]
pub struct ConsentPage<'a> {
    /// What every page has; it has an application.
    pub frame: &'a Frame,
    /// Ties the form to the browser.
    pub csrf: &'a str,
    /// The name of the signed-in user.
    pub user: &'a str,
    /// The address of their picture.
    pub avatar: Option<&'a str>,
    /// The scopes of the user's own data, such as `profile`.
    pub scopes: Vec<&'a str>,
    /// The requested scopes of APIs.
    pub resources: Vec<ResourceView<'a>>,
    /// The organizations to choose from.
    pub organizations: Vec<OrganizationView<'a>>,
    /// The host of the redirect URI, if the user should see it.
    pub destination: Option<&'a str>,
}

/// An API.
#[derive(Clone, Debug)]
pub struct ResourceView<'a> {
    /// What it is called.
    pub name: &'a str,
    /// The requested scopes.
    pub scopes: Vec<ScopeView<'a>>,
}

/// A scope.
#[derive(Clone, Copy, Debug)]
pub struct ScopeView<'a> {
    /// Its name.
    pub name: &'a str,
    /// The operator's description.
    pub description: Option<&'a str>,
}

/// An organization.
#[derive(Clone, Copy, Debug)]
pub struct OrganizationView<'a> {
    /// Its id.
    pub id: &'a str,
    /// Its name.
    pub name: &'a str,
    /// Whether it is chosen.
    pub is_chosen: bool,
}

impl ScopeView<'_> {
    /// What it allows, or else its name.
    pub(super) fn shown(&self) -> &str {
        self.description.filter(|text| !text.trim().is_empty()).unwrap_or(self.name)
    }
}

impl ConsentPage<'_> {
    fn title(&self) -> &str {
        &self.frame.t.consent.title
    }

    fn portrait(&self) -> Option<String> {
        page::picture(self.frame, self.avatar)
    }

    fn signed_in_as(&self) -> String {
        tree::fill(&self.frame.t.consent.signed_in_as, &[("name", self.user)])
    }

    fn destination_text(&self, host: &str) -> String {
        tree::fill(&self.frame.t.consent.destination, &[("host", host)])
    }

    /// The page as an answer.
    #[must_use]
    pub fn answer(&self) -> Response {
        page::answer(self, self.frame, StatusCode::OK, Forms::Onward)
    }
}

/// What a scope of the user's own data allows, or else its name.
pub(super) fn describe<'a>(texts: &'a Scopes, scope: &'a str) -> &'a str {
    match scope {
        "openid" => &texts.openid,
        "profile" => &texts.profile,
        "email" => &texts.email,
        "phone" => &texts.phone,
        "address" => &texts.address,
        "identities" => &texts.identities,
        "custom_data" => &texts.custom_data,
        "roles" => &texts.roles,
        "urn:logto:scope:organizations" => &texts.organizations,
        "urn:logto:scope:organization_roles" => &texts.organization_roles,
        "urn:logto:scope:sessions" => &texts.sessions,
        "urn:logto:scope:trusted_devices" => &texts.trusted_devices,
        "offline_access" => &texts.offline_access,
        unknown => unknown,
    }
}
