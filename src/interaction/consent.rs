//! Consent: what a third-party application asks for, and what the person says to it. What they allow is remembered as a
//! grant when the code is made.

use super::asked::{asked, missing};
use super::session::Error;
use crate::domain::authorization::request::AuthorizationRequest;
use crate::domain::id::{OrganizationId, UserId};
use crate::domain::interaction::Progress;
use crate::domain::user_scope::ORGANIZATIONS;
use crate::storage::Tx;
use crate::storage::applications::{self, Application};
use crate::storage::organizations::{self, Organization};
use crate::storage::resources::{self, Resource, Scope};
use crate::storage::sessions::grants::{self, GrantedScopes};
use crate::storage::sessions::{self};
use crate::storage::users::{self, User};
use crate::tokens::Snapshot;

/// What somebody is asked to allow.
pub(crate) struct Question {
    /// Who asks.
    pub application: Application,
    /// Who is asked.
    pub user: User,
    /// The scopes about the user that were not given yet.
    pub oidc: Vec<String>,
    /// The scopes of resources that were not given yet.
    pub resources: Vec<(Resource, Vec<Scope>)>,
    /// The user's organizations, if the application wants to see any.
    pub organizations: Vec<Organization>,
}

/// What the application of an interaction asks for, of whoever signed in in the same browser. `None` when nobody did, or
/// somebody who is not active any more.
pub(crate) async fn question(
    tx: &mut Tx,
    snapshot: &Snapshot,
    request: &AuthorizationRequest,
    progress: &Progress,
    browser_hash: Option<&str>,
    now: i64,
) -> Result<Option<Question>, Error> {
    let Some(user) = signed_in(tx, progress, browser_hash).await? else { return Ok(None) };
    let Some(application) = applications::find(tx, &request.client_id).await? else { return Ok(None) };
    let Some(facts) = snapshot.user_facts(tx, &user.id, user.revision).await? else { return Ok(None) };
    let given = grants::of_user(tx, &user.id, Some(&request.client_id), now).await?;
    let GrantedScopes { oidc, resources, .. } = missing(&asked(tx, snapshot, request, &facts).await?, &given);
    let mut described = Vec::with_capacity(resources.len());
    for (indicator, names) in resources {
        let Some(resource) = resources::find_by_indicator(tx, &indicator).await? else { continue };
        let mut scopes = resources::scopes_of(tx, &resource.id).await?;
        scopes.retain(|scope| names.contains(&scope.name));
        described.push((resource, scopes));
    }
    let organizations = match request.requests(ORGANIZATIONS) {
        true => organizations::of_user(tx, &user.id).await?,
        false => Vec::new(),
    };
    Ok(Some(Question { application, user, oidc, resources: described, organizations }))
}

/// Whether somebody is a member of all these organizations.
pub(crate) async fn are_members(tx: &mut Tx, user_id: &UserId, chosen: &[OrganizationId]) -> Result<bool, Error> {
    let member = organizations::of_user(tx, user_id).await?;
    Ok(chosen.iter().all(|id| member.iter().any(|organization| organization.id == *id)))
}

/// The active user whose session the interaction is about, if it is a session of this browser.
async fn signed_in(tx: &mut Tx, progress: &Progress, browser_hash: Option<&str>) -> Result<Option<User>, Error> {
    let Some(id) = &progress.session_id else { return Ok(None) };
    let session = sessions::find(tx, id).await?.filter(|session| Some(session.browser_hash.as_str()) == browser_hash);
    let Some(session) = session else { return Ok(None) };
    Ok(users::find(tx, &session.user_id).await?.filter(|user| !user.is_suspended))
}
