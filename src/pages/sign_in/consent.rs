//! Consent for an application: `POST /consent` with `decision=allow` or `decision=deny`, and `organization` for each
//! chosen organization.

use super::visitor::{InteractionPost, Visitor};
use crate::frame::Frame;
use crate::headers::Forms;
use crate::texts::{Scopes, tree};
use crate::{page, paths};
use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;
use claimsmith_domain::id::{OrganizationId, ResourceId};
use claimsmith_identity::interaction::consent::{self, ConsentRequest};
use claimsmith_identity::interaction::refusal::InteractionRefusal;
use claimsmith_web::extract::form::Form;
use claimsmith_web::redirect::see_other;
use url::Url;

/// The scope for the user's identity.
const IDENTITY: &str = "openid";

/// The page.
#[derive(Debug, Template)]
#[template(path = "consent.html")]
pub(crate) struct ConsentPage<'a> {
    /// What every page has; it has an application.
    pub(crate) frame: &'a Frame,
    /// Ties the form to the browser.
    pub(crate) csrf: &'a str,
    /// The name of the signed-in user.
    pub(crate) user: &'a str,
    /// The address of their picture.
    pub(crate) avatar: Option<&'a str>,
    /// The scopes of the user's own data, such as `profile`.
    pub(crate) scopes: Vec<&'a str>,
    /// The requested scopes of APIs.
    pub(crate) resources: Vec<ResourceView<'a>>,
    /// The organizations to choose from.
    pub(crate) organizations: Vec<OrganizationView<'a>>,
    /// The host of the redirect URI, if the user should see it.
    pub(crate) destination: Option<&'a str>,
}

/// An API.
#[derive(Clone, Debug)]
pub(crate) struct ResourceView<'a> {
    /// What it is called.
    pub(crate) name: &'a str,
    /// The requested scopes.
    pub(crate) scopes: Vec<ScopeView<'a>>,
}

/// A scope.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ScopeView<'a> {
    /// Its name.
    pub(crate) name: &'a str,
    /// The operator's description.
    pub(crate) description: Option<&'a str>,
}

/// An organization.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OrganizationView<'a> {
    /// Its id.
    pub(crate) id: &'a str,
    /// Its name.
    pub(crate) name: &'a str,
    /// Whether it is chosen.
    pub(crate) is_chosen: bool,
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
    pub(crate) fn answer(&self) -> Response {
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
        "groups" => &texts.groups,
        "urn:logto:scope:organizations" => &texts.organizations,
        "urn:logto:scope:organization_roles" => &texts.organization_roles,
        "urn:logto:scope:sessions" => &texts.sessions,
        "urn:logto:scope:trusted_devices" => &texts.trusted_devices,
        "offline_access" => &texts.offline_access,
        unknown => unknown,
    }
}

pub(super) async fn show(visitor: Visitor) -> Response {
    if visitor.current.request.device.is_some() {
        // Devices have their own page.
        return visitor.at(paths::DEVICE_CONFIRM);
    }
    match consent::question(&visitor.current).await {
        Ok(question) => page(&visitor, &question),
        Err(refusal) => visitor.fail(&refusal),
    }
}

pub(super) async fn decide(InteractionPost(visitor, form): InteractionPost) -> Response {
    if visitor.current.request.device.is_some() {
        return visitor.at(paths::DEVICE_CONFIRM);
    }
    answer(visitor, &form).await
}

/// Records the user's decision, for an application or a device.
pub(super) async fn answer(mut visitor: Visitor, form: &Form) -> Response {
    let chosen: Vec<OrganizationId> = form.all("organization").map(OrganizationId::from).collect();
    let decided = match form.all("decision").next() {
        Some("allow") => consent::allow(&mut visitor.current, chosen).await,
        Some("deny") => consent::deny(&mut visitor.current).await,
        _ => Err(InteractionRefusal::VerificationRequired),
    };
    match decided {
        Ok(()) => see_other(&visitor.current.resume_url()),
        Err(refusal) => visitor.fail(&refusal),
    }
}

fn page(visitor: &Visitor, question: &ConsentRequest) -> Response {
    let url = Url::parse(&visitor.current.request.redirect_uri).ok();
    let mut scopes: Vec<_> = question.oidc.iter().map(String::as_str).filter(|scope| *scope != IDENTITY).collect();
    // Other access implies the identity, so it is only listed if nothing else is requested.
    let resources = resource_views(question);
    if scopes.is_empty() && resources.is_empty() {
        scopes.push(IDENTITY);
    }
    ConsentPage {
        frame: &visitor.frame,
        csrf: &visitor.csrf,
        user: question.name_of_user(),
        avatar: question.user.avatar.as_deref(),
        scopes,
        resources,
        organizations: organization_views(question),
        destination: url.as_ref().and_then(Url::host_str),
    }
    .answer()
}

/// The requested scopes of API resources, also those that the user has in an organization.
pub(super) fn resource_views(question: &ConsentRequest) -> Vec<ResourceView<'_>> {
    let mut views: Vec<(&ResourceId, ResourceView<'_>)> = Vec::with_capacity(question.resources.len());
    let inside = question.organizations.iter().flat_map(|(_, resources)| resources);
    for (resource, scopes) in question.resources.iter().chain(inside) {
        let scopes =
            scopes.iter().map(|scope| ScopeView { name: &scope.name, description: scope.description.as_deref() });
        match views.iter_mut().find(|(id, _)| *id == &resource.id) {
            None => views.push((&resource.id, ResourceView { name: &resource.name, scopes: scopes.collect() })),
            Some((_, view)) => {
                for scope in scopes {
                    if !view.scopes.iter().any(|known| known.name == scope.name) {
                        view.scopes.push(scope);
                    }
                }
            }
        }
    }
    views.into_iter().map(|(_, view)| view).collect()
}

/// The organizations to choose from.
pub(super) fn organization_views(question: &ConsentRequest) -> Vec<OrganizationView<'_>> {
    let organizations = question.organizations.iter();
    organizations.map(|(one, _)| OrganizationView { id: &one.id, name: &one.name, is_chosen: true }).collect()
}
