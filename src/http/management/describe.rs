//! The OpenAPI `security` of each operation, taken from the type of the extractor that enforces it.

use crate::app::App;
use crate::domain::management::{ALL, Scope};
use crate::http::extract::management::Management;
use axum::handler::Handler;
use utoipa::openapi::path::{Operation, Paths};
use utoipa::openapi::security::SecurityRequirement;

/// The arguments of a handler that begins with [`Management`], as axum tells them.
pub(super) trait Guarded {
    /// What the handler demands.
    type Scope: Scope;
}

macro_rules! guarded {
    ($($argument:ident),*) => {
        impl<M, S: Scope, $($argument),*> Guarded for (M, Management<S>, $($argument,)*) {
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
    ($($handler:path),+ $(,)?) => {{
        let mut routes = utoipa_axum::routes!($($handler),+);
        $($crate::http::management::describe::secure(&mut routes.1, stringify!($handler), $handler);)+
        routes
    }};
}

pub(super) use routes;

/// Describes what an operation demands; `name` is its handler's path, whose last part is the operation's id.
pub(super) fn secure<T: Guarded, H: Handler<T, App>>(paths: &mut Paths, name: &str, _: H) {
    let id = name.rsplit("::").next().unwrap_or(name).trim();
    for operation in paths.paths.values_mut().flat_map(operations) {
        if operation.operation_id.as_deref() == Some(id) {
            operation.security = Some(vec![SecurityRequirement::new("oauth2", [ALL, T::Scope::NAME])]);
        }
    }
}

fn operations(item: &mut utoipa::openapi::PathItem) -> impl Iterator<Item = &mut Operation> {
    [&mut item.get, &mut item.put, &mut item.post, &mut item.delete, &mut item.patch].into_iter().flatten()
}
