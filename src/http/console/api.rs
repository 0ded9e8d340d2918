//! The Management API as the screens call it: its own routes, in process, authorized by a session instead of a token.

use super::confirm;
use super::guard::OperatorSession;
use super::recent_log::RecentLog;
use axum::Router;
use axum::body::Body;
use axum::http::{Method, Request, Response, StatusCode};
use axum::response::IntoResponse;
use claimsmith_console::{
    Access, Api, Called, Confirmation, ConfirmationInput, ConfirmationQuestion, Operator, PendingForm, RecentEntries,
    StreamPermit,
};
use claimsmith_domain::console::operations::RECENT_MS;
use claimsmith_domain::console::{BuiltInClient, SignInAge};
use claimsmith_domain::management::{LogsRead, ManagementScope};
use claimsmith_identity::access::administrator::AuthenticatedAdministrator;
use claimsmith_management::{self as management, Routers};
use claimsmith_oidc as oidc;
use claimsmith_services::app::App;
use futures_util::future::BoxFuture;
use hyper::service::Service as _;
use hyper_util::service::TowerToHyperService;
use std::sync::Arc;

/// The endpoints that the console uses to try applications out.
const ENDPOINTS: [&str; 2] = ["/oidc/token", "/oidc/me"];
/// Characters of an alphabet of 64: more than 256 bits.
const SECRET_CHARACTERS: usize = 43;

/// The routes, without the server's middleware.
pub(super) struct InProcess {
    app: App,
    recent_log: Arc<RecentLog>,
    operations: TowerToHyperService<Router>,
    endpoints: TowerToHyperService<Router>,
}

impl InProcess {
    /// The operations of these routers.
    pub(super) fn new(app: &App, operations: Routers) -> Self {
        let Routers { guarded, uploads, streams, public } = operations;
        let operations = guarded.merge(uploads).merge(streams).merge(public);
        let operations = operations.method_not_allowed_fallback(management::unknown_method);
        let endpoints = Router::new().nest("/oidc", oidc::router());
        let [operations, endpoints] =
            [operations, endpoints].map(|routes| TowerToHyperService::new(routes.with_state(app.clone())));
        Self { app: app.clone(), recent_log: Arc::default(), operations, endpoints }
    }
}

/// The administrator of a session, as of the time the screen was opened.
fn person(session: &OperatorSession) -> AuthenticatedAdministrator {
    AuthenticatedAdministrator {
        user_id: session.user_id.clone(),
        roles: session.roles,
        authenticated_at_ms: session.authenticated_at,
        client: BuiltInClient::Console,
        door: Some(session.door.clone()),
    }
}

impl Api for InProcess {
    fn call(&self, operator: &Operator, mut request: Request<Body>) -> Called {
        let Some(session) = operator.session.downcast_ref::<OperatorSession>() else {
            return Box::pin(async { StatusCode::UNAUTHORIZED.into_response() });
        };
        request.extensions_mut().insert(session.origin.clone());
        // Sent as an application would send it, without the administrator's identity.
        if ENDPOINTS.contains(&request.uri().path()) {
            let answer = self.endpoints.call(request);
            return Box::pin(async move { answer.await.into_response() });
        }
        request.extensions_mut().insert(person(session));
        let answer = self.operations.call(request);
        Box::pin(async move { answer.await.into_response() })
    }

    fn recent_entries(&self, operator: &Operator) -> BoxFuture<'static, Option<Arc<RecentEntries>>> {
        let Some(session) = operator.session.downcast_ref::<OperatorSession>() else {
            return Box::pin(async { None });
        };
        let (app, log, person) = (self.app.clone(), Arc::clone(&self.recent_log), person(session));
        Box::pin(async move {
            // An administrator who lost the right to read the log is refused.
            let now = person.now(&app).await.ok()??;
            now.check(LogsRead::OPERATION, app.clock.now_ms()).ok()?;
            log.read(&app).await.ok()
        })
    }

    fn ask_confirmation(
        &self,
        operator: &Operator,
        form: PendingForm,
    ) -> BoxFuture<'static, Result<ConfirmationQuestion, Response<Body>>> {
        let (app, session) = (self.app.clone(), Arc::clone(&operator.session).downcast::<OperatorSession>());
        Box::pin(async move {
            let session = session.map_err(|_| StatusCode::UNAUTHORIZED.into_response())?;
            confirm::ask(&app, &session, form).await.map_err(IntoResponse::into_response)
        })
    }

    fn confirm(
        &self,
        operator: &Operator,
        input: ConfirmationInput,
    ) -> BoxFuture<'static, Result<Confirmation, Response<Body>>> {
        let (app, session) = (self.app.clone(), Arc::clone(&operator.session).downcast::<OperatorSession>());
        let operator = operator.clone();
        Box::pin(async move {
            let session = session.map_err(|_| StatusCode::UNAUTHORIZED.into_response())?;
            confirm::confirm(&app, &operator, &session, input).await.map_err(IntoResponse::into_response)
        })
    }

    fn open_stream(&self, operator: &Operator) -> Option<StreamPermit> {
        let session = operator.session.downcast_ref::<OperatorSession>()?;
        let permit = self.app.streams.open(session.door.session_hash().to_owned())?;
        Some(Box::new(permit))
    }

    fn access(&self, operator: &Operator, method: &Method, path: &str) -> Access {
        let Some(session) = operator.session.downcast_ref::<OperatorSession>() else { return Access::Denied };
        let operation = claimsmith_management::operation(method.as_str(), path);
        let Some(operation) = operation.filter(|operation| operation.is_for(session.roles)) else {
            return Access::Denied;
        };
        let is_recent = self.app.clock.now_ms() - session.authenticated_at < RECENT_MS;
        if operation.sign_in == SignInAge::Recent && !is_recent { Access::AfterSignIn } else { Access::Allowed }
    }

    fn secret(&self) -> Option<String> {
        self.app.random.secret(SECRET_CHARACTERS).ok()
    }
}
