//! Authentication and authorization of the callers of the Management API: machines, by their tokens
//! (`docs/decisions/management-api-authorization.md`), and administrators (`docs/decisions/people-who-administer.md`).
//! Only these extractors give a handler access to the database.

use crate::error::ApiError;
use crate::extract::administrator::{AuthenticatedAdministrator, console_resource};
use crate::extract::bearer;
use axum::extract::{FromRequestParts, MatchedPath, RawPathParams};
use axum::http::header;
use axum::http::request::Parts;
use claimsmith_domain::api_code::ApiCode;
use claimsmith_domain::console::{BuiltInClient, roles};
use claimsmith_domain::documents::application::ApplicationType;
use claimsmith_domain::management::{self, ManagementScope};
use claimsmith_domain::origin::{RequestOrigin, Route};
use claimsmith_services::app::App;
use claimsmith_services::audit::Actor;
use claimsmith_services::messages::MessageRequester;
use claimsmith_services::tokens;
use claimsmith_services::unit_of_work::UnitOfWork;
use claimsmith_storage::revisions::{self, Changed};
use claimsmith_storage::{self as storage, Tx};
use serde_json::json;
use std::marker::PhantomData;
use std::net::IpAddr;
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

/// A caller who may use the route, whatever its scope.
pub struct Caller {
    /// The server's parts.
    pub app: App,
    actor: Actor,
    rights: Rights,
    origin: RequestOrigin,
}

/// What authorizes the caller.
enum Rights {
    /// By the scope of a token.
    Scope(String),
    /// By console roles.
    Person(AuthenticatedAdministrator),
}

impl Caller {
    /// Begins a transaction that writes. To be called when the body is read and checked, not before.
    pub async fn begin(&self) -> storage::Result<UnitOfWork> {
        self.app.backpressure.pass().await;
        UnitOfWork::begin(&self.app.db, self.actor.clone(), self.origin.clone(), self.now()).await
    }

    /// Begins a transaction that changes authorization data. It increments the revision first, so that concurrent
    /// changes wait for each other there, and cannot deadlock on rows in opposite orders.
    pub async fn begin_revision(&self, changed: Changed<'_>) -> storage::Result<UnitOfWork> {
        let mut tx = self.begin().await?;
        revisions::bump(&mut tx, changed).await?;
        Ok(tx)
    }

    /// Whether the caller has all rights on the Management API: only such callers may grant them. An administrator in
    /// the console has; the command line never does.
    #[must_use]
    pub fn holds_all(&self) -> bool {
        match &self.rights {
            Rights::Scope(scope) => management::allows(scope, management::ALL),
            Rights::Person(person) => person.is_admin() && person.client == BuiltInClient::Console,
        }
    }

    /// Whether the caller may change users who administer, and say who does: by `all`, or as an administrator.
    #[must_use]
    pub fn administers(&self) -> bool {
        match &self.rights {
            Rights::Scope(_) => self.holds_all(),
            Rights::Person(person) => person.is_admin(),
        }
    }

    /// Whether the caller has this scope beside the one of the route.
    #[must_use]
    pub fn holds<S: ManagementScope>(&self) -> bool {
        match &self.rights {
            Rights::Scope(scope) => management::allows(scope, S::NAME),
            Rights::Person(person) => {
                let is_recent = !roles::needs_recent_sign_in(S::NAME) || person.is_recent(self.now());
                person.roles.stand_for(S::NAME) && is_recent
            }
        }
    }

    /// Refuses a person whose sign-in is older than ten minutes. Machines do not sign in.
    pub fn demand_recent(&self) -> Result<(), ApiError> {
        match &self.rights {
            Rights::Scope(_) => Ok(()),
            Rights::Person(person) => person.demand_recent(self.now()),
        }
    }

    /// Refuses callers without the scope of all of the Management API, and users whose sign-in is older than ten
    /// minutes.
    pub fn demand_all(&self) -> Result<(), ApiError> {
        if !self.holds_all() {
            let message = "Only a token with the scope \"all\", or an administrator in the console, may grant or revoke \
                rights on the Management API.";
            return Err(ApiError::forbidden(message));
        }
        self.demand_recent()
    }

    /// Refuses callers who are not administrators, and users whose sign-in is older than ten minutes.
    pub fn demand_administrator(&self) -> Result<(), ApiError> {
        if !self.administers() {
            let message = "Only an administrator, or a token with the scope \"all\", may change who administers this \
                server, or somebody who does.";
            return Err(ApiError::forbidden(message));
        }
        self.demand_recent()
    }

    /// Refuses callers without rights on connectors: changing the plugin of a connector gives access to all codes that
    /// it sends, just as changing the connector does.
    pub fn demand_connectors(&self) -> Result<(), ApiError> {
        if !self.administers() {
            let message = "A connector sends its messages by this plugin: only an administrator, or a token with the \
                scope \"all\", may change it.";
            return Err(ApiError::forbidden(message));
        }
        self.demand_recent()
    }

    /// The person who calls, if it is no machine.
    #[must_use]
    pub fn person(&self) -> Option<&AuthenticatedAdministrator> {
        match &self.rights {
            Rights::Scope(_) => None,
            Rights::Person(person) => Some(person),
        }
    }

    /// Who calls: the user's id, or the application's.
    #[must_use]
    pub fn id(&self) -> &str {
        self.actor.id().unwrap_or_default()
    }

    /// What the streams of the caller are counted under: the session at the console, or else the user or the
    /// application.
    #[must_use]
    pub fn stream_key(&self) -> String {
        let door = self.person().and_then(|person| person.door.as_ref());
        door.map_or_else(|| format!("{:?}", self.actor), |door| door.session_hash().to_owned())
    }

    /// A connection for reads.
    pub async fn read(&self) -> storage::Result<Tx> {
        self.app.db.read().await
    }

    /// The requester of a message, for its limits.
    #[must_use]
    pub fn message_requester(&self) -> MessageRequester {
        MessageRequester { actor: self.actor.clone(), origin: self.origin.clone(), interaction: None, is_known: false }
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

impl<S: ManagementScope> FromRequestParts<App> for Management<S> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        let (actor, rights) = match prove(parts, app).await? {
            ProvenCaller::Token(live) => by_token::<S>(*live)?,
            ProvenCaller::Person(person) => by_roles::<S>(person, parts, app.clock.now_ms())?,
        };
        let known = parts.extensions.get::<RequestOrigin>().cloned().unwrap_or_default();
        let origin = RequestOrigin { route: Some(route(parts).await), ..known };
        Ok(Self { caller: Caller { actor, rights, origin, app: app.clone() }, scope: PhantomData })
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
fn by_roles<S: ManagementScope>(
    person: AuthenticatedAdministrator,
    parts: &Parts,
    now: i64,
) -> Result<(Actor, Rights), ApiError> {
    let route = parts.extensions.get::<MatchedPath>().map_or("", MatchedPath::as_str);
    if S::BY_MACHINES && person.client != BuiltInClient::Console {
        return Err(ApiError::forbidden("This operation does not accept tokens of the command line."));
    }
    person.check(&parts.method, route, now)?;
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
    let mut tx = app.db.read().await?;
    let snapshot = app.authorizations.current(&mut tx, now).await?;
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
    if audience == Some(console_resource(app).as_str()) {
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
