//! `/api/plugins`: a file per operation or family of operations; here are the views of a plugin and its versions, and
//! the common parts of changes of uploaded plugins.

mod candidate;
mod change;
mod check;
mod customizer;
mod customizer_test;
mod delete;
mod draft;
mod examples;
mod grants;
mod list;
mod logs;
mod refusal;
mod reserved;
mod secrets;
mod settings;
mod show;
mod source;
mod trial;
mod trial_input;
mod upload;
mod upload_body;
mod versions;
mod view;

use crate::describe::routes;
use view::{PluginView, VersionView};

use axum::extract::DefaultBodyLimit;
use claimsmith_services::app::App;
use utoipa_axum::router::OpenApiRouter;

/// The routes of this family, except for those that compile.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(list::list_plugins))
        .routes(routes!(show::show_plugin, settings::update_plugin, delete::delete_plugin))
        .routes(routes!(versions::list_versions))
        .routes(routes!(versions::show_version, versions::delete_version))
        .routes(routes!(versions::activate_version))
        .routes(routes!(grants::grant_http, grants::withdraw_http))
        .routes(routes!(logs::list_plugin_logs))
        .routes(routes!(source::show_plugin_source))
        .routes(routes!(examples::list_plugin_examples))
        .routes(routes!(examples::list_plugin_templates))
        .routes(routes!(examples::show_plugin_types))
        .routes(routes!(examples::show_plugin_example))
        .routes(routes!(secrets::list_secrets))
        .routes(routes!(secrets::put_secret, secrets::delete_secret))
        .route(reserved::PATH, reserved::methods())
}

/// Uploads and tests, which may take as long as a compilation.
pub fn upload_router() -> OpenApiRouter<App> {
    // Bodies have their own limits; that of an upload is configured.
    OpenApiRouter::new()
        .routes(routes!(upload::upload_plugin))
        .routes(routes!(trial::test_plugin))
        .routes(routes!(trial::test_draft))
        .routes(routes!(check::check_draft))
        .routes(routes!(customizer::list_customizers))
        .routes(routes!(customizer_test::test_customizer))
        .routes(routes!(
            customizer::show_customizer,
            customizer::put_customizer,
            customizer::patch_customizer,
            customizer::delete_customizer
        ))
        .layer(DefaultBodyLimit::disable())
}
