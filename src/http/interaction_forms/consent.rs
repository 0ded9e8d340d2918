//! `/consent`: the access that a third-party application requests.

use super::visitor::{InteractionPost, Visitor};
use axum::response::Response;
use claimsmith_domain::id::OrganizationId;
use claimsmith_identity::interaction::consent::{self, ConsentRequest};
use claimsmith_identity::interaction::refusal::InteractionRefusal;
use claimsmith_pages::paths;
use claimsmith_pages::sign_in::consent::{ConsentPage, OrganizationView, ResourceView, ScopeView};
use claimsmith_web::extract::form::Form;
use claimsmith_web::redirect::see_other;
use url::Url;

/// The scope for the user's identity.
const IDENTITY: &str = "openid";

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
    if scopes.is_empty() && question.resources.is_empty() {
        scopes.push(IDENTITY);
    }
    ConsentPage {
        frame: &visitor.frame,
        csrf: &visitor.csrf,
        user: question.name_of_user(),
        avatar: question.user.avatar.as_deref(),
        scopes,
        resources: resource_views(question),
        organizations: organization_views(question),
        destination: url.as_ref().and_then(Url::host_str),
    }
    .answer()
}

/// The requested scopes of API resources.
pub(super) fn resource_views(question: &ConsentRequest) -> Vec<ResourceView<'_>> {
    let mut views = Vec::with_capacity(question.resources.len());
    for (resource, scopes) in &question.resources {
        let scopes =
            scopes.iter().map(|scope| ScopeView { name: &scope.name, description: scope.description.as_deref() });
        views.push(ResourceView { name: &resource.name, scopes: scopes.collect() });
    }
    views
}

/// The organizations to choose from.
pub(super) fn organization_views(question: &ConsentRequest) -> Vec<OrganizationView<'_>> {
    let organizations = question.organizations.iter();
    organizations.map(|one| OrganizationView { id: &one.id, name: &one.name, is_chosen: true }).collect()
}
