//! Consent: the scopes that a third-party application requests, and the user's decision. Granted scopes are stored in a
//! grant when the code is issued.

use super::asked::{asked, missing};
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

/// The request for consent.
pub struct ConsentRequest {
    /// The requesting application.
    pub application: Application,
    /// The user who is asked.
    pub user: User,
    /// The scopes about the user that were not granted before.
    pub oidc: Vec<String>,
    /// The scopes of resources that were not granted before.
    pub resources: Vec<(Resource, Vec<Scope>)>,
    /// The user's organizations, if the application requests access to organizations.
    pub organizations: Vec<Organization>,
}

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
    let asked = asked(&mut tx, &snapshot, request, &facts).await?;
    // `prompt=consent` and devices show all scopes, also granted ones.
    let shows_all = request.asks(Prompt::Consent) || request.device.is_some();
    let shown = if shows_all { asked } else { missing(&asked, &given) };
    let GrantedScopes { oidc, resources, .. } = shown;
    let mut described = Vec::with_capacity(resources.len());
    for (indicator, names) in resources {
        let Some(resource) = resources::find_by_indicator(&mut tx, &indicator).await? else { continue };
        let mut scopes = resources::scopes_of(&mut tx, &resource.id).await?;
        scopes.retain(|scope| names.contains(&scope.name));
        described.push((resource, scopes));
    }
    // First-party applications may act in all organizations.
    let chooses = request.requests(ORGANIZATIONS) && (application.is_third_party || request.device.is_none());
    let organizations = if chooses { organizations::of_user(&mut tx, &user.id).await? } else { Vec::new() };
    Ok(ConsentRequest { application, user, oidc, resources: described, organizations })
}

/// Grants the request, also for these organizations of the user.
pub async fn allow(current: &mut CurrentInteraction, chosen: Vec<OrganizationId>) -> Result<(), InteractionRefusal> {
    let known = question(current).await?.organizations;
    if !chosen.iter().all(|id| known.iter().any(|organization| organization.id == *id)) {
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
