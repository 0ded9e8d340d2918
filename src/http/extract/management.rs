//! The proof that a caller may use a route of the Management API (`docs/decisions/management-api-authorization.md`),
//! and the way to the database that comes with it: a handler that has not proved who calls has no database handle.

use crate::app::App;
use crate::domain::application::ApplicationType;
use crate::domain::management::{self, Scope};
use crate::http::error::ApiError;
use crate::http::request_info::RequestInfo;
use crate::storage::audit::{self, Log};
use crate::storage::{self, Json, Tx, revisions};
use crate::webhooks::{self, Event, Origin, Route};
use crate::{random, tokens};
use axum::extract::{FromRequestParts, MatchedPath, RawPathParams};
use axum::http::header;
use axum::http::request::Parts;
use serde_json::{Map, Value, json};
use std::marker::PhantomData;
use std::net::IpAddr;
use std::ops::Deref;

/// A caller who may use this route, since their token carries `all` or the scope `S`. The type says it: nothing of a
/// request's body is read for anybody else, and the description of the route names the same scope.
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
    /// Who calls: the application's id, or the user's.
    pub caller_id: String,
    application_id: String,
    scope: String,
    request: RequestInfo,
    route: Route,
}

impl Caller {
    /// Begins a transaction that writes. To be called when the body is read and checked, not before.
    pub async fn begin(&self) -> storage::Result<Tx> {
        self.app.db.begin().await
    }

    /// Begins a transaction that changes what may be granted. The revision is taken first, so that two of these queue
    /// there, and not for each other's rows in opposite orders.
    pub async fn begin_revision(&self) -> storage::Result<Tx> {
        let mut tx = self.begin().await?;
        revisions::bump(&mut tx).await?;
        Ok(tx)
    }

    /// Whether the caller holds the whole Management API: nobody hands on rights on it that they do not have.
    #[must_use]
    pub fn holds_all(&self) -> bool {
        management::allows(&self.scope, management::ALL)
    }

    /// Whether the caller holds this scope beside the one that the route names.
    #[must_use]
    pub fn holds<S: Scope>(&self) -> bool {
        management::allows(&self.scope, S::NAME)
    }

    /// A connection for reads.
    pub async fn read(&self) -> storage::Result<Tx> {
        self.app.db.read().await
    }

    /// The address of the caller, or what trusted proxies say it is.
    #[must_use]
    pub fn client(&self) -> Option<IpAddr> {
        self.request.ip
    }

    /// Unix milliseconds.
    #[must_use]
    pub fn now(&self) -> i64 {
        self.app.clock.now_ms()
    }

    /// Writes the audit entry of a change into its transaction. `details` must not hold secrets; what they say of an
    /// `applicationId` does not stand against who called.
    pub async fn audit(&self, tx: &mut Tx, key: &str, details: Value) -> Result<(), ApiError> {
        let mut payload = match details {
            Value::Object(details) => details,
            _ => Map::new(),
        };
        payload.extend(self.request.audit());
        payload.insert("key".to_owned(), json!(key));
        payload.insert("result".to_owned(), json!("Success"));
        payload.insert("applicationId".to_owned(), json!(self.application_id));
        let log = Log {
            id: random::id(21)?,
            key: key.to_owned(),
            payload: Json(Value::Object(payload)),
            created_at: self.now(),
        };
        Ok(audit::append(tx, &[log]).await?)
    }

    /// Writes the event of a change into its transaction, for the hooks that want it.
    pub async fn emit(&self, tx: &mut Tx, event: &Event) -> Result<(), ApiError> {
        self.emit_from(tx, event, Some(self.route.clone())).await
    }

    /// The same for what follows from a request that asked for something else: the event does not name its route.
    pub async fn emit_aside(&self, tx: &mut Tx, event: &Event) -> Result<(), ApiError> {
        self.emit_from(tx, event, None).await
    }

    async fn emit_from(&self, tx: &mut Tx, event: &Event, route: Option<Route>) -> Result<(), ApiError> {
        let origin = Origin { user_agent: self.request.user_agent.clone(), ip: self.request.ip, route };
        Ok(webhooks::emit(tx, event, &origin, self.now()).await?)
    }
}

impl<S: Scope> FromRequestParts<App> for Management<S> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        let (live, is_machine) = prove(parts, app).await?;
        if S::BY_MACHINES && !is_machine {
            return Err(ApiError::forbidden("This operation takes tokens of machine-to-machine applications only."));
        }
        if !management::allows(&live.issuance.scope, S::NAME) {
            return Err(ApiError::forbidden("The token does not carry the scope that this operation needs."));
        }
        let application_id = live.client.application.id.clone();
        let caller = Caller {
            caller_id: live.issuance.user_id.unwrap_or_else(|| application_id.clone()),
            application_id,
            scope: live.issuance.scope,
            route: route(parts).await,
            request: parts.extensions.get::<RequestInfo>().cloned().unwrap_or_default(),
            app: app.clone(),
        };
        Ok(Self { caller, scope: PhantomData })
    }
}

/// A token that opens the Management API, and whether a machine-to-machine application got it for itself.
async fn prove(parts: &Parts, app: &App) -> Result<(tokens::access::Live, bool), ApiError> {
    let token = bearer(parts)?;
    let now = app.clock.now_ms();
    let mut tx = app.db.read().await?;
    let snapshot = app.authorizations.current(&mut tx, now).await?;
    let unauthorized = || ApiError::unauthorized("auth.unauthorized", "The access token is not valid.");
    let live =
        tokens::access::check(&mut tx, &snapshot, app.issuer.name(), token, now).await?.ok_or_else(unauthorized)?;
    // Before the audience: a token from an exchange is refused whatever it is for.
    if live.issuance.exchanged {
        return Err(ApiError::forbidden("A token that came from a token exchange does not open this API."));
    }
    if live.issuance.resource.as_deref() != Some(app.config.tokens.management_resource.as_str()) {
        return Err(unauthorized());
    }
    let is_machine = live.issuance.user_id.is_none() && live.client.kind == ApplicationType::MachineToMachine;
    Ok((live, is_machine))
}

/// What the request asks for, as events tell it: paths begin behind `/api`, parameters are written `:name`.
async fn route(parts: &mut Parts) -> Route {
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

fn bearer(parts: &Parts) -> Result<&str, ApiError> {
    let authorization = parts.headers.get(header::AUTHORIZATION).ok_or_else(|| {
        ApiError::unauthorized("auth.authorization_header_missing", "The Authorization header is missing.")
    })?;
    authorization
        .to_str()
        .ok()
        .and_then(|text| text.split_once(' '))
        .filter(|(scheme, token)| scheme.eq_ignore_ascii_case("bearer") && !token.is_empty())
        .map(|(_, token)| token.trim())
        .ok_or_else(|| {
            let message = "The Authorization header must carry a bearer token.";
            ApiError::unauthorized("auth.authorization_token_type_not_supported", message)
                .with_data(json!({ "supportedTypes": ["Bearer"] }))
        })
}
