//! Issues authorization codes: the code, and the grant that stores what the user has granted to the application.

use super::asked;
use super::session::Error;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::authorization::request::{AuthorizationRequest, Authorized, Consented, Prompt};
use claimsmith_domain::documents::application::{ApplicationType, CustomClientMetadata};
use claimsmith_domain::event::EventType;
use claimsmith_domain::id::{ApplicationId, GrantId, OrganizationId, SessionId};
use claimsmith_domain::origin::RequestOrigin;
use claimsmith_domain::random::{Random, RandomError};
use claimsmith_domain::user_scope::OFFLINE_ACCESS;
use claimsmith_services::app::App;
use claimsmith_services::audit::Actor;
use claimsmith_services::tokens::{self, Client, SharedChange};
use claimsmith_services::unit_of_work::UnitOfWork;
use claimsmith_services::webhooks::Event;
use claimsmith_storage::organizations::consents;
use claimsmith_storage::sessions::codes::{self, Code};
use claimsmith_storage::sessions::grants::{self, Grant, GrantedScopes};
use claimsmith_storage::sessions::presented::BrowserSession;
use claimsmith_storage::sessions::{self, Session};
use claimsmith_storage::{self as storage, Json};
use serde_json::json;

/// Lifetime of a code: a minute, in milliseconds (RFC 6749 section 4.1.2 recommends at most ten).
const CODE_LIFETIME_MS: i64 = 60_000;
/// Lifetime of a grant: 180 days, in milliseconds.
pub(crate) const GRANT_LIFETIME_MS: i64 = 180 * 24 * 3_600_000;
/// How old its lifetime becomes before it gets a new one: a day, in milliseconds.
const GRANT_RENEWED_AFTER_MS: i64 = 24 * 3_600_000;

/// The application that receives a code.
#[derive(Clone, Copy, Debug)]
pub struct CodeRecipient<'a> {
    /// Its type.
    pub kind: ApplicationType,
    /// Whether it is a third-party application.
    pub is_third_party: bool,
    /// Its settings.
    pub metadata: &'a CustomClientMetadata,
}

/// A client as the recipient of a code.
#[must_use]
pub fn recipient(client: &Client) -> CodeRecipient<'_> {
    let application = &client.application;
    CodeRecipient {
        kind: application.kind,
        is_third_party: application.is_third_party,
        metadata: &application.custom_client_metadata,
    }
}

/// Issues a code for the request in the session of a user who has consented. [`Error::Ended`] if the session has ended
/// in the meantime.
pub async fn issue(
    work: &mut UnitOfWork,
    random: &Random,
    recipient: CodeRecipient<'_>,
    request: &AuthorizationRequest,
    session: &Session,
    given: &GrantedScopes,
) -> Result<String, Error> {
    let now = work.now();
    let (grant_id, authorized) = authorize(work, random, recipient, request, session, given).await?;
    let (code, row) = generate(random, session, (grant_id, request.client_id.clone()), authorized, now)?;
    codes::insert(work, &row).await?;
    Ok(code)
}

/// A code with its row.
fn generate(
    random: &Random,
    session: &Session,
    (grant_id, application_id): (GrantId, ApplicationId),
    authorized: Authorized,
    now: i64,
) -> Result<(String, Code), RandomError> {
    let code = random.secret(43)?;
    let row = Code {
        hash: tokens::hash(&code),
        grant_id,
        user_id: session.user_id.clone(),
        application_id,
        authorization_details: Json(Some(authorized)),
        family_id: random.id(21)?,
        created_at: now,
        expires_at: now + CODE_LIFETIME_MS,
        consumed_at: None,
    };
    Ok((code, row))
}

/// A code under a grant that stays as it is. It was decided before the transaction, which compares that the session and
/// the grant are still live.
struct CodeUnderGrant {
    row: Code,
    session_id: SessionId,
}

impl SharedChange for CodeUnderGrant {
    type Outcome = bool;
    type Refusal = storage::Error;

    async fn write(&self, work: &mut UnitOfWork) -> storage::Result<bool> {
        let now = work.now();
        codes::add(work, &self.row, &self.session_id, now).await
    }
}

/// Issues a code for the request in the session of a user who has granted all of it before, to one of the operator's own
/// applications: nothing but the code is new. `None` if the grant has to be written, or if it or the session has ended
/// in the meantime: [`issue`] decides then.
pub async fn issue_again(
    app: &App,
    origin: &RequestOrigin,
    recipient: CodeRecipient<'_>,
    request: &AuthorizationRequest,
    known: &BrowserSession,
    given: &GrantedScopes,
) -> Result<Option<String>, Error> {
    let (session, now) = (&known.session, app.clock.now_ms());
    let grant = known.grant.as_ref().filter(|grant| !recipient.is_third_party && stays(grant, given, now));
    let Some(grant) = grant else { return Ok(None) };
    // For the operator's own applications, consents are not part of the authorization.
    let authorized = in_session(request, recipient, session, Consented::default());
    let parties = (grant.id.clone(), request.client_id.clone());
    let (code, row) = generate(&app.random, session, parties, authorized, now)?;
    let change = CodeUnderGrant { row, session_id: session.id.clone() };
    let added = if let Some(mut tx) = app.db.autocommit() {
        let added = codes::add(&mut tx, &change.row, &change.session_id, now).await?;
        tx.commit().await?;
        added
    } else {
        let actor = Actor::Application { id: request.client_id.clone() };
        app.issuer.change(change, actor, origin.clone()).await?
    };
    Ok(added.then_some(code))
}

/// Whether a grant already has these scopes and need not be renewed.
fn stays(grant: &Grant, given: &GrantedScopes, now: i64) -> bool {
    let Some(known) = grant.scopes.as_ref() else { return false };
    let mut all = known.clone();
    asked::add(&mut all, given);
    all == *known && !is_to_be_renewed(grant, now)
}

/// Whether a grant gets a new lifetime: not with each code, since this is one more write.
fn is_to_be_renewed(grant: &Grant, now: i64) -> bool {
    grant.expires_at < now + GRANT_LIFETIME_MS - GRANT_RENEWED_AFTER_MS
}

/// Grants the request in the session of a user who has consented: returns the grant, and the authorization of the code.
pub(super) async fn authorize(
    work: &mut UnitOfWork,
    random: &Random,
    recipient: CodeRecipient<'_>,
    request: &AuthorizationRequest,
    session: &Session,
    given: &GrantedScopes,
) -> Result<(GrantId, Authorized), Error> {
    // First, which locks the session, so that it cannot end concurrently.
    let now = work.now();
    if !sessions::touch(work, &session.id, &session.user_id, now).await? {
        return Err(Error::Ended);
    }
    let (grant_id, all) = remember(work, random, recipient, request, session, given).await?;
    let consented = Consented { resources: all.resources, organizations: all.organizations };
    let mut authorized = in_session(request, recipient, session, consented);
    if recipient.is_third_party {
        // What is enabled for it later needs another consent.
        authorized.scope.retain(|scope| all.oidc.contains(scope));
    }
    Ok((grant_id, authorized))
}

/// The authorization of a code by its request, in a session.
fn in_session(
    request: &AuthorizationRequest,
    recipient: CodeRecipient<'_>,
    session: &Session,
    consented: Consented,
) -> Authorized {
    let details = session.details.0.clone().unwrap_or_default();
    Authorized {
        session_id: Some(session.id.clone()),
        auth_time: session.authenticated_at / 1000,
        amr: details.amr,
        interaction: details.interaction,
        ..authorized(request, recipient, consented)
    }
}

/// The authorization of a code by its request, without data of the session. `consented` applies only to third parties.
#[must_use]
pub fn authorized(request: &AuthorizationRequest, recipient: CodeRecipient<'_>, consented: Consented) -> Authorized {
    let (scope, resource_scope) =
        request.scope.iter().cloned().partition(|scope| recipient.metadata.is_user_scope(scope));
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

/// Adds the scopes granted now to the grant of this session; returns the grant with all its scopes.
async fn remember(
    work: &mut UnitOfWork,
    random: &Random,
    recipient: CodeRecipient<'_>,
    request: &AuthorizationRequest,
    session: &Session,
    given: &GrantedScopes,
) -> Result<(GrantId, GrantedScopes), Error> {
    let now = work.now();
    if recipient.is_third_party {
        let chosen: Vec<OrganizationId> = given.organizations.iter().cloned().map(OrganizationId::from).collect();
        consents::add(work, &request.client_id, &session.user_id, &chosen).await?;
    }
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
        if grant.scopes != scopes || is_to_be_renewed(&grant, now) {
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

/// Revokes the oldest grants of a user at an application with a limit: `Grant.LimitExceeded`. `known` are the grants
/// besides the new one, newest first.
async fn end_oldest(
    work: &mut UnitOfWork,
    recipient: CodeRecipient<'_>,
    request: &AuthorizationRequest,
    session: &Session,
    known: &[Grant],
) -> Result<(), Error> {
    let Some(max) = recipient.metadata.max_allowed_grants else { return Ok(()) };
    let beside_it = usize::try_from(max).unwrap_or(usize::MAX).saturating_sub(1);
    let now = work.now();
    // With the new one.
    let active = u64::try_from(known.len()).unwrap_or(u64::MAX).saturating_add(1);
    for oldest in known.iter().skip(beside_it) {
        grants::revoke(work, &oldest.id, now).await?;
        let details = json!({ "grantId": oldest.id, "userId": session.user_id, "maxAllowedGrants": max });
        work.audit(AuditKey::GrantLimitExceeded, details).await?;
        let event = Event::new(EventType::GrantLimitExceeded, 303_u16);
        let event = event.of("userId", &session.user_id).of("applicationId", &request.client_id);
        let event = event.of("grantId", &oldest.id).with("maxAllowedGrants", max.into());
        work.emit(&event.with("preRevocationActiveGrantCount", active.into())).await?;
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
