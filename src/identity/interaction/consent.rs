//! Consent: the scopes that a third-party application requests, and the user's decision. Granted scopes are stored in a
//! grant when the code is issued.

use super::asked::{Requester, asked, missing};
use super::current::CurrentInteraction;
use super::refusal::InteractionRefusal;
use super::step::InteractionStep;
use claimsmith_domain::authorization::request::Prompt;
use claimsmith_domain::id::OrganizationId;
use claimsmith_domain::user_scope::ORGANIZATIONS;
use claimsmith_storage::applications::{self, Application};
use claimsmith_storage::organizations::{self, Organization};
use claimsmith_storage::resources::{self, Resource, Scope};
use claimsmith_storage::sessions::grants::{self, GrantedScopes};
use claimsmith_storage::sessions::{self};
use claimsmith_storage::users::{self, User};
use claimsmith_storage::{self as storage, Tx};
use serde_json::json;
use std::collections::BTreeMap;

/// The request for consent.
pub struct ConsentRequest {
    /// The requesting application.
    pub application: Application,
    /// The user who is asked.
    pub user: User,
    /// The scopes about the user that were not granted before.
    pub oidc: Vec<String>,
    /// The scopes of resources that were not granted before.
    pub resources: Vec<ResourceScopes>,
    /// The user's organizations, if the application requests access to organizations, with the scopes that a third
    /// party gets there and that were not granted before.
    pub organizations: Vec<(Organization, Vec<ResourceScopes>)>,
}

/// A resource, and scopes of it.
pub type ResourceScopes = (Resource, Vec<Scope>);

impl ConsentRequest {
    /// The user's name, or else an identifier.
    #[must_use]
    pub fn name_of_user(&self) -> &str {
        let user = &self.user;
        let name = user.name.as_deref().filter(|name| !name.is_empty());
        name.or(user.username.as_deref()).or(user.primary_email.as_deref()).unwrap_or(&user.id)
    }
}

/// The consent request for the user who is signed in in this browser.
pub async fn question(current: &CurrentInteraction) -> Result<ConsentRequest, InteractionRefusal> {
    let (app, request) = (&current.app, &current.request);
    let now = app.clock.now_ms();
    let mut tx = app.db.read().await?;
    let user = signed_in(current, &mut tx).await?.ok_or(InteractionRefusal::NotIdentified)?;
    let application =
        applications::find(&mut tx, &request.client_id).await?.ok_or(InteractionRefusal::NoInteraction)?;
    let snapshot = app.authorizations.current(&mut tx, now).await?;
    let facts =
        snapshot.user_facts(&mut tx, &user.id, user.revision).await?.ok_or(InteractionRefusal::NotIdentified)?;
    let given = grants::of_user(&mut tx, &user.id, Some(&request.client_id), now).await?;
    let mut requester = Requester::load(&mut tx, &application, request, &user.id, &[]).await?.within(Vec::new());
    let asked_outside = asked(&mut tx, &snapshot, request, &facts, &requester).await?;
    // `prompt=consent` and devices show all scopes, also granted ones.
    let shows_all = request.asks(Prompt::Consent) || request.device.is_some();
    let shown = |asked: GrantedScopes| if shows_all { asked } else { missing(&asked, &given) };
    let GrantedScopes { oidc, resources, .. } = shown(asked_outside);
    // First-party applications may act in all organizations.
    let chooses = request.requests(ORGANIZATIONS)
        && requester.may_ask_for(ORGANIZATIONS)
        && (application.is_third_party || request.device.is_none());
    let known = if chooses { organizations::of_user(&mut tx, &user.id).await? } else { Vec::new() };
    let mut known_scopes = Vec::with_capacity(request.resources.len());
    for indicator in &request.resources {
        let Some(resource) = resources::find_by_indicator(&mut tx, indicator).await? else { continue };
        let scopes = resources::scopes_of(&mut tx, &resource.id).await?;
        known_scopes.push((resource, scopes));
    }
    let mut organizations = Vec::with_capacity(known.len());
    for organization in known {
        let mut inside = BTreeMap::new();
        if application.is_third_party {
            requester = requester.within(vec![organization.id.clone()]);
            inside = shown(asked(&mut tx, &snapshot, request, &facts, &requester).await?).resources;
            remove(&mut inside, &resources);
        }
        organizations.push((organization, describe(&known_scopes, &inside)));
    }
    let resources = describe(&known_scopes, &resources);
    Ok(ConsentRequest { application, user, oidc, resources, organizations })
}

/// Removes scopes of resources, by indicator, from others.
fn remove(from: &mut BTreeMap<String, Vec<String>>, scopes: &BTreeMap<String, Vec<String>>) {
    for (indicator, names) in from.iter_mut() {
        names.retain(|name| scopes.get(indicator).is_none_or(|known| !known.contains(name)));
    }
    from.retain(|_, names| !names.is_empty());
}

/// The resources with these indicators, and their scopes with these names.
fn describe(known: &[ResourceScopes], named: &BTreeMap<String, Vec<String>>) -> Vec<ResourceScopes> {
    let mut described = Vec::with_capacity(named.len());
    for (indicator, names) in named {
        let Some((resource, scopes)) = known.iter().find(|(resource, _)| resource.indicator == *indicator) else {
            continue;
        };
        let scopes = scopes.iter().filter(|scope| names.contains(&scope.name)).cloned().collect();
        described.push((resource.clone(), scopes));
    }
    described
}

/// Grants the request, also for these organizations of the user.
pub async fn allow(current: &mut CurrentInteraction, chosen: Vec<OrganizationId>) -> Result<(), InteractionRefusal> {
    let known = question(current).await?.organizations;
    if !chosen.iter().all(|id| known.iter().any(|(organization, _)| organization.id == *id)) {
        return Err(InteractionRefusal::NotAMember);
    }
    decide(current, true, chosen).await
}

/// Denies the request.
pub async fn deny(current: &mut CurrentInteraction) -> Result<(), InteractionRefusal> {
    decide(current, false, Vec::new()).await
}

async fn decide(
    current: &mut CurrentInteraction,
    allows: bool,
    organizations: Vec<OrganizationId>,
) -> Result<(), InteractionRefusal> {
    let mut work = current.begin().await?;
    current.progress.consented = Some(allows);
    let details = json!({ "allowed": allows, "organizationIds": organizations });
    current.progress.organizations = organizations;
    current.save(&mut work, InteractionStep::Consent, details).await?;
    Ok(work.commit().await?)
}

/// The active user of the interaction's session, if it is a session of this browser.
async fn signed_in(current: &CurrentInteraction, tx: &mut Tx) -> storage::Result<Option<User>> {
    let Some(id) = &current.progress.session_id else { return Ok(None) };
    let browser_hash = current.browser.session_hash.as_deref();
    let session = sessions::find(tx, id).await?.filter(|session| Some(session.browser_hash.as_str()) == browser_hash);
    let Some(session) = session else { return Ok(None) };
    Ok(users::find(tx, &session.user_id).await?.filter(|user| !user.is_suspended))
}
