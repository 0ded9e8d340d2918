//! The OpenAPI `security` of each operation, taken from the type of the extractor that enforces it.

use axum::handler::Handler;
use claimsmith_domain::management::{ALL, ManagementScope};
use claimsmith_services::app::App;
use claimsmith_web::extract::management::Management;
use claimsmith_web::routing::{self, AnyHandler, ResponseFuture};
use utoipa::openapi::path::{Operation, Paths};
use utoipa::openapi::security::SecurityRequirement;

/// The arguments of a handler that begins with [`Management`], as axum tells them.
pub(super) trait Guarded {
    /// What the handler demands.
    type Scope: ManagementScope;
}

macro_rules! guarded {
    ($($argument:ident),*) => {
        impl<M, S: ManagementScope, $($argument),*> Guarded for (M, Management<S>, $($argument,)*) {
            type Scope = S;
        }
    };
}

guarded!();
guarded!(A);
guarded!(A, B);
guarded!(A, B, C);
guarded!(A, B, C, D);
guarded!(A, B, C, D, E);

/// The routes of some handlers, described. A handler that does not begin with [`Management`] does not compile here.
macro_rules! routes {
    ($($module:ident::$handler:ident),+ $(,)?) => {{
        // What `#[utoipa::path]` makes beside each handler; utoipa looks for it where the handler is named.
        pastey::paste! {
            $(use $module::[<__path_ $handler>];)+
        }
        let mut scopes = Vec::new();
        $(
            let ($handler, scope) = $crate::describe::guarded($module::$handler);
            scopes.push((stringify!($handler), scope));
        )+
        let mut routes = utoipa_axum::routes!($($handler),+);
        $crate::describe::secure(&mut routes.1, &scopes);
        routes
    }};
}

pub(super) use routes;

/// A handler, and the scope that it demands.
pub(super) fn guarded<T, H>(handler: H) -> (AnyHandler, &'static str)
where
    T: Guarded + 'static,
    H: Handler<T, App, Future = ResponseFuture>,
{
    (routing::erased(handler), T::Scope::NAME)
}

/// Describes what operations demand. The id of an operation is the name of its handler.
pub(super) fn secure(paths: &mut Paths, scopes: &[(&str, &str)]) {
    for operation in paths.paths.values_mut().flat_map(operations) {
        let is_it = |(handler, _): &&(&str, &str)| operation.operation_id.as_deref() == Some(*handler);
        if let Some((_, scope)) = scopes.iter().find(is_it) {
            let narrow = Some(*scope).filter(|scope| *scope != ALL);
            operation.security = Some(vec![SecurityRequirement::new("oauth2", [ALL].into_iter().chain(narrow))]);
        }
    }
}

fn operations(item: &mut utoipa::openapi::PathItem) -> impl Iterator<Item = &mut Operation> {
    [&mut item.get, &mut item.put, &mut item.post, &mut item.delete, &mut item.patch].into_iter().flatten()
}
