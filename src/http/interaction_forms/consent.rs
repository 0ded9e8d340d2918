//! `/consent`: what a third-party application asks for.

use super::visitor::{Posted, Visitor};
use crate::domain::id::OrganizationId;
use crate::http::pages::consent::{ConsentPage, OrganizationView, ResourceView, ScopeView};
use crate::http::redirect::see_other;
use crate::interaction::consent::{self, Question};
use crate::interaction::refusal::Refusal;
use axum::response::Response;
use url::Url;

/// The scope of knowing whose account it is.
const IDENTITY: &str = "openid";

pub(super) async fn show(visitor: Visitor) -> Response {
    match consent::question(&visitor.current).await {
        Ok(question) => page(&visitor, &question),
        Err(refusal) => visitor.fail(&refusal),
    }
}

pub(super) async fn decide(Posted(mut visitor, form): Posted) -> Response {
    let chosen: Vec<OrganizationId> = form.all("organization").map(OrganizationId::from).collect();
    let decided = match form.all("decision").next() {
        Some("allow") => consent::allow(&mut visitor.current, chosen).await,
        Some("deny") => consent::deny(&mut visitor.current).await,
        _ => Err(Refusal::VerificationRequired),
    };
    match decided {
        Ok(()) => see_other(&visitor.current.resume_url()),
        Err(refusal) => visitor.fail(&refusal),
    }
}

fn page(visitor: &Visitor, question: &Question) -> Response {
    let user = &question.user;
    let name = user.name.as_deref().filter(|name| !name.is_empty());
    let name = name.or(user.username.as_deref()).or(user.primary_email.as_deref());
    let resources = question.resources.iter().map(|(resource, scopes)| ResourceView {
        name: &resource.name,
        scopes: scopes
            .iter()
            .map(|scope| ScopeView { name: &scope.name, description: scope.description.as_deref() })
            .collect(),
    });
    let organizations = question.organizations.iter().map(|organization| OrganizationView {
        id: &organization.id,
        name: &organization.name,
        is_chosen: true,
    });
    let url = Url::parse(&visitor.current.request.redirect_uri).ok();
    let mut scopes: Vec<_> = question.oidc.iter().map(String::as_str).filter(|scope| *scope != IDENTITY).collect();
    // Whoever may do more knows this as well; whoever wants nothing else is to say so.
    if scopes.is_empty() && question.resources.is_empty() {
        scopes.push(IDENTITY);
    }
    ConsentPage {
        frame: &visitor.frame,
        csrf: &visitor.csrf,
        user: name.unwrap_or(&user.id),
        scopes,
        resources: resources.collect(),
        organizations: organizations.collect(),
        destination: url.as_ref().and_then(Url::host_str),
    }
    .answer()
}
