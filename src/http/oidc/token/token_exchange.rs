//! The token-exchange grant (RFC 8693) for subject tokens: impersonation. Decisions 3 to 9 of the specification.

use super::{Failure, TokenRequest, failure_of};
use crate::domain::scope;
use crate::http::error::OAuthError;
use crate::http::extract::form::Form;
use crate::http::oidc::resource;
use crate::storage::subject_tokens::LiveSubject;
use crate::storage::users::User;
use crate::storage::{Tx, resources::Resource};
use crate::tokens::{self, ACCESS_TOKEN_TYPE, Decision, Issued, Subject, TOKEN_EXCHANGE, UserSubject};
use serde_json::json;
use std::sync::Arc;

/// Bytes of a subject token beyond which it cannot be one.
const LONGEST_SUBJECT_TOKEN: usize = 256;

pub(super) async fn grant(request: TokenRequest<'_>, mut tx: Tx) -> Result<Issued, Failure> {
    let TokenRequest { app, form, client, snapshot, .. } = &request;
    if !client.may_exchange() {
        return Err(OAuthError::unauthorized_client("requested grant type is not allowed for this client").into());
    }
    let requested = scope::words(form.one("scope")?.unwrap_or_default()).ok_or_else(OAuthError::invalid_scope)?;
    let subject = subject(&request)?;
    let organization_id = form.one("organization_id")?;
    let facts = snapshot.user_facts(&mut tx, &subject.user_id, subject.user_revision).await?;
    let facts = facts.ok_or_else(bad_subject_token)?;
    let organization = match organization_id {
        None => None,
        Some(id) => {
            let context = facts.organization(id);
            let context =
                context.ok_or_else(|| OAuthError::not_a_member("user is not a member of the organization"))?;
            Some((id.to_owned(), context))
        }
    };
    let resource = exchange_target(&request, &mut tx).await?;
    let actor = actor(&request, &mut tx).await?;
    drop(tx);

    let mut audit = request.info.audit();
    audit.insert("subjectTokenId".to_owned(), json!(subject.id));
    audit.insert("resource".to_owned(), json!(resource.indicator));
    audit.insert("context".to_owned(), subject.context.clone());
    let decision = Decision {
        scope: scope::grant(&requested, &facts.held(&resource.id, organization_id)),
        lifetime: resource.access_token_ttl,
        plugins: true,
        resource: Some(resource),
        subject: Subject::User(Box::new(UserSubject {
            revision: subject.user_revision,
            context: facts.context.clone(),
            organization,
            actor: actor.map(|actor| (actor.id, actor.revision)),
            subject_token: Some((subject.id.clone(), subject.context.clone())),
            id: subject.user_id.clone(),
        })),
        grant_type: TOKEN_EXCHANGE,
        audit,
        request_id: Some(request.info.id.clone()),
        snapshot: snapshot.clone(),
        client: client.clone(),
    };
    app.issuer.issue(decision, request.now).await.map_err(|refusal| failure_of(refusal, bad_subject_token))
}

/// The hash of the subject token that a form shows, if it can be one.
pub(super) fn shown_hash(form: &Form) -> Option<String> {
    let can_be = |token: &&str| token.starts_with("sub_") && token.len() <= LONGEST_SUBJECT_TOKEN;
    form.all("subject_token").next().filter(can_be).map(tokens::hash)
}

/// What stands behind the live subject token. Which of unknown, expired and used it was is not told (decision 5).
fn subject<'r>(request: &'r TokenRequest<'_>) -> Result<&'r LiveSubject, OAuthError> {
    let (Some(_), Some(kind)) = (request.form.one("subject_token")?, request.form.one("subject_token_type")?) else {
        let description = "missing required parameter(s) 'subject_token' and 'subject_token_type'";
        return Err(OAuthError::invalid_request(description));
    };
    if kind != ACCESS_TOKEN_TYPE {
        return Err(OAuthError::invalid_request("unsupported subject token type"));
    }
    request.subject.as_ref().ok_or_else(bad_subject_token)
}

/// The resource; the Management API is never one of them (decision 1).
async fn exchange_target(request: &TokenRequest<'_>, tx: &mut Tx) -> Result<Arc<Resource>, OAuthError> {
    let resource = resource::target(tx, &request.snapshot, request.form).await?;
    if resource.indicator == request.app.config.tokens.management_resource {
        return Err(OAuthError::invalid_target("the Management API is not a target of token exchange"));
    }
    Ok(resource)
}

/// The acting user (decision 7): behind a live user token with `openid`, not itself from an exchange, issued to the
/// application that asks or to one that it trusts.
async fn actor(request: &TokenRequest<'_>, tx: &mut Tx) -> Result<Option<User>, OAuthError> {
    let token = match (request.form.one("actor_token")?, request.form.one("actor_token_type")?) {
        (None, None) => return Ok(None),
        (Some(token), Some(ACCESS_TOKEN_TYPE)) => token,
        (Some(_), Some(_)) => return Err(OAuthError::invalid_request("unsupported actor token type")),
        _ => {
            let description = "'actor_token' and 'actor_token_type' must be provided together";
            return Err(OAuthError::invalid_request(description));
        }
    };
    let live = tokens::access::check(tx, &request.snapshot, request.app.issuer.name(), token, request.now).await?;
    let accepted = |live: &tokens::access::Live| {
        !live.issuance.exchanged && request.client.trusts_actors_of(&live.issuance.application_id)
    };
    let live = live.filter(accepted);
    let Some((live, user)) = live.and_then(|mut live| live.user.take().map(|user| (live, user))) else {
        return Err(OAuthError::invalid_request("invalid actor token"));
    };
    if !scope::contains(&live.issuance.scope, "openid") {
        return Err(OAuthError::invalid_request("actor token must have openid scope"));
    }
    Ok(Some(user))
}

fn bad_subject_token() -> OAuthError {
    OAuthError::invalid_request("subject token is invalid")
}
