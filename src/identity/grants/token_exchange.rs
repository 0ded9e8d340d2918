//! The token exchange grant (RFC 8693): for subject tokens (impersonation) and personal access tokens. The order of the
//! steps and the refusals are in `docs/decisions/single-use-and-commit-order.md` and
//! `docs/decisions/token-endpoint-errors.md`.

use super::organization::check_second_factor;
use super::sign_in::check_access;
use super::{GrantFailure, GrantRefusal, RequestParameters, TokenRequest, failure_of, resource};
use claimsmith_domain::grant::grant_type::GrantType;
use claimsmith_domain::grant::token_exchange::{
    ACCESS_TOKEN_TYPE, ActorRefusal, PresentedActor, SubjectKind, TEST_PASSED, TEST_SUBJECT_TOKEN, TEST_WITHOUT_ACTOR,
    accept_actor, may_exchange, may_request,
};
use claimsmith_domain::id::{OrganizationId, UserId};
use claimsmith_domain::scope;
use claimsmith_services::tokens::{
    self, ActingParty, Decision, Found, IssuedTokens, PresentedCredential, Subject, UserSubject,
};
use claimsmith_storage::resources::Resource;
use claimsmith_storage::{Tx, users};
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// The represented user, and the credential that allows it.
struct ExchangeSubject {
    user_id: UserId,
    user_revision: i64,
    presented: PresentedCredential,
    /// The details for the audit log.
    audit: Map<String, Value>,
}

/// The acting user.
pub(super) enum ActorSource {
    /// The user of the request's actor token.
    Token,
    /// This user, or none: a preview has no actor token.
    Given(Option<ActingParty>),
}

pub(super) async fn grant(request: TokenRequest<'_>, tx: Tx) -> Result<IssuedTokens, GrantFailure> {
    let (app, now) = (request.app, request.now);
    let decision = decide(request, tx, ActorSource::Token).await?;
    app.issuer.issue(decision, now).await.map_err(|refusal| failure_of(refusal, bad_subject_token))
}

/// The decision of the exchange.
pub(super) async fn decide(
    mut request: TokenRequest<'_>,
    mut tx: Tx,
    source: ActorSource,
) -> Result<Decision, GrantFailure> {
    let mut audit = std::mem::take(&mut request.audit);
    let TokenRequest { parameters, client, snapshot, .. } = &request;
    if !may_exchange(&client.application.custom_client_metadata, client.application.is_third_party) {
        return Err(GrantRefusal::unauthorized_client().into());
    }
    let requested =
        scope::words(parameters.one("scope")?.unwrap_or_default()).ok_or_else(GrantRefusal::invalid_scope)?;
    if parameters.one("requested_token_type")?.is_some_and(|requested| !may_request(requested)) {
        return Err(GrantRefusal::invalid_request("unsupported requested token type").into());
    }
    if is_test(&request)? {
        return Err(refuse_test(&request, &mut tx).await.into());
    }
    let subject = subject(&request, &mut tx).await?;
    check_access(&mut tx, &client.application, &subject.user_id).await?;
    let organization_id = parameters.one("organization_id")?.map(OrganizationId::from);
    let facts = snapshot.user_facts(&mut tx, &subject.user_id, subject.user_revision).await?;
    let facts = facts.ok_or_else(bad_subject_token)?;
    let organization = match &organization_id {
        None => None,
        Some(id) => {
            let context = facts.organization(id);
            let context =
                context.ok_or_else(|| GrantRefusal::not_a_member("user is not a member of the organization"))?;
            let user = users::find(&mut tx, &subject.user_id).await?.ok_or_else(bad_subject_token)?;
            check_second_factor(&mut tx, &user, id).await?;
            Some((id.clone(), context))
        }
    };
    let resource = exchange_target(&request, &mut tx).await?;
    let actor = match source {
        ActorSource::Token => actor(&request, &mut tx).await?,
        ActorSource::Given(actor) => actor,
    };
    drop(tx);

    audit.insert("resource".to_owned(), json!(resource.indicator));
    audit.extend(subject.audit);
    Ok(Decision {
        scope: scope::grant(&requested, &facts.held(&resource.id, organization_id.as_ref())),
        lifetime: resource.access_token_ttl,
        plugins: true,
        audience: Some(resource.indicator.clone()),
        organization,
        subject: Subject::User(Box::new(UserSubject {
            revision: subject.user_revision,
            facts,
            actor,
            presented: Some(subject.presented),
            id: subject.user_id,
        })),
        grant_type: GrantType::TokenExchange,
        audit,
        origin: request.origin.clone(),
        snapshot: snapshot.clone(),
        client: client.clone(),
    })
}

/// Whether the request presents the subject token of a test.
fn is_test(request: &TokenRequest<'_>) -> Result<bool, GrantRefusal> {
    let kind = request.parameters.one("subject_token_type")?.and_then(SubjectKind::of_type);
    let is_token = request.parameters.one("subject_token")? == Some(TEST_SUBJECT_TOKEN);
    Ok(is_token && kind == Some(SubjectKind::SubjectToken))
}

/// Checks what else a test presents, and refuses it: by what is wrong, or because it is a test.
async fn refuse_test(request: &TokenRequest<'_>, tx: &mut Tx) -> GrantRefusal {
    if let Err(refusal) = exchange_target(request, tx).await {
        return refusal;
    }
    match actor(request, tx).await {
        Err(refusal) => refusal,
        Ok(None) => GrantRefusal::invalid_request(TEST_WITHOUT_ACTOR),
        Ok(Some(_)) => GrantRefusal::invalid_request(TEST_PASSED),
    }
}

/// The hash of the subject token of a request, if it can be one.
pub(super) fn shown_hash(parameters: &RequestParameters) -> Option<String> {
    parameters.all("subject_token").next().filter(|token| SubjectKind::SubjectToken.can_be(token)).map(tokens::hash)
}

/// The user that the presented token represents. The response does not reveal whether it was unknown, expired or used
/// (`docs/decisions/token-endpoint-errors.md`).
async fn subject(request: &TokenRequest<'_>, tx: &mut Tx) -> Result<ExchangeSubject, GrantRefusal> {
    let (Some(token), Some(kind)) =
        (request.parameters.one("subject_token")?, request.parameters.one("subject_token_type")?)
    else {
        let description = "missing required parameter(s) 'subject_token' and 'subject_token_type'";
        return Err(GrantRefusal::invalid_request(description));
    };
    let kind =
        SubjectKind::of_type(kind).ok_or_else(|| GrantRefusal::invalid_request("unsupported subject token type"))?;
    let names_actor =
        request.parameters.one("actor_token")?.is_some() || request.parameters.one("actor_token_type")?.is_some();
    if names_actor && !kind.allows_actor() {
        return Err(GrantRefusal::invalid_request("a personal access token is exchanged without an actor token"));
    }
    match kind {
        SubjectKind::SubjectToken => impersonated(request),
        SubjectKind::PersonalAccessToken => owner(request, tx, token).await,
    }
}

/// The user of a live subject token.
fn impersonated(request: &TokenRequest<'_>) -> Result<ExchangeSubject, GrantRefusal> {
    let Found::Subject(found) = &request.found else { return Err(bad_subject_token()) };
    let audit =
        [("subjectTokenId".to_owned(), json!(found.id)), ("context".to_owned(), Value::clone(&found.context.value))];
    Ok(ExchangeSubject {
        user_id: found.user_id.clone(),
        user_revision: found.user_revision,
        presented: PresentedCredential::SubjectToken { id: found.id.clone(), context: found.context.clone() },
        audit: Map::from_iter(audit),
    })
}

/// The owner of a live personal access token; it allows no actor.
async fn owner(request: &TokenRequest<'_>, tx: &mut Tx, token: &str) -> Result<ExchangeSubject, GrantRefusal> {
    if !SubjectKind::PersonalAccessToken.can_be(token) {
        return Err(bad_subject_token());
    }
    let hash = tokens::hash(token);
    let found =
        users::personal_access_tokens::find_live(tx, &hash, request.now).await?.ok_or_else(bad_subject_token)?;
    request.count_repeated(&found.user_id)?;
    Ok(ExchangeSubject {
        user_id: found.user_id,
        user_revision: found.user_revision,
        presented: PresentedCredential::PersonalAccessToken { hash },
        audit: Map::from_iter([("personalAccessToken".to_owned(), json!(found.name))]),
    })
}

/// The resource; an `audience` beside it has to name the same one. It is never the Management API
/// (`docs/decisions/management-api-authorization.md`), nor the console's, since the server's own applications exchange
/// no tokens.
async fn exchange_target(request: &TokenRequest<'_>, tx: &mut Tx) -> Result<Arc<Resource>, GrantRefusal> {
    let client_id = &request.client.application.id;
    let resource = resource::target(tx, &request.snapshot, request.parameters, client_id).await?;
    if resource.indicator == request.app.config.tokens.management_resource {
        return Err(GrantRefusal::invalid_target("the Management API is not a target of token exchange"));
    }
    if let Some(audience) = request.parameters.one("audience")? {
        let named = request.snapshot.named_resource(tx, audience).await?;
        if named.is_none_or(|named| named.id != resource.id) {
            return Err(GrantRefusal::invalid_target("audience and resource must name the same target"));
        }
    }
    Ok(resource)
}

/// The acting user (`docs/decisions/actor-tokens.md`): the user of a live token with `openid`, which was not itself
/// issued by an exchange, and which was issued to the requesting application or to one that it trusts.
async fn actor(request: &TokenRequest<'_>, tx: &mut Tx) -> Result<Option<ActingParty>, GrantRefusal> {
    let token = match (request.parameters.one("actor_token")?, request.parameters.one("actor_token_type")?) {
        (None, None) => return Ok(None),
        (Some(token), Some(ACCESS_TOKEN_TYPE)) => token,
        (Some(_), Some(_)) => return Err(GrantRefusal::invalid_request("unsupported actor token type")),
        _ => {
            let description = "'actor_token' and 'actor_token_type' must be provided together";
            return Err(GrantRefusal::invalid_request(description));
        }
    };
    let live = tokens::access::check(tx, &request.snapshot, request.app.issuer.name(), token, request.now).await?;
    let invalid = || GrantRefusal::invalid_request("invalid actor token");
    let live = live.ok_or_else(invalid)?;
    let presented = PresentedActor {
        exchanged: live.issuance.exchanged,
        application_id: &live.issuance.application_id,
        scope: &live.issuance.scope,
        of_user: live.user.is_some(),
    };
    let application = &request.client.application;
    accept_actor(&application.id, &application.custom_client_metadata, presented).map_err(|refusal| match refusal {
        ActorRefusal::NotAccepted => invalid(),
        ActorRefusal::WithoutOpenid => GrantRefusal::invalid_request("actor token must have openid scope"),
    })?;
    let user = live.user.ok_or_else(invalid)?;
    Ok(Some(ActingParty { id: user.id, revision: user.revision, jti: live.issuance.jti }))
}

fn bad_subject_token() -> GrantRefusal {
    GrantRefusal::invalid_request("subject token is invalid")
}
