//! Gives an application what somebody lets it have: the grant that remembers it, and the authorization code that stands
//! for it.

use super::asked;
use super::session::Error;
use claimsmith_domain::authorization::request::{AuthorizationRequest, Authorized, Consented, Prompt};
use claimsmith_domain::documents::application::ApplicationType;
use claimsmith_domain::event::EventType;
use claimsmith_domain::id::GrantId;
use claimsmith_domain::random::Random;
use claimsmith_domain::user_scope::{self, OFFLINE_ACCESS};
use claimsmith_services::tokens;
use claimsmith_services::unit_of_work::UnitOfWork;
use claimsmith_services::webhooks::Event;
use claimsmith_storage::Json;
use claimsmith_storage::sessions::codes::{self, Code};
use claimsmith_storage::sessions::grants::{self, Grant, GrantedScopes};
use claimsmith_storage::sessions::{self, Session};
use serde_json::json;

/// How long a code lives: a minute, in milliseconds (RFC 6749 section 4.1.2 recommends at most ten).
const CODE_LIFETIME_MS: i64 = 60_000;
/// How long a grant lives: 180 days, in milliseconds.
pub(crate) const GRANT_LIFETIME_MS: i64 = 180 * 24 * 3_600_000;

/// The application that gets a code.
#[derive(Clone, Copy, Debug)]
pub struct CodeRecipient {
    /// Its type.
    pub kind: ApplicationType,
    /// Whether it belongs to somebody else than the operator.
    pub is_third_party: bool,
    /// How many grants a user may have at it.
    pub max_grants: Option<u32>,
}

/// A code for what was asked for, in the session of somebody who may have it given. [`Error::Ended`] when the session was
/// ended meanwhile.
pub async fn issue(
    work: &mut UnitOfWork,
    random: &Random,
    recipient: CodeRecipient,
    request: &AuthorizationRequest,
    session: &Session,
    given: &GrantedScopes,
) -> Result<String, Error> {
    let now = work.now();
    let (grant_id, authorized) = authorize(work, random, recipient, request, session, given).await?;
    let code = random.secret(43)?;
    let row = Code {
        hash: tokens::hash(&code),
        grant_id,
        user_id: session.user_id.clone(),
        application_id: request.client_id.clone(),
        authorization_details: Json(Some(authorized)),
        family_id: random.id(21)?,
        created_at: now,
        expires_at: now + CODE_LIFETIME_MS,
        consumed_at: None,
    };
    codes::insert(work, &row).await?;
    Ok(code)
}

/// What was asked for is given, in the session of somebody who may give it: the grant that remembers it, and what a code
/// is to stand for.
pub(super) async fn authorize(
    work: &mut UnitOfWork,
    random: &Random,
    recipient: CodeRecipient,
    request: &AuthorizationRequest,
    session: &Session,
    given: &GrantedScopes,
) -> Result<(GrantId, Authorized), Error> {
    // First, so that nobody ends the session meanwhile.
    let now = work.now();
    if !sessions::touch(work, &session.id, &session.user_id, now).await? {
        return Err(Error::Ended);
    }
    let (grant_id, all) = remember(work, random, recipient, request, session, given).await?;
    let details = session.details.0.clone().unwrap_or_default();
    let consented = Consented { resources: all.resources, organizations: all.organizations };
    let authorized = Authorized {
        session_id: Some(session.id.clone()),
        auth_time: session.authenticated_at / 1000,
        amr: details.amr,
        interaction: details.interaction,
        ..authorized(request, recipient, consented)
    };
    Ok((grant_id, authorized))
}

/// What a request asks for, as a code stands for it; without what the session says. `consented` counts for a third
/// party alone.
#[must_use]
pub fn authorized(request: &AuthorizationRequest, recipient: CodeRecipient, consented: Consented) -> Authorized {
    let (scope, resource_scope) = request.scope.iter().cloned().partition(|scope| user_scope::is_known(scope));
    Authorized {
        redirect_uri: request.redirect_uri.clone(),
        code_challenge: request.code_challenge.clone(),
        nonce: request.nonce.clone(),
        scope: granted(scope, request, recipient.kind),
        resource_scope,
        resources: request.resources.clone(),
        consented: recipient.is_third_party.then_some(consented),
        acr_values: request.acr_values.clone(),
        ..Authorized::default()
    }
}

/// The grant of this session, which remembers what is given now beside what was; answers all of it.
async fn remember(
    work: &mut UnitOfWork,
    random: &Random,
    recipient: CodeRecipient,
    request: &AuthorizationRequest,
    session: &Session,
    given: &GrantedScopes,
) -> Result<(GrantId, GrantedScopes), Error> {
    let now = work.now();
    let known = grants::of_user(work, &session.user_id, Some(&request.client_id), now).await?;
    let expires_at = now + GRANT_LIFETIME_MS;
    let mut all = GrantedScopes::default();
    for scopes in known.iter().filter_map(|grant| grant.scopes.as_ref()) {
        asked::add(&mut all, scopes);
    }
    asked::add(&mut all, given);
    let scopes = Json(Some(all.clone()));
    let same = known.iter().position(|grant| grant.session_id.as_ref() == Some(&session.id));
    let mut known = known;
    if let Some(mut grant) = same.map(|index| known.swap_remove(index)) {
        if grant.scopes != scopes || grant.expires_at < expires_at - 24 * 3_600_000 {
            grant.scopes = scopes;
            grant.expires_at = expires_at;
            grants::update(work, &grant).await?;
        }
        return Ok((grant.id, all));
    }
    let grant = Grant {
        id: random.id(21)?.into(),
        user_id: session.user_id.clone(),
        application_id: request.client_id.clone(),
        session_id: Some(session.id.clone()),
        scopes,
        created_at: now,
        expires_at,
    };
    grants::insert(work, &grant).await?;
    end_oldest(work, recipient, request, session, &known).await?;
    Ok((grant.id, all))
}

/// Ends the oldest grants of a user at an application that allows so many: `Grant.LimitExceeded`. `known` are those
/// beside the new one, newest first.
async fn end_oldest(
    work: &mut UnitOfWork,
    recipient: CodeRecipient,
    request: &AuthorizationRequest,
    session: &Session,
    known: &[Grant],
) -> Result<(), Error> {
    let Some(max) = recipient.max_grants else { return Ok(()) };
    let beside_it = usize::try_from(max).unwrap_or(usize::MAX).saturating_sub(1);
    let now = work.now();
    for oldest in known.iter().skip(beside_it) {
        grants::revoke(work, &oldest.id, now).await?;
        let details = json!({ "grantId": oldest.id, "userId": session.user_id, "maxAllowedGrants": max });
        work.audit("Grant.LimitExceeded", details).await?;
        let event = Event::new(EventType::GrantLimitExceeded, 303_u16);
        let event = event.of("userId", &session.user_id).of("applicationId", &request.client_id);
        work.emit(&event.of("grantId", &oldest.id)).await?;
    }
    Ok(())
}

/// The scopes about the user that are granted. Web applications get `offline_access` only with `prompt=consent` (OpenID
/// Connect Core section 11); native ones cannot keep a session otherwise.
fn granted(mut scope: Vec<String>, request: &AuthorizationRequest, kind: ApplicationType) -> Vec<String> {
    if kind != ApplicationType::Native && !request.asks(Prompt::Consent) {
        scope.retain(|scope| scope != OFFLINE_ACCESS);
    }
    let mut seen = std::collections::BTreeSet::new();
    scope.retain(|scope| seen.insert(scope.clone()));
    scope
}
