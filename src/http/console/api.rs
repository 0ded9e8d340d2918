//! The Management API as the screens call it: its own routes, within the process, for a person in place of a token.

use super::guard::Session;
use crate::app::App;
use crate::domain::console::operations::RECENT_MS;
use crate::domain::console::{BuiltInClient, Operation, SignInAge};
use crate::http::extract::person::Person;
use crate::http::management::{self, Routers};
use axum::Router;
use axum::body::Body;
use axum::http::{Method, Request, Response, StatusCode};
use axum::response::IntoResponse;
use claimsmith_console::{Access, Api, Called, Operator};
use hyper::service::Service as _;
use hyper_util::service::TowerToHyperService;

/// The routes, without the parts of the server that stand before them.
pub(super) struct InProcess {
    app: App,
    routes: TowerToHyperService<Router>,
}

impl InProcess {
    /// The operations of these routers.
    pub(super) fn new(app: &App, operations: Routers) -> Self {
        let Routers { guarded, uploads, public } = operations;
        let routes = guarded.merge(uploads).merge(public).method_not_allowed_fallback(management::unknown_method);
        Self { app: app.clone(), routes: TowerToHyperService::new(routes.with_state(app.clone())) }
    }
}

impl Api for InProcess {
    fn call(&self, operator: &Operator, mut request: Request<Body>) -> Called {
        let Some(session) = operator.session.downcast_ref::<Session>() else {
            return Box::pin(async { StatusCode::UNAUTHORIZED.into_response() });
        };
        request.extensions_mut().insert(session.origin.clone());
        request.extensions_mut().insert(Person {
            user_id: session.user_id.clone(),
            roles: session.roles,
            authenticated_at_ms: session.authenticated_at,
            client: BuiltInClient::Console,
        });
        let answer = self.routes.call(request);
        Box::pin(async move {
            let answer: Response<Body> = answer.await.into_response();
            answer
        })
    }

    fn access(&self, operator: &Operator, method: &Method, path: &str) -> Access {
        let Some(session) = operator.session.downcast_ref::<Session>() else { return Access::Denied };
        let operation = Operation::find(method.as_str(), path);
        let Some(operation) = operation.filter(|operation| !operation.roles.and(session.roles).is_empty()) else {
            return Access::Denied;
        };
        let is_recent = self.app.clock.now_ms() - session.authenticated_at < RECENT_MS;
        if operation.sign_in == SignInAge::Recent && !is_recent { Access::AfterSignIn } else { Access::Allowed }
    }
}
