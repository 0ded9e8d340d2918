//! Authentication and authorization of the callers of the Management API
//! (`docs/decisions/management-api-authorization.md`). Only these extractors give a handler access to the database.

use crate::app::App;
use crate::audit::Actor;
use crate::domain::application::ApplicationType;
use crate::domain::management::{self, Scope};
use crate::domain::origin::{Origin, Route};
use crate::http::error::ApiError;
use crate::http::extract::bearer;
use crate::messages::Asking;
use crate::storage::revisions::{self, Changed};
use crate::storage::{self, Tx};
use crate::tokens;
use crate::unit_of_work::UnitOfWork;
use axum::extract::{FromRequestParts, MatchedPath, RawPathParams};
use axum::http::header;
use axum::http::request::Parts;
use serde_json::json;
use std::marker::PhantomData;
use std::net::IpAddr;
use std::ops::Deref;

/// A caller whose token has `all` or the scope `S`. The extractor runs before the body is read, and the OpenAPI
/// description of the route takes the scope from the same type.
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

/// A caller who may use the route at hand, whatever its scope.
pub struct Caller {
    /// The server's parts.
    pub app: App,
    actor: Actor,
    scope: String,
    origin: Origin,
}

impl Caller {
    /// Begins a transaction that writes. To be called when the body is read and checked, not before.
    pub async fn begin(&self) -> storage::Result<UnitOfWork> {
        UnitOfWork::begin(&self.app.db, self.actor.clone(), self.origin.clone(), self.now()).await
    }

    /// Begins a transaction that changes authorization data. It increments the revision first, so that concurrent
    /// changes wait for each other there, and cannot deadlock on rows in opposite orders.
    pub async fn begin_revision(&self, changed: Changed<'_>) -> storage::Result<UnitOfWork> {
        let mut tx = self.begin().await?;
        revisions::bump(&mut tx, changed).await?;
        Ok(tx)
    }

    /// Whether the caller has all rights on the Management API: only such callers may grant them.
    #[must_use]
    pub fn holds_all(&self) -> bool {
        management::allows(&self.scope, management::ALL)
    }

    /// Whether the caller holds this scope beside the one that the route names.
    #[must_use]
    pub fn holds<S: Scope>(&self) -> bool {
        management::allows(&self.scope, S::NAME)
    }

    /// Who calls: the user's id, or the application's.
    #[must_use]
    pub fn id(&self) -> &str {
        self.actor.id().unwrap_or_default()
    }

    /// A connection for reads.
    pub async fn read(&self) -> storage::Result<Tx> {
        self.app.db.read().await
    }

    /// Who asks for a message to somebody.
    #[must_use]
    pub(crate) fn asking(&self) -> Asking {
        Asking { actor: self.actor.clone(), origin: self.origin.clone(), interaction: None }
    }

    /// The client address.
    #[must_use]
    pub fn client(&self) -> Option<IpAddr> {
        self.origin.ip
    }

    /// Unix milliseconds.
    #[must_use]
    pub fn now(&self) -> i64 {
        self.app.clock.now_ms()
    }
}

impl<S: Scope> FromRequestParts<App> for Management<S> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        let (live, is_machine) = prove(parts, app).await?;
        if S::BY_MACHINES && !is_machine {
            return Err(ApiError::forbidden("This operation accepts only tokens of machine-to-machine applications."));
        }
        if !management::allows(&live.issuance.scope, S::NAME) {
            return Err(ApiError::forbidden("The token does not carry the scope that this operation needs."));
        }
        let application_id = live.client.application.id.clone();
        let actor = match live.issuance.user_id {
            Some(id) => Actor::User { id, application_id },
            None => Actor::Application { id: application_id },
        };
        let known = parts.extensions.get::<Origin>().cloned().unwrap_or_default();
        let origin = Origin { route: Some(route(parts).await), ..known };
        let caller = Caller { actor, scope: live.issuance.scope, origin, app: app.clone() };
        Ok(Self { caller, scope: PhantomData })
    }
}

/// A token that is valid for the Management API, and whether a machine-to-machine application got it for itself.
async fn prove(parts: &Parts, app: &App) -> Result<(tokens::access::Live, bool), ApiError> {
    let token = bearer_token(parts)?;
    let now = app.clock.now_ms();
    let mut tx = app.db.read().await?;
    let snapshot = app.authorizations.current(&mut tx, now).await?;
    let unauthorized = || ApiError::unauthorized("auth.unauthorized", "The access token is not valid.");
    let live =
        tokens::access::check(&mut tx, &snapshot, app.issuer.name(), token, now).await?.ok_or_else(unauthorized)?;
    // Before the audience: a token from an exchange is refused whatever it is for.
    if live.issuance.exchanged {
        return Err(ApiError::forbidden("This API does not accept tokens from a token exchange."));
    }
    if live.issuance.resource.as_deref() != Some(app.config.tokens.management_resource.as_str()) {
        return Err(unauthorized());
    }
    let is_machine = live.issuance.user_id.is_none() && live.client.kind == ApplicationType::MachineToMachine;
    Ok((live, is_machine))
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
        return Err(ApiError::unauthorized("auth.authorization_header_missing", message));
    }
    bearer::token(&parts.headers).ok_or_else(|| {
        let message = "The Authorization header must carry a bearer token.";
        ApiError::unauthorized("auth.authorization_token_type_not_supported", message)
            .with_data(json!({ "supportedTypes": ["Bearer"] }))
    })
}
