//! Routes to handlers, as in `axum::routing`, but with one type for all handlers. axum wraps each handler in a dozen
//! generic types, and for each of them the compiler proves anew that the handler's future is `Send`: that was nearly
//! half of the time in which the server was compiled.

use axum::extract::Request;
use axum::handler::Handler;
use axum::response::Response;
use axum::routing::{self, MethodRouter};
use claimsmith_services::app::App;
use std::pin::Pin;

/// What functions that are handlers return when they are called ([`Handler::Future`]).
pub type ResponseFuture = Pin<Box<dyn Future<Output = Response> + Send>>;

/// Any handler.
#[derive(Clone, Copy)]
pub struct AnyHandler(&'static (dyn Fn(Request, App) -> ResponseFuture + Send + Sync));

impl Handler<(), App> for AnyHandler {
    type Future = ResponseFuture;

    fn call(self, request: Request, app: App) -> ResponseFuture {
        let Self(handler) = self;
        handler(request, app)
    }
}

/// The handler without its type. Functions have no size, so that nothing is allocated for them.
pub fn erased<T, H>(handler: H) -> AnyHandler
where
    T: 'static,
    H: Handler<T, App, Future = ResponseFuture>,
{
    AnyHandler(Box::leak(Box::new(move |request, app| handler.clone().call(request, app))))
}

macro_rules! methods {
    ($($method:ident),+) => {
        $(
            /// The route of this method. More methods are added with [`MethodRouter::merge`].
            pub fn $method<T: 'static, H: Handler<T, App, Future = ResponseFuture>>(
                handler: H,
            ) -> MethodRouter<App> {
                routing::$method(erased(handler))
            }
        )+
    };
}

methods!(get, head, post, put, patch, delete);
