//! The console: web pages at `/console` for the operators of the server.
//!
//! This crate contains only the screens. They read and change everything through operations of the Management API
//! ([`Api`]), called in process on behalf of the [`Operator`], so the console cannot bypass the API's checks. The
//! server owns sessions and sign-in (`src/http/console`). See `docs/console.md`.

mod administrators;
mod answer;
mod api;
mod api_calls;
mod applications;
mod assets;
mod base_path;
mod caller;
mod chart;
mod confirmation;
mod connectors;
mod csv;
mod custom_data;
mod deletion;
mod device;
mod event_stream;
mod failure;
mod field_names;
mod fields;
mod find;
mod form;
mod frame;
mod hand_over;
mod impersonations;
mod json;
mod keys;
mod list;
mod locked_out;
mod logs;
mod model;
mod names;
mod operator;
mod organizations;
mod overview;
mod pending_form;
mod permissions;
mod plugins;
mod posted;
mod quickstart;
mod recent_entries;
mod refusal;
mod resources;
mod roles;
mod search;
mod section;
mod settings;
mod sign_in_experience;
mod ticked;
mod time;
mod users;
mod webhooks;

pub use api::{Access, Api, Called, StreamPermit};
pub use operator::{Operator, OperatorRole};
pub use pending_form::{Confirmation, ConfirmationInput, ConfirmationProblem, ConfirmationQuestion, PendingForm};
pub use recent_entries::RecentEntries;

use axum::Router;
use axum::middleware::from_fn_with_state;
use std::sync::Arc;

/// The server's services for the screens.
#[derive(Clone)]
pub struct Console {
    /// The Management API.
    pub api: Arc<dyn Api>,
    /// The public URL of the server without a trailing slash, for links, commands and examples.
    pub base_url: Arc<str>,
    /// The indicator of the Management API's resource, which only machines get tokens for.
    pub management_resource: Arc<str>,
    /// The keys that the filter of the audit log suggests; `*` matches all keys with this beginning.
    pub log_keys: &'static [&'static str],
}

/// The router of all screens. Requests must carry an [`Operator`] as an extension.
pub fn router<S>(console: Console) -> Router<S> {
    let base_path = base_path::of(&console.base_url);
    let screens = Router::new()
        .merge(assets::router())
        .merge(overview::router())
        .merge(logs::router())
        .merge(impersonations::router())
        .merge(users::router())
        .merge(resources::router())
        .merge(roles::router())
        .merge(organizations::router())
        .merge(applications::router())
        .merge(webhooks::router())
        .merge(plugins::router())
        .merge(keys::router())
        .merge(settings::router())
        .merge(sign_in_experience::router())
        .merge(connectors::router())
        .merge(administrators::router())
        .merge(search::router())
        .merge(confirmation::router())
        .route_layer(from_fn_with_state(console.clone(), permissions::check))
        .fallback(failure::unknown_page)
        .layer(from_fn_with_state(console.clone(), confirmation::layer));
    let screens =
        if base_path.is_empty() { screens } else { screens.layer(from_fn_with_state(base_path, base_path::add)) };
    screens.with_state(console)
}
