//! `/consent`: what a third-party application asks for.

use super::visitor::{InteractionPost, Visitor};
use axum::response::Response;
use claimsmith_domain::id::OrganizationId;
use claimsmith_identity::interaction::consent::{self, ConsentRequest};
use claimsmith_identity::interaction::refusal::InteractionRefusal;
use claimsmith_pages::consent::{ConsentPage, OrganizationView, ResourceView, ScopeView};
use claimsmith_pages::paths;
use claimsmith_web::extract::form::Form;
use claimsmith_web::redirect::see_other;
use url::Url;

/// The scope of knowing whose account it is.
const IDENTITY: &str = "openid";

pub(super) async fn show(visitor: Visitor) -> Response {
    if visitor.current.request.device.is_some() {
        // About a device there is a page of its own.
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

/// Takes somebody's answer, whatever they were asked about.
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
    // Whoever may do more knows this as well; whoever wants nothing else is to say so.
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

/// What of APIs is asked for.
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
