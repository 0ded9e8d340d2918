//! `/console/plugins`: the plugins, and a workbench to write, try out and activate them.

mod access;
mod breaker;
mod cases;
mod checks;
mod diff;
mod draft;
mod folder;
mod gallery;
mod json_lines;
mod list;
mod log;
mod model;
mod order;
mod population_runs;
mod recordings;
mod removal;
mod replay;
mod rollout;
mod rollout_form;
mod rollout_rules;
mod rollout_samples;
mod save;
mod settings;
mod toml_lines;
mod trial;
mod versions;
mod workbench;

use crate::Console;
use crate::api_calls::ApiResponse;
use crate::caller::{Caller, segment};
use crate::failure::Failure;
use crate::plugins::model::Plugin;
use axum::Router;
use axum::routing::get;

/// Path segments that the console uses itself. A plugin with such a name gets another path for its workbench.
const RESERVED_NAMES: &[&str] = &["examples", "new", "order"];

/// The routes.
pub(crate) fn router() -> Router<Console> {
    let workbench = get(workbench::show_plugin).post(workbench::work_on_plugin);
    Router::new()
        .route("/console/plugins", get(list::show_plugins))
        .route("/console/plugins/order", get(order::show_order).post(order::save_order))
        .route("/console/plugins/examples", get(gallery::show_examples))
        .route("/console/plugins/new", get(workbench::show_new).post(workbench::work_on_new))
        .route("/console/plugins/{name}", workbench.clone())
        .route("/console/plugins/{name}/code", workbench)
        .route("/console/plugins/{name}/enabled", axum::routing::post(removal::save_enabled))
        .route("/console/plugins/{name}/breaker", axum::routing::post(breaker::close_breaker))
        .route("/console/plugins/{name}/delete", get(removal::show_delete).post(removal::delete_plugin))
        .route("/console/plugins/{name}/take-over", get(folder::show_take_over).post(folder::take_over))
        .route("/console/plugins/{name}/access", get(access::show_access).post(access::save_access))
        .route("/console/plugins/{name}/rollout", get(rollout::show_rollout).post(rollout::save_rollout))
        .route("/console/plugins/{name}/rollout/samples", get(rollout_samples::show_samples))
        .route("/console/plugins/{name}/versions", get(versions::show_versions))
        .route("/console/plugins/{name}/versions/{id}", get(versions::show_version).post(versions::activate_version))
        .route(
            "/console/plugins/{name}/versions/{id}/delete",
            get(removal::show_delete_version).post(removal::delete_version),
        )
        .route(
            "/console/plugins/{name}/recordings",
            get(recordings::show_recordings).post(recordings::change_recordings),
        )
        .route("/console/plugins/{name}/recordings/{id}/samples", get(recordings::download))
        .route(
            "/console/plugins/{name}/population-runs",
            get(population_runs::show_runs).post(population_runs::change_runs),
        )
        .route("/console/plugins/{name}/population-runs/{id}/differences", get(population_runs::download))
        .route("/console/plugins/{name}/log", get(log::show_log))
        .route("/console/plugins/{name}/log/live", get(log::follow_log))
}

/// The path of a plugin's workbench.
fn home(name: &str) -> String {
    let end = if RESERVED_NAMES.contains(&name) { "/code" } else { "" };
    format!("/console/plugins/{}{end}", segment(name))
}

/// The label of the button that disables a plugin.
pub(crate) fn disable_label(name: &str) -> String {
    format!("Disable {name}")
}

/// The label of the button that activates the version before.
pub(crate) fn rollback_label(version: &str) -> String {
    format!("Roll back to version {version}")
}

/// The label of the button that closes the circuit breaker of a plugin.
pub(crate) fn close_breaker_label(name: &str) -> String {
    format!("Call {name} again")
}

/// The path of a version of a plugin; posting to it activates the version.
pub(crate) fn version_page(name: &str, id: &str) -> String {
    page(name, &format!("versions/{}", segment(id)))
}

/// The path of a page of a plugin.
pub(crate) fn page(name: &str, page: &str) -> String {
    format!("/console/plugins/{}/{page}", segment(name))
}

/// Reads a plugin.
async fn read(caller: &Caller, name: &str) -> Result<Plugin, Failure> {
    let ApiResponse { body, etag } = caller.read::<Plugin>(&api(name)).await?;
    Ok(Plugin { etag: etag.unwrap_or_default(), ..body })
}

/// The API path of a plugin.
fn api(name: &str) -> String {
    format!("/api/plugins/{}", segment(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plugin_may_be_called_like_a_page() {
        assert_eq!(home("stamp"), "/console/plugins/stamp");
        assert_eq!(home("new"), "/console/plugins/new/code");
    }
}
