//! Authentication and authorization of the callers of the Management API: machines, by their tokens
//! (`docs/decisions/management-api-authorization.md`), and administrators (`docs/decisions/people-who-administer.md`).
//! Only these extractors give a handler access to the database.

use crate::error::ApiError;
use crate::extract::bearer;
use axum::extract::{FromRequestParts, MatchedPath, RawPathParams};
use axum::http::header;
use axum::http::request::Parts;
use claimsmith_domain::api_code::ApiCode;
use claimsmith_domain::console::{BuiltInClient, built_in};
use claimsmith_domain::documents::application::ApplicationType;
use claimsmith_domain::management::{self, ManagementScope};
use claimsmith_domain::origin::{RequestOrigin, Route};
pub use claimsmith_identity::access::Caller;
use claimsmith_identity::access::Rights;
use claimsmith_identity::access::administrator::AuthenticatedAdministrator;
use claimsmith_services::app::App;
use claimsmith_services::audit::Actor;
use claimsmith_services::tokens;
use serde_json::json;
use std::marker::PhantomData;
use std::ops::Deref;

/// A caller whose token has `all` or the scope `S`, or a person whose console roles allow the operation. The extractor
/// runs before the body is read, and the OpenAPI description of the route takes the scope from the same type.
pub struct Management<S> {
    caller: Caller,
    scope: PhantomData<S>,
}

impl<S> Deref for Management<S> {
    type Target = Caller;

    fn deref(&self) -> &Caller {
        &self.caller
    }
}

impl<S: ManagementScope> FromRequestParts<App> for Management<S> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        let (actor, rights) = match prove(parts, app).await? {
            ProvenCaller::Token(live) => by_token::<S>(*live)?,
            ProvenCaller::Person(person) => by_roles::<S>(person, app.clock.now_ms())?,
        };
        let known = parts.extensions.get::<RequestOrigin>().cloned().unwrap_or_default();
        let origin = RequestOrigin { route: Some(route(parts).await), ..known };
        Ok(Self { caller: Caller::new(app.clone(), actor, rights, origin), scope: PhantomData })
    }
}

/// Who calls.
enum ProvenCaller {
    /// A token that is valid for the Management API.
    Token(Box<tokens::access::ActiveToken>),
    /// An administrator.
    Person(AuthenticatedAdministrator),
}

/// A caller by a token: it carries the scope, and where machines alone may call it is a machine's.
fn by_token<S: ManagementScope>(live: tokens::access::ActiveToken) -> Result<(Actor, Rights), ApiError> {
    let application_id = live.client.application.id.clone();
    let is_machine =
        live.issuance.user_id.is_none() && live.client.application.kind == ApplicationType::MachineToMachine;
    if S::BY_MACHINES && !is_machine {
        return Err(ApiError::forbidden("This operation accepts only tokens of machine-to-machine applications."));
    }
    if !management::allows(&live.issuance.scope, S::NAME) {
        return Err(ApiError::forbidden("The token does not carry the scope that this operation needs."));
    }
    let actor = match live.issuance.user_id {
        Some(id) => Actor::User { id, application_id },
        None => Actor::Application { id: application_id },
    };
    Ok((actor, Rights::Scope(live.issuance.scope)))
}

/// A caller by console roles: they allow the operation, and where machines alone may call it, it is the console that
/// asks in their place.
fn by_roles<S: ManagementScope>(person: AuthenticatedAdministrator, now: i64) -> Result<(Actor, Rights), ApiError> {
    if S::BY_MACHINES && person.client != BuiltInClient::Console {
        return Err(ApiError::forbidden("This operation does not accept tokens of the command line."));
    }
    person.check(S::OPERATION, now)?;
    let actor = Actor::User { id: person.user_id.clone(), application_id: person.client.id().into() };
    Ok((actor, Rights::Person(person)))
}

/// The caller: the administrator that the console's door brings, or else the holder of a token.
async fn prove(parts: &Parts, app: &App) -> Result<ProvenCaller, ApiError> {
    if let Some(person) = parts.extensions.get::<AuthenticatedAdministrator>() {
        let ended = || ApiError::unauthorized(ApiCode::AuthUnauthorized, "The session at the console has ended.");
        return person.now(app).await?.map(ProvenCaller::Person).ok_or_else(ended);
    }
    let token = bearer_token(parts)?;
    let now = app.clock.now_ms();
    let tokens::RequestState { revision, .. } = app.request_states.read(tokens::Presented::Nothing).await?;
    let mut tx = app.db.reader();
    let snapshot = app.authorizations.at(revision, &mut tx, now).await?;
    let unauthorized = || ApiError::unauthorized(ApiCode::AuthUnauthorized, "The access token is not valid.");
    let live =
        tokens::access::check(&mut tx, &snapshot, app.issuer.name(), token, now).await?.ok_or_else(unauthorized)?;
    // Before the audience: a token from an exchange is refused for every audience.
    if live.issuance.exchanged {
        return Err(ApiError::forbidden("This API does not accept tokens from a token exchange."));
    }
    let audience = live.issuance.resource.as_deref();
    if audience == Some(app.config.tokens.management_resource.as_str()) {
        return Ok(ProvenCaller::Token(Box::new(live)));
    }
    if audience == Some(built_in::resource(app.config.server.base_url.as_str()).as_str()) {
        return Ok(ProvenCaller::Person(
            AuthenticatedAdministrator::of_token(&mut tx, &live).await?.ok_or_else(unauthorized)?,
        ));
    }
    Err(unauthorized())
}

/// The path and the matched route of the request, as in webhook payloads: without `/api`, parameters as `:name`.
pub(super) async fn route(parts: &mut Parts) -> Route {
    let pattern = parts.extensions.get::<MatchedPath>().map_or("", MatchedPath::as_str);
    let matched = pattern.trim_start_matches("/api").replace('{', ":").replace('}', "");
    let params = RawPathParams::from_request_parts(parts, &()).await;
    Route {
        path: parts.uri.path().trim_start_matches("/api").to_owned(),
        method: parts.method.to_string(),
        params: params.iter().flatten().map(|(name, value)| (name.to_owned(), json!(value))).collect(),
        matched_route: matched,
    }
}

pub(super) fn bearer_token(parts: &Parts) -> Result<&str, ApiError> {
    if !parts.headers.contains_key(header::AUTHORIZATION) {
        let message = "The Authorization header is missing.";
        return Err(ApiError::token_required(ApiCode::AuthAuthorizationHeaderMissing, message));
    }
    bearer::token(&parts.headers).ok_or_else(|| {
        let message = "The Authorization header must carry a bearer token.";
        ApiError::token_required(ApiCode::AuthAuthorizationTokenTypeNotSupported, message)
            .with_data(json!({ "supportedTypes": ["Bearer"] }))
    })
}
